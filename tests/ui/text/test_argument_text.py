"""The text of arguments: coloured where it is looked at, wrapped rows marked."""

from PySide6.QtGui import QTextBlock
from pytestqt.qtbot import QtBot

from callgate.ui.text.argument_text import ArgumentText
from callgate.ui.theme.theme import Theme


def build(qtbot: QtBot, theme: Theme, lines: list[str], structured: bool = True) -> ArgumentText:
    text = ArgumentText(theme)
    qtbot.addWidget(text)
    text.resize(400, 200)
    text.show()
    text.start(structured)
    text.add(lines)
    return text


def colors(block: QTextBlock) -> dict[str, str]:
    units = block.text().encode("utf-16-le")
    return {
        units[2 * found.start : 2 * (found.start + found.length)].decode("utf-16-le"): found.format.foreground()
        .color()
        .name()
        for found in block.layout().formats()
    }


def test_keys_values_and_marks_have_their_colours(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ["{", '  "😀 key": "a ⟨U+202E RLO⟩",', '  "n": 12', "}"])
    found = colors(text.document().findBlockByNumber(1))
    assert found['"😀 key"'] == theme.color("accent").name()
    assert found["⟨U+202E RLO⟩"] == theme.color("waiting").name()
    assert colors(text.document().findBlockByNumber(2))["12"] == theme.color("executing").name()
    assert colors(text.document().firstBlock())["{"] == theme.color("text3").name()


def test_a_line_of_a_string_is_never_coloured_as_json(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ['    │ "path": "/safe"'])
    assert list(colors(text.document().firstBlock())) == ["│ "]


def test_plain_text_has_only_its_marks_coloured(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ['{"a": 1} ⟨U+200B ZWSP⟩'], structured=False)
    assert list(colors(text.document().firstBlock())) == ["⟨U+200B ZWSP⟩"]


def test_a_look_alike_word_is_lit_where_it_stands(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ['  "host": "pаypal.com"'])
    assert colors(text.document().firstBlock())["pаypal"] == theme.color("waiting").name()


def test_only_what_is_on_the_screen_is_coloured(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ['"a": 1,'] * 2000)
    assert text.document().lastBlock().layout().formats() == []
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum())
    assert text.document().lastBlock().layout().formats() != []


def test_another_theme_colours_anew(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ['"a": 1'])
    theme.set_mode("light")
    assert colors(text.document().firstBlock())["1"] == theme.color("executing").name()


def test_reading_starts_at_the_top_and_stays_where_it_is(qtbot: QtBot, theme: Theme) -> None:
    text = build(qtbot, theme, ["line"] * 100)
    assert (text.verticalScrollBar().value(), text.textCursor().position()) == (0, 0)
    text.verticalScrollBar().setValue(20)
    text.add(["more"] * 50)
    assert text.verticalScrollBar().value() == 20
    assert text.blockCount() == 150


def test_wrapped_rows_are_marked_at_the_edge(qtbot: QtBot, theme: Theme) -> None:
    marked = build(qtbot, theme, ["word " * 60]).grab().toImage()
    plain = build(qtbot, theme, ["word"]).grab().toImage()
    edge = [(x, y) for x in range(2, 18) for y in range(20, 120)]
    assert any(marked.pixel(x, y) != plain.pixel(x, y) for x, y in edge)


def test_its_size_follows_the_text_within_bounds(qtbot: QtBot, theme: Theme) -> None:
    short, long = build(qtbot, theme, ["{", "}"]), build(qtbot, theme, ["x"] * 900)
    assert short.sizeHint().height() < long.sizeHint().height() < 500
