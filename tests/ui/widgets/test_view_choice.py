"""Views of one thing, one of which is on show."""

from pytestqt.qtbot import QtBot

from callgate.ui.widgets.view_choice import ViewChoice


def test_one_is_chosen_at_a_time_and_the_first_to_begin_with(qtbot: QtBot) -> None:
    choice = ViewChoice(("Form", "Text"), "How")
    qtbot.addWidget(choice)
    heard: list[str] = []
    choice.chosen.connect(heard.append)
    assert choice.current == "Form"
    choice.buttons["Text"].click()
    choice.choose("Form")
    choice.choose("Form")
    assert heard == ["Text", "Form"]
