"""A tool that is defined otherwise than it was."""

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from callgate.core.catalog.definition_diff import diff
from callgate.engine.console.rule_service import DefinitionChange
from callgate.ui.decision.definition_box import DefinitionBox
from callgate.ui.theme.theme import Theme

BEFORE = {"name": "t", "description": "Reads.", "schema": {"properties": {"a": {"type": "string"}}}}
AFTER = {"name": "t", "description": "Reads \u202e.", "schema": {"properties": {"a": {"type": "integer"}}}}
CHANGE = DefinitionChange("t", "s", "f", AFTER, BEFORE, diff(BEFORE, AFTER))


@pytest.fixture
def box(qtbot: QtBot, theme: Theme) -> DefinitionBox:
    box = DefinitionBox(theme)
    qtbot.addWidget(box)
    return box


def test_each_change_is_a_sentence_and_hidden_characters_are_revealed(box: DefinitionBox) -> None:
    box.show_change(CHANGE, "Mind that.")
    assert "The definition of t has changed since you last approved it. Mind that." in box.words
    assert 'type of property a changed from "string" to "integer"' in box.words
    assert "U+202E" in box.words and "\u202e" not in box.words


def test_both_definitions_are_compared_when_wanted(box: DefinitionBox) -> None:
    box.show_change(CHANGE)
    box.show()
    assert box.diff.isHidden()
    toggle = box.findChild(QToolButton, "definitionToggle")
    assert toggle is not None
    toggle.click()
    assert [row.text.strip() for row in box.diff.sections[0].text.rows if row.kind == "added"] == [
        '"description": "Reads ⟨U+202E RLO⟩.",',
        '"type": "integer"',
    ]


def test_an_old_definition_that_is_lost_is_said_to_be(box: DefinitionBox) -> None:
    box.show_change(DefinitionChange("t", "s", "f", AFTER))
    assert "no longer known" in box.words


def test_nothing_changed_hides_it(box: DefinitionBox) -> None:
    box.show_change(CHANGE)
    box.show_change(None)
    assert box.isHidden()
