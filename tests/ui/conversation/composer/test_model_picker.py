"""Models are asked for anew, and a choice survives that."""

from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole

from callgate.engine.console.console import ModelChoice
from callgate.ui.conversation.composer.composer_box import ModelPicker
from callgate.ui.theme.theme import Theme


def test_a_choice_stays_while_it_exists(qtbot: QtBot, theme: Theme, console: FakeConsole) -> None:
    console.model_list = [ModelChoice("a", "one"), ModelChoice("b", "two")]
    picker = ModelPicker(console, theme)
    qtbot.addWidget(picker)
    picker.refresh()
    assert picker.chosen == "a"
    picker.setCurrentIndex(1)
    console.model_list = [ModelChoice("b", "two"), ModelChoice("c", "two")]
    picker.refresh()
    assert picker.chosen == "b"
    console.model_list = []
    picker.refresh()
    assert picker.chosen == ""
    assert not picker.grab().isNull()


def test_models_of_the_same_name_are_told_apart(qtbot: QtBot, theme: Theme, console: FakeConsole) -> None:
    console.model_list = [ModelChoice("a", "one"), ModelChoice("a", "two")]
    picker = ModelPicker(console, theme)
    qtbot.addWidget(picker)
    picker.refresh()
    assert [picker.itemText(row) for row in range(2)] == ["a (one)", "a (two)"]
