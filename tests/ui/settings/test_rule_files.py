"""Rules from and to files of the person's choice."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from callgate.core.errors import UserFault
from callgate.ui.settings.rule_exchange import MOST_READ, ask_to_read, ask_to_write, read_text, write_text


def test_text_is_read_with_or_without_its_mark_and_written(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    write_text(path, "größe = 1\n")
    assert read_text(path) == "größe = 1\n"
    path.write_bytes(b"\xef\xbb\xbf{}")
    assert read_text(path) == "{}"


def test_what_cannot_be_read_or_written_is_said_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(UserFault, match="missing"):
        read_text(tmp_path / "missing.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserFault, match="UTF-8"):
        read_text(tmp_path / "binary")
    (tmp_path / "large").write_bytes(b" " * (MOST_READ + 1))
    with pytest.raises(UserFault, match="too large"):
        read_text(tmp_path / "large")
    with pytest.raises(UserFault, match="can't be written"):
        write_text(tmp_path / "no" / "such", "x")


@pytest.mark.qt_log_ignore("does not support")
def test_asking_is_never_modal_and_hands_on_the_choice(qtbot: QtBot, tmp_path: Path) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.show()
    chosen: list[Path] = []
    for ask in (ask_to_read, ask_to_write):
        dialog = ask(page, chosen.append)
        assert dialog.isVisible() and not dialog.isModal()
        dialog.fileSelected.emit(str(tmp_path / "x.toml"))
        dialog.reject()
    assert chosen == [tmp_path / "x.toml"] * 2
