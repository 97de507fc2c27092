"""Calls that come while the window is put away: they are shown, and else their deadline does not run out on them."""

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import dialog_of

from callgate.ui.decision.on_screen import is_on_screen

pytestmark = pytest.mark.qt_log_ignore("does not support")  # said by Qt's offscreen platform of raising
MakeProgram = Callable[..., Program]
READ = ("read_file", {"path": "notes.txt"})


def position(program: Program) -> str:
    return program.find(QLabel, "approvalPosition", dialog_of(program)).text()


def test_the_dialog_stays_up_when_its_window_is_minimised_and_a_second_call_is_seen(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        dialog, window = dialog_of(program), program.window_app.window
        held = [hold(program, *READ)]
        await program.until(lambda: is_on_screen(dialog))
        window.showMinimized()
        await program.until(lambda: dialog.windowHandle().transientParent() is None)
        assert dialog.isVisible() and dialog.windowHandle().type() == Qt.WindowType.Window
        dialog.setWindowState(Qt.WindowState.WindowMinimized)  # by the desktop, or by hand
        assert not is_on_screen(dialog)
        held.append(hold(program, *READ))
        await program.until(lambda: is_on_screen(dialog) and position(program) == "1 of 2")
        for one in held:
            one.cancel()

    program.play(flow())


def test_each_call_that_comes_to_a_window_that_is_put_away_is_notified(make_program: MakeProgram) -> None:
    program = make_program()
    program.window_app.tray._looks = lambda: False

    async def flow() -> None:
        marked: list[int] = []
        program.window_app.tray.attention_wanted.connect(lambda: marked.append(1))
        program.window_app.window.showMinimized()
        held = [hold(program, *READ)]
        await program.until(lambda: len(program.tray.messages) == 1)
        held.append(hold(program, *READ))
        await program.until(lambda: len(program.tray.messages) == 2)
        assert marked == [1, 1]
        [_, (title, text)] = program.tray.messages
        assert title == "Tool call needs approval · 2 waiting"
        assert "read_file" in text and "notes.txt" not in text
        for one in held:
            one.cancel()

    program.play(flow())


def test_a_call_that_was_not_shown_outlives_its_deadline_and_says_so_when_it_is(make_program: MakeProgram) -> None:
    program = make_program("[gate]\ndeadline_seconds = 1\n")

    async def flow() -> None:
        console = program.runtime.console
        program.window_app.approvals.set_quiet(True)  # no dialog comes up
        program.window_app.window.hide()
        held = hold(program, *READ)
        await program.until(lambda: console.waiting() and console.waiting()[0].deferred)
        [unseen] = console.waiting()
        assert unseen.seen_at is None and not held.done()
        program.window_app.approvals.set_quiet(False)
        await program.until(lambda: console.waiting() and console.waiting()[0].seen_at is not None)
        await program.until(
            lambda: "Not shown until" in program.find(QLabel, "patienceWords", dialog_of(program)).text()
        )
        ended = await asyncio.wait_for(held, 10)
        assert (ended.reason, ended.decided_by) == ("Timeout", "deadline")
        assert ended.seen_at is not None and ended.phases[-1].since - ended.seen_at > 0.9
        [entry] = await console.audit()
        assert entry.seen_at == ended.seen_at and entry.waited_seconds > 1

    program.play(flow())


@pytest.mark.parametrize("place", ["dialog", "queue", "card"])
def test_every_place_that_shows_a_call_says_that_it_was_seen(make_program: MakeProgram, place: str) -> None:
    program = make_program()

    async def flow() -> None:
        console, window_app = program.runtime.console, program.window_app
        window_app.approvals.set_quiet(place != "dialog")
        if place == "queue":
            window_app.window.show_approvals()
        held = hold(program, *READ)
        [call] = await program.until(console.waiting)
        if place == "card":
            window_app.conversation.open(call.conversation_id)
        await program.until(lambda: console.waiting()[0].seen_at is not None)
        held.cancel()

    program.play(flow())
