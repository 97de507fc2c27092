"""The widget that shows what a call would do."""

from dataclasses import replace

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from callgate.core.calls.preview import CommandPreview, DiffPreview, UrlPreview
from callgate.ui.call_preview import CallPreview
from callgate.ui.theme.theme import Theme


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


def test_a_large_diff_is_made_in_the_next_turn_and_only_for_the_call_on_show(qtbot: QtBot, theme: Theme) -> None:
    preview = build(qtbot, theme)
    large = DiffPreview("large.txt", "", "all work and no play\n" * 20_000)
    preview.show_previews((large,))
    (section,) = preview.sections
    assert section.heading.text() == "Writes a new file: large.txt" and section.text.rows == ()
    qtbot.waitUntil(lambda: len(section.text.rows) == 20_000, timeout=5000)
    assert section.counts == "+20,000  −0"
    preview.show_previews((replace(large, path="other.txt"),))
    preview.show_previews((DiffPreview("a.py", "x", "y"),))
    qtbot.wait(30)
    assert preview.sections[0].counts == "+1  −1" and len(preview.sections[0].text.rows) == 2
