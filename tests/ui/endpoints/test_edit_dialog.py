import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop
from tests.ui.endpoints.views import MINE, SETTINGS

from callgate.ui.bridge import Bridge
from callgate.ui.endpoints.edit_dialog import EndpointDialog
from callgate.ui.endpoints.presets import PRESETS
from callgate.ui.theme.theme import Theme


@pytest.fixture
def dialog(console: FakeConsole, bridge: Bridge, theme: Theme, loop: BoundLoop) -> EndpointDialog:
    dialog = EndpointDialog(console.endpoints, bridge, theme)
    loop.press(dialog.start_new, dialog.show)
    loop.settle()
    return dialog


def test_presets_are_chosen_by_the_keyboard_and_headings_are_skipped(dialog: EndpointDialog) -> None:
    seen = [dialog.title.text()]
    for _ in range(len(PRESETS) + 3):
        QTest.keyClick(dialog.presets, Qt.Key.Key_Down)
        if dialog.title.text() != seen[-1]:
            seen.append(dialog.title.text())
    assert seen == [preset.title for preset in PRESETS]


def test_it_never_stands_in_the_way(dialog: EndpointDialog) -> None:
    assert not dialog.isModal() and dialog.windowTitle() == "Add an endpoint"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_nothing_is_sent_while_something_is_missing(
    dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop
) -> None:
    loop.press(dialog.save.click, dialog.check.click)
    assert dialog.form.fields["typed"].trouble == "The key is needed."
    assert console.endpoints.done == []


def test_what_was_typed_is_checked_and_shown(dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop) -> None:
    dialog.form.key.setText("sk-1")
    loop.press(dialog.check.click)
    loop.until(lambda: dialog.finding.title.text() == "Reached")
    assert console.endpoints.done == [("examine", "openai", "sk-1")]
    assert "small" in dialog.finding.models.toPlainText()
    dialog.form.name.setText("other")
    assert dialog.finding.isHidden(), "an earlier check does not count any more"


def test_a_check_can_be_stopped(dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop) -> None:
    console.endpoints.slow = asyncio.Event()
    dialog.form.key.setText("sk-1")
    loop.press(dialog.check.click)
    loop.settle()
    assert dialog.cancel.text() == "Stop" and not dialog.form.isEnabled()
    loop.press(lambda: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    loop.until(lambda: dialog.cancel.text() == "Cancel")
    assert dialog.isVisible() and dialog.finding.words.text() == "The check was stopped."


def test_it_is_kept_and_the_key_leaves_the_field(dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop) -> None:
    heard: list[tuple[str, bool]] = []
    dialog.kept.connect(lambda name, is_new, done: heard.append((name, is_new)))
    dialog.form.key.setText("sk-1")
    loop.press(dialog.save.click)
    loop.until(lambda: not dialog.isVisible())
    assert heard == [("openai", True)] and console.endpoints.keys == {"openai": "sk-1"}
    assert dialog.form.key.text() == ""


def test_a_refusal_is_said_beside_the_buttons(dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop) -> None:
    console.endpoints.fault = "The disk is full."
    dialog.form.key.setText("sk-1")
    loop.press(dialog.save.click)
    loop.until(lambda: dialog.said.text() == "The disk is full.")
    assert dialog.isVisible()


def test_one_that_is_there_is_changed_without_its_key_being_typed_again(
    dialog: EndpointDialog, console: FakeConsole, loop: BoundLoop
) -> None:
    console.endpoints.show(MINE)
    console.endpoints.known["mine"] = SETTINGS
    loop.press(lambda: dialog.edit("mine"))
    assert (dialog.windowTitle(), dialog.save.text()) == ("Edit mine", "Save")
    assert not dialog.presets.isVisible()
    dialog.form.name.setText("renamed")
    loop.press(dialog.save.click)
    loop.until(lambda: ("add", "renamed", "mine") in console.endpoints.done)
    assert console.endpoints.keys == {}
    loop.press(lambda: dialog.edit("nobody"))


def test_a_key_does_not_outlive_the_dialog(dialog: EndpointDialog) -> None:
    dialog.form.key.setText("sk-1")
    dialog.close()
    assert dialog.form.key.text() == ""
