"""Code gets the theme's colours, in slices, without being changed."""

from PySide6.QtGui import QTextDocument

from callgate.core.text.highlighting import LIMIT
from callgate.ui.conversation.highlight import Coloring
from callgate.ui.theme.theme import Theme


def colors(document: QTextDocument, line: int) -> dict[str, str]:
    block = document.findBlockByNumber(line)
    units = block.text().encode("utf-16-le")
    return {
        units[span.start * 2 : (span.start + span.length) * 2].decode("utf-16-le"): span.format.foreground()
        .color()
        .name()
        for span in block.layout().formats()
    }


def colored(theme: Theme, text: str, language: str) -> QTextDocument:
    document = QTextDocument(text)
    assert Coloring(document, 0, text, language, theme).step(5)
    return document


def test_words_of_the_language_are_coloured(theme: Theme) -> None:
    document = colored(theme, "def f():\n    return 'x'  # why", "python")
    assert colors(document, 0)["def"] == theme.color("executing").name()
    assert colors(document, 0)["f"] == theme.color("accent").name()
    assert colors(document, 1)["# why"] == theme.color("text3").name()
    assert document.toPlainText() == "def f():\n    return 'x'  # why"


def test_letters_beyond_the_basic_plane_do_not_shift_colours(theme: Theme) -> None:
    assert "return" in colors(colored(theme, "x = '😀😀'; return", "python"), 0)


def test_unknown_languages_and_very_long_texts_stay_plain(theme: Theme) -> None:
    assert not colors(colored(theme, "def f()", "no-such-language"), 0)
    assert not colors(colored(theme, "def f()\n" * (LIMIT // 8 + 1), "python"), 0)


def test_work_stops_when_its_time_is_up_and_goes_on_later(theme: Theme) -> None:
    text = "x = 1\n" * 2000
    document = QTextDocument(text)
    coloring = Coloring(document, 0, text, "python", theme)
    assert not coloring.step(0)
    while not coloring.step(0.01):
        pass
    assert colors(document, 1999)


def test_colouring_can_start_at_a_later_line(theme: Theme) -> None:
    document = QTextDocument("a\nb\ndef c(): pass")
    Coloring(document, 2, "def c(): pass", "python", theme).step(5)
    assert not colors(document, 0)
    assert "def" in colors(document, 2)
