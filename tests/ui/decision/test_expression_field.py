"""An expression is checked while it is typed."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.decision.expression_field import ExpressionField
from callgate.ui.theme.theme import Theme


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> ExpressionField:
    field = ExpressionField(theme)
    qtbot.addWidget(field)
    field.resize(500, 80)
    field.show()
    return field


def _label(field: ExpressionField, name: str) -> QLabel:
    return field.findChild(QLabel, name)


def test_a_mistake_has_a_caret_under_it_and_words(field: ExpressionField) -> None:
    assert field.problem == "" and not _label(field, "expressionCaret").isVisible()
    field.set_text("args.n>lots")
    assert "needs a number" in field.problem
    assert _label(field, "expressionCaret").text() == "       ^"
    assert _label(field, "expressionProblem").text() == field.problem
    field.set_text("args.n>3")
    assert field.problem == "" and not _label(field, "expressionProblem").isVisible()


def test_in_a_text_wider_than_the_field_no_caret_points_at_the_wrong_place(field: ExpressionField) -> None:
    field.set_text("args.path:" + "x" * 200 + " and")
    assert field.problem and not _label(field, "expressionCaret").isVisible()


def test_what_the_person_types_is_told_apart_from_what_is_set(field: ExpressionField) -> None:
    heard: list[str] = []
    field.edited.connect(lambda: heard.append("edited"))
    field.changed.connect(lambda: heard.append("changed"))
    field.set_text("args.a=1")
    assert heard == ["changed"]
    QTest.keyClicks(field.field, "x")
    assert sorted(heard[1:]) == ["changed", "edited"]
