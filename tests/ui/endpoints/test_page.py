import asyncio
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.ui.endpoints.views import BUSY, FILED, KEYLESS, MINE, SETTINGS

from callgate.core.events import EndpointsChanged
from callgate.ui.bridge import Bridge
from callgate.ui.endpoints.page import EndpointsPage
from callgate.ui.theme.theme import Theme


@pytest.fixture
def page(console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop) -> EndpointsPage:
    console.endpoints.show(FILED, MINE, KEYLESS, BUSY)
    console.endpoints.known["mine"] = SETTINGS
    page = EndpointsPage(console, bridge, theme)
    page.resize(900, 600)
    page.show()
    return page


def undo(page: EndpointsPage) -> None:
    button = page.undo.findChild(QPushButton, "undoButton")
    assert button is not None
    button.click()


def test_a_newcomer_is_told_that_only_the_demo_model_answers(
    console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop
) -> None:
    page = EndpointsPage(console, bridge, theme)
    page.show()
    assert page.empty.isVisible() and page.empty._title.text() == "Only the demo model answers"
    loop.press(page.empty.button.click)
    assert page.dialog.isVisible()
    page.dialog.close()
    page.list.choose("demo")
    assert page.detail.isVisible() and not page.detail.check.isVisible()
    assert "not a language model" in page.detail.note.text()


def test_each_origin_offers_what_can_be_done_with_it(page: EndpointsPage) -> None:
    detail = page.detail

    def offered() -> set[str]:
        buttons = (detail.check, detail.edit, detail.copy, detail.remove)
        return {button.text() for button in buttons if button.isVisible()}

    page.show_endpoint("openai")
    assert offered() == {"Check", "Copy as TOML"} and "configuration file" in detail.note.text()
    assert detail.default.isVisible() and not detail.key.isVisible()
    page.show_endpoint("mine")
    assert offered() == {"Check", "Edit…", "Copy as TOML", "Remove"}
    assert detail.key.isVisible() and detail.key.forget.isVisible()
    page.show_endpoint("keyless")
    assert detail.problem.text() == "The keyring has no key <b>for it</b>."
    assert not detail.key.forget.isVisible()
    page.show_endpoint("busy")
    assert detail.check.text() == "Stop" and detail.finding.is_running


def test_a_removal_can_be_taken_back(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_endpoint("mine")
    loop.press(lambda: QTest.keyClick(page.list, Qt.Key.Key_Delete))
    loop.until(page.undo.isVisible)
    assert "Removed: mine" in page.undo.words
    loop.press(lambda: undo(page))
    loop.until(lambda: console.endpoints.done == [("remove", "mine"), ("undo", "1")])


def test_what_is_not_ours_to_change_says_why(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_endpoint("openai")
    loop.press(lambda: QTest.keyClick(page.list, Qt.Key.Key_Return))
    assert "stands in the configuration file" in page.undo.words and not page.dialog.isVisible()
    console.endpoints.fault = "It stands in the file."
    loop.press(lambda: QTest.keyClick(page.list, Qt.Key.Key_Delete))
    loop.until(lambda: page.undo.words == "It stands in the file.")


def test_a_key_is_entered_and_forgotten(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    console.endpoints.note = "It lasts for this run."
    page.show_endpoint("mine")
    page.detail.key.field.setText("sk-9")
    loop.press(page.detail.key.keep.click)
    loop.until(lambda: console.endpoints.done == [("set_key", "mine")])
    assert console.endpoints.keys == {"mine": "sk-9"}
    loop.until(lambda: "is kept. It lasts for this run." in page.undo.words)
    loop.press(page.detail.key.forget.click)
    loop.until(lambda: console.endpoints.done[-1] == ("forget_key", "mine"))


def test_a_check_is_begun_and_stopped(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    console.endpoints.slow = asyncio.Event()
    page.show_endpoint("mine")
    loop.press(page.detail.check.click)
    loop.settle()
    assert console.endpoints.done[-1] == ("check", "mine")
    console.endpoints.show(replace(MINE, checking=True))
    console.play([EndpointsChanged(1.0)])
    loop.until(lambda: page.detail.check.text() == "Stop")
    loop.press(page.detail.check.click)
    loop.until(lambda: not page._checking)
    assert console.endpoints.done[-1] == ("stop_checking", "mine")


def test_what_happens_is_seen_and_the_choice_stays(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    page.show_endpoint("mine")
    console.endpoints.views["mine"] = replace(MINE, problem="It is gone.")
    console.endpoints.said = ("endpoints.json: something is odd.",)
    console.play([EndpointsChanged(1.0)])
    loop.until(lambda: page.detail.problem.text() == "It is gone.")
    assert page.detail.name == "mine" and page.problems.text() == "endpoints.json: something is odd."


def test_half_a_key_does_not_move_to_another_endpoint(page: EndpointsPage) -> None:
    page.show_endpoint("mine")
    page.detail.key.field.setText("sk-half")
    page.show_endpoint("keyless")
    assert page.detail.key.field.text() == ""


def test_it_is_copied_for_the_configuration_file(page: EndpointsPage, loop: BoundLoop) -> None:
    page.show_endpoint("mine")
    loop.press(page.detail.copy.click)
    assert QGuiApplication.clipboard().text().startswith("[[upstreams]]")


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of every menu
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mine", ["Check", "Edit…", "Copy as TOML", "Forget its key", "", "Remove"]),
        ("openai", ["Check", "Copy as TOML"]),
        ("busy", ["Stop checking", "Edit…", "Copy as TOML", "Forget its key", "", "Remove"]),
    ],
)
def test_a_right_click_offers_what_one_expects(page: EndpointsPage, name: str, words: list[str]) -> None:
    page.show_endpoint(name)
    page.detail.show_menu(QPoint(10, 10))
    menu = page.detail.findChild(QMenu, "endpointMenu")
    assert menu is not None and [action.text() for action in menu.actions()] == words
    menu.close()


def test_the_demo_model_has_no_menu(page: EndpointsPage) -> None:
    page.show_endpoint("demo")
    page.detail.show_menu(QPoint(10, 10))
    assert page.detail.findChild(QMenu, "endpointMenu") is None


def test_escape_leaves(page: EndpointsPage) -> None:
    left: list[int] = []
    page.closed.connect(lambda: left.append(1))
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert left == [1]


def test_what_was_kept_is_brought_into_view(page: EndpointsPage, console: FakeConsole, loop: BoundLoop) -> None:
    loop.press(lambda: page.add_endpoint("ollama"))
    loop.press(page.dialog.save.click)
    loop.until(lambda: page.detail.name == "ollama")
    assert "Added: ollama" in page.undo.words
