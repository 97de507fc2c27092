import pytest
from PySide6.QtTest import QTest

from callgate.core.schema.form_value import UnreadableJson
from callgate.ui.schema_form.json_editor import JsonEditor
from callgate.ui.theme.theme import Theme


def test_a_value_is_shown_indented_and_says_nothing(theme: Theme) -> None:
    editor = JsonEditor(theme, "Arguments")
    told: list[int] = []
    editor.edited.connect(lambda: told.append(1))
    editor.show_value({"a": [1, "x\u200b"]})
    assert editor.toPlainText() == '{\n  "a": [\n    1,\n    "x\\u200b"\n  ]\n}'
    assert not told
    QTest.keyClicks(editor, " ")
    assert told == [1]


def test_what_is_typed_is_read_exactly(theme: Theme) -> None:
    editor = JsonEditor(theme, "Arguments")
    editor.setPlainText('{"a": 1.0, "b": 1}')
    assert repr(editor.read()) == "{'a': 1.0, 'b': 1}"
    for text in ("", "{", '{"a": 1, "a": 2}'):
        editor.setPlainText(text)
        with pytest.raises(UnreadableJson):
            editor.read()


def test_keys_and_values_have_their_colours_also_after_letters_of_two_units(theme: Theme) -> None:
    editor = JsonEditor(theme, "Arguments")
    editor.show_value({"😀": "ü", "n": 5})
    line = editor.document().findBlockByNumber(1)
    inks = {form.format.foreground().color().name() for form in line.layout().formats()}
    assert theme.color("accent").name() in inks
    assert theme.color("completed").name() in inks
    key = line.layout().formats()[0]
    assert line.text().encode("utf-16-le")[2 * key.start : 2 * (key.start + key.length)].decode("utf-16-le") == '"😀"'
