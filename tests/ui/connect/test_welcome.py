import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.connect.welcome import WelcomePage
from callgate.ui.theme.theme import Theme


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> WelcomePage:
    page = WelcomePage(theme)
    qtbot.addWidget(page)
    page.show()
    return page


def _visible_code(page: WelcomePage) -> str:
    return next(edit.toPlainText() for edit in page.findChildren(QPlainTextEdit) if edit.isVisible())


def test_it_shows_the_address_and_how_to_use_it(page: WelcomePage) -> None:
    page.set_address("http://127.0.0.1:9191")
    assert "http://127.0.0.1:9191" in {label.text() for label in page.findChildren(QLabel)}
    assert "http://127.0.0.1:9191/v1" in _visible_code(page)


def test_a_new_address_keeps_the_chosen_tab(page: WelcomePage) -> None:
    tabs = page.findChild(QTabWidget)
    tabs.setCurrentIndex(3)
    page.set_address("http://127.0.0.1:9191")
    assert tabs.currentIndex() == 3
    assert _visible_code(page).startswith("curl http://127.0.0.1:9191")


def test_an_example_is_copied_as_it_stands(page: WelcomePage, qapp: QApplication) -> None:
    page.set_address("http://127.0.0.1:9191")
    buttons = [b for b in page.findChildren(QToolButton) if b.accessibleName() == "Copy this example" and b.isVisible()]
    buttons[0].click()
    assert qapp.clipboard().text() == _visible_code(page)


def test_without_an_address_there_is_nothing_to_copy(page: WelcomePage) -> None:
    assert "Not listening yet" in {label.text() for label in page.findChildren(QLabel)}
    copies = [b for b in page.findChildren(QToolButton) if b.accessibleName() == "Copy the address"]
    assert [button.isVisible() for button in copies] == [False]


def test_the_demo_is_one_click_away(page: WelcomePage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.demo_requested, timeout=1000):
        page.findChild(QPushButton, "demoButton").click()


def test_who_answers_is_said_and_leads_to_the_endpoints(page: WelcomePage, qtbot: QtBot) -> None:
    who, button = page.findChild(QLabel, "whoAnswers"), page.findChild(QPushButton, "endpointsButton")
    assert who.text().startswith("The demo model answers") and button.text() == "Add endpoint…"
    page.show_answering((EndpointView("mine", "added", ("openai-chat",), "http://x", ("*",)),))
    assert (who.text(), button.text()) == ("mine answers.", "Endpoints…")
    page.show_answering((EndpointView("mine", "added", ("openai-chat",), "http://x", ("gpt-6",)),))
    assert 'model="gpt-6"' in _visible_code(page)
    with qtbot.waitSignal(page.endpoints_requested, timeout=1000):
        button.click()
