"""Lines keep their own ground, and what is long comes in slices."""

from collections.abc import Iterator

from pytestqt.qtbot import QtBot

from callgate.ui.result_view.styled_text import PAGE, StyledText
from callgate.ui.result_view.view import diff_lines, text_lines
from callgate.ui.theme.theme import Theme

DIFF = "@@ -1,4 +1,4 @@\n same\n-old\n same after it\n+new\n also the same\n last\n"


def grounds(text: StyledText) -> Iterator[tuple[str, bool]]:
    block = text.document().begin()
    while block.isValid():
        yield block.text(), block.blockFormat().background().style().value != 0
        block = block.next()


def test_only_changed_lines_of_a_diff_have_a_ground(qtbot: QtBot, theme: Theme) -> None:
    text = StyledText(theme, "Result")
    qtbot.addWidget(text)
    text.show_lines(diff_lines(DIFF))
    told = list(grounds(text))
    assert [line for line, _ in told] == DIFF.rstrip("\n").split("\n")
    assert [line for line, has in told if has] == ["-old", "+new"]


def test_a_long_text_is_whole_in_the_end(qtbot: QtBot, theme: Theme) -> None:
    text = StyledText(theme, "Result")
    qtbot.addWidget(text)
    lines = [f"line {number}" for number in range(PAGE * 3)]
    text.show_lines(text_lines("\n".join(lines)))
    assert not text.is_whole
    text.load_all()
    qtbot.waitUntil(lambda: text.is_whole, timeout=3000)
    assert text.toPlainText().split("\n") == lines
