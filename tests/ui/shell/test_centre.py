import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from callgate.ui.shell.centre import Centre
from callgate.ui.shell.page import Page


class Parts:
    def __init__(self) -> None:
        self.welcome, self.conversation, self.composer = QLabel("welcome"), QLabel("talk"), QLabel("composer")
        self.rules, self.above, self.below = QLabel("rules"), QLabel("above"), QLabel("below")
        self.centre = Centre(self.welcome, self.conversation, self.composer, (Page("rules", "Rules", self.rules),))
        self.centre.arrange((self.above,), self.below)


@pytest.fixture
def parts(qtbot: QtBot) -> Parts:
    made = Parts()
    qtbot.addWidget(made.centre)
    made.centre.show()
    return made


def _seen(parts: Parts) -> set[QWidget]:
    everything = (parts.welcome, parts.conversation, parts.composer, parts.rules, parts.above, parts.below)
    return {widget for widget in everything if widget.isVisible()}


def test_the_welcome_page_gives_way_to_a_conversation_and_the_composer_stays(parts: Parts) -> None:
    lines = {parts.above, parts.below}
    assert _seen(parts) == {parts.welcome, parts.composer} | lines
    parts.centre.show_conversation(True)
    assert _seen(parts) == {parts.conversation, parts.composer} | lines


def test_a_page_takes_the_place_of_the_conversation_and_leaves_it_as_it_was(parts: Parts, qtbot: QtBot) -> None:
    parts.centre.show_conversation(True)
    with qtbot.waitSignal(parts.centre.page_changed, timeout=1000) as changed:
        assert parts.centre.show_page("rules") is parts.rules
    assert changed.args == ["rules"] == [parts.centre.page]
    assert _seen(parts) == {parts.rules, parts.above, parts.below}
    with qtbot.waitSignal(parts.centre.page_changed, timeout=1000) as changed:
        assert parts.centre.talk() is parts.conversation
    assert changed.args == [""]


def test_a_page_that_is_made_later_is_made_once_and_when_it_is_shown(qtbot: QtBot) -> None:
    made: list[QLabel] = []

    def make() -> QLabel:
        made.append(QLabel("late"))
        return made[-1]

    centre = Centre(QLabel("welcome"), QLabel("talk"), QLabel("composer"), (Page("late", "Late", make),))
    qtbot.addWidget(centre)
    centre.arrange((), QLabel("below"))
    centre.show()
    assert made == []
    for _ in range(2):
        assert centre.show_page("late") is made[0]
        assert made[0].isVisible()
        assert centre.page == "late"
        centre.talk()
    assert len(made) == 1


def test_a_wide_page_that_was_left_does_not_hold_the_window_wide(parts: Parts) -> None:
    parts.rules.setMinimumWidth(2000)
    parts.centre.show_page("rules")
    assert parts.centre.minimumSizeHint().width() >= 2000
    parts.centre.talk()
    assert parts.centre.minimumSizeHint().width() < 1000
