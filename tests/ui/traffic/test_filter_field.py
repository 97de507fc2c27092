"""The filter is read while it is typed; a mistake is pointed at and changes nothing."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from callgate.core.rules.match import Always, Expression, parse
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.filter_field import FilterField


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> FilterField:
    field = FilterField(theme, lambda name: ["run_command", "read_file"] if name == "tool" else [])
    qtbot.addWidget(field)
    field.resize(600, 60)
    field.show()
    return field


def heard(field: FilterField) -> list[Expression]:
    told: list[Expression] = []
    field.changed.connect(told.append)
    return told


def test_every_readable_text_filters_at_once(field: FilterField) -> None:
    told = heard(field)
    field.line.setText("tool:run_*")
    field.line.setText("tool:run_* ")
    field.clear()
    assert told == [parse("tool:run_*"), Always()]


def test_a_mistake_leaves_the_last_filter_and_is_pointed_at(field: FilterField, qtbot: QtBot) -> None:
    field.line.setText("agent:codex")
    told = heard(field)
    field.line.setText("agent:codex and durr>5")
    assert told == [] and field.expression == parse("agent:codex")
    assert not field.problem.isVisible(), "half a word is no mistake while it is typed"
    qtbot.waitUntil(field.problem.isVisible, timeout=2000)
    assert "there is no field 'durr'" in field.problem.text()
    place = field.problem.contentsMargins().left()
    field.line.setText("durr>5")
    qtbot.waitUntil(field.problem.isVisible, timeout=2000)
    assert field.problem.contentsMargins().left() < place, "the arrow stands under the word"
    field.line.setText("dur>5")
    assert not field.problem.isVisible()


def test_fields_of_rules_are_refused_with_what_to_use_instead(field: FilterField, qtbot: QtBot) -> None:
    told = heard(field)
    field.line.setText("command:'git *'")
    qtbot.waitUntil(field.problem.isVisible, timeout=2000)
    assert "args.command" in field.problem.text() and told == []


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every popup
def test_names_are_completed_and_values_after_them(field: FilterField) -> None:
    QTest.keyClicks(field.line, "to")
    popup = field._completer.popup()
    assert popup is not None and popup.isVisible()
    field._completer.activated.emit("tool:")
    assert field.line.text() == "tool:" and popup.isVisible()
    field._completer.activated.emit("run_command")
    assert field.expression == parse("tool:run_command")
    popup.hide()


def test_escape_clears_first_and_leaves_then(field: FilterField, qtbot: QtBot) -> None:
    field.line.setText("codex")
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.line.text() == ""
    with qtbot.waitSignal(field.left, timeout=1000):
        QTest.keyClick(field.line, Qt.Key.Key_Escape)
    with qtbot.waitSignal(field.left, timeout=1000):
        QTest.keyClick(field.line, Qt.Key.Key_Down)


def test_a_field_without_its_value_yet_changes_nothing(field: FilterField) -> None:
    said = heard(field)
    field.set_text("agent:codex")
    for half in ("agent:codex model:", "agent:codex and dur>", "agent:codex (args.path~", "agent:codex or not dur>="):
        field.set_text(half)
        assert not field.problem.isVisible()
    assert said == [parse("agent:codex")]
    field.set_text("agent:codex model:gpt-*")
    assert said[-1] == parse("agent:codex model:gpt-*")
    field.set_text("model:")
    assert said[-1] == Always(), "the letters before the sign were no word to look for"
