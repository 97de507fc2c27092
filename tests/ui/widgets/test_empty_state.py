from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.empty_state import EmptyState


def test_it_says_why_and_what_to_do(theme: Theme, qtbot: QtBot) -> None:
    state = EmptyState(theme, "search", "Nothing matches", "Try less.", "Clear filter")
    qtbot.addWidget(state)
    state.show()
    assert {"Nothing matches", "Try less."} <= {label.text() for label in state.findChildren(QLabel)}
    with qtbot.waitSignal(state.button.clicked, timeout=1000):
        state.button.click()


def test_without_an_action_there_is_no_button(theme: Theme, qtbot: QtBot) -> None:
    state = EmptyState(theme, "tools", "No tools yet")
    qtbot.addWidget(state)
    state.show()
    assert not state.button.isVisible()
    state.set_texts("Still none", "Wait.")
    assert "Still none" in {label.text() for label in state.findChildren(QLabel)}
