"""Monospaced text is all there, as tall as it is up to its bound, and cheap to grow."""

import pytest
from pytestqt.qtbot import QtBot

from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.theme.theme import Theme


def made(qtbot: QtBot, theme: Theme, **options: object) -> MonoText:
    text = MonoText(theme, **{"wrap": True, **options})  # type: ignore[arg-type]
    qtbot.addWidget(text)
    return text


@pytest.mark.parametrize("wrap", [True, False])
def test_it_is_as_tall_as_its_text(qtbot: QtBot, theme: Theme, wrap: bool) -> None:
    text = made(qtbot, theme, wrap=wrap)
    text.show_text("short\n" + "word " * 100 + "\n" + "x" * 300)
    text.resize(400, text.heightForWidth(400))
    text.show()
    blocks = [text.document().findBlockByNumber(number) for number in range(text.blockCount())]
    needed = sum(text.blockBoundingRect(block).height() for block in blocks)
    bar = text.horizontalScrollBar().height() if text.horizontalScrollBar().isVisible() else 0
    assert needed <= text.height() - bar <= needed + 4
    assert text.verticalScrollBar().maximum() == 0


def test_past_its_bound_it_scrolls_and_still_holds_everything(qtbot: QtBot, theme: Theme) -> None:
    text = made(qtbot, theme, bound=100)
    text.show_text("line\n" * 500)
    assert text.heightForWidth(400) == 100
    assert text.overflows(400, 100)
    text.resize(400, 100)
    text.show()
    assert text.verticalScrollBar().maximum() > 0
    assert text.toPlainText() == "line\n" * 500
    text.set_bound(1_000_000)
    assert text.heightForWidth(400) > 5000


def test_growing_text_keeps_what_was_there_and_is_coloured_when_done(qtbot: QtBot, theme: Theme) -> None:
    text = made(qtbot, theme, wrap=False)
    whole = 'x = """\ndef f(): pass\n"""\n'
    for end in range(1, len(whole) + 1):
        text.show_text(whole[:end], "python", growing=True)
    assert text.toPlainText() == whole
    text.show_text(whole, "python")

    def colors() -> set[str]:
        inner = text.document().findBlockByNumber(1).layout().formats()
        return {span.format.foreground().color().name() for span in inner}

    # in slices of time: a busy machine takes more than one
    qtbot.waitUntil(lambda: colors() == {theme.color("completed").name()}, timeout=3000)


def test_text_that_is_not_a_continuation_replaces_what_was_there(qtbot: QtBot, theme: Theme) -> None:
    text = made(qtbot, theme)
    text.show_text("abc", growing=True)
    text.show_text("xyz", growing=True)
    assert text.toPlainText() == text.text == "xyz"


def test_an_error_is_written_in_its_colour(qtbot: QtBot, theme: Theme) -> None:
    text = made(qtbot, theme)
    text.show_text("broken", color="denied")
    cursor = text.document().find("broken")
    assert cursor.charFormat().foreground().color() == theme.color("denied")
