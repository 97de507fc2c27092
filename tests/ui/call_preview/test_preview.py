"""The widget that shows what a call would do."""

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from callgate.core.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.ui.call_preview import CallPreview
from callgate.ui.theme import Theme


def build(qtbot: QtBot, theme: Theme) -> CallPreview:
    preview = CallPreview(theme)
    qtbot.addWidget(preview)
    preview.resize(600, 400)
    return preview


def test_without_previews_it_hides_itself(qtbot: QtBot, theme: Theme) -> None:
    preview = build(qtbot, theme)
    preview.show_previews((CommandPreview("ls"),))
    assert not preview.isHidden()
    preview.show_previews(())
    assert preview.isHidden()


def test_each_kind_has_its_heading(qtbot: QtBot, theme: Theme) -> None:
    preview = build(qtbot, theme)
    preview.show_previews(
        (DiffPreview("a.py", "x", "y"), CommandPreview("ls | wc"), UrlPreview("GET", "https://a.example/", "a.example"))
    )
    assert [section.heading.text() for section in preview.sections] == [
        "Changes: a.py",
        "Runs 2 commands",
        "Sends a request to a.example",
    ]


def test_the_same_previews_again_keep_the_place_of_reading(qtbot: QtBot, theme: Theme) -> None:
    preview = build(qtbot, theme)
    preview.show_previews((CommandPreview("ls"),))
    before = preview.sections[0]
    preview.show_previews((CommandPreview("ls"),))
    assert preview.sections[0] is before


def test_the_whole_file_can_be_asked_for(qtbot: QtBot, theme: Theme) -> None:
    preview = build(qtbot, theme)
    text = "\n".join(map(str, range(50)))
    preview.show_previews((DiffPreview("a.py", text, f"{text}\nend"),))
    preview.show()
    whole = preview.findChild(QToolButton, "wholeFile")
    assert whole is not None
    assert preview.sections[0].text.blockCount() == 5
    whole.click()
    assert preview.sections[0].text.blockCount() == 51
