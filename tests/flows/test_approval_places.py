"""One call stands in the dialog, on its card and in the queue: what is decided in one, the others follow at once."""

import asyncio
from collections.abc import Callable

import openai
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import armed, dialog_of, told

from callgate.core.calls.invocation import Invocation
from callgate.ui.decision.click_guard import RAISE_MS

pytestmark = pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
MakeProgram = Callable[..., Program]
LEFT = Qt.MouseButton.LeftButton
AUTO = {"use_vscode_tools": True, "tool_execution": "auto"}


def ask(program: Program) -> str:
    """A request of an SDK script; runs in a thread of its own."""
    with openai.OpenAI(base_url=f"{program.runtime.address}/v1", api_key="any", max_retries=0, timeout=15) as sdk:
        answer = sdk.chat.completions.create(  # type: ignore[call-overload]
            model="any", messages=[{"role": "user", "content": "What does notes.txt say?"}], extra_body=AUTO
        )
        return answer.choices[0].message.content or ""


def open_denials(place: QWidget) -> list[QPushButton]:
    """The Deny buttons on show there: one for each call that can be decided."""
    buttons = place.findChildren(QPushButton, "denyButton")
    return [button for button in buttons if button.isVisible() and button.isEnabled()]


@pytest.mark.parametrize("decides", ["dialog", "card", "queue"])
def test_a_denial_in_one_place_is_followed_in_the_two_others(make_program: MakeProgram, decides: str) -> None:
    program = make_program()

    async def flow() -> None:
        window_app = program.window_app
        asking = asyncio.ensure_future(asyncio.to_thread(ask, program))
        [waiting] = await program.until(program.runtime.console.waiting)
        window_app.conversation.open(waiting.conversation_id)
        window_app.window.show_approvals()
        places = {
            "dialog": dialog_of(program),
            "card": window_app.conversation.view,
            "queue": window_app.approvals.queue,
        }
        for place in ("card", "queue", "dialog"):  # each takes it over from the one before
            if place == "dialog":
                window_app.approvals.queue.open_requested.emit(waiting.id)
            else:
                await program.click("decideHere", places[place])
            await program.until(lambda place=place: len(open_denials(places[place])) == 1)
            assert [name for name in places if open_denials(places[name])] == [place]
            assert (window_app.approvals.places.place, window_app.approvals.places.current_id) == (place, waiting.id)
        if decides != "dialog":
            await program.click("decideHere", places[decides])
        await program.click("denyButton", places[decides])
        field = program.find(QLineEdit, "denyReason", places[decides])
        await program.until(field.isVisible)
        QTest.keyClicks(field, "not this file")
        [confirm] = await program.until(lambda: open_denials(places[decides]))  # armed since it was taken over
        assert confirm.accessibleName() == "Deny"
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert "buy milk" not in await asking
        [past] = await program.runtime.console.past_invocations()
        assert (past.reason, past.explanation) == ("Denied", "not this file")
        for name, place in places.items():
            await program.until(lambda place=place: not open_denials(place))
            assert program.runtime.console.waiting() == (), name
        await program.until(lambda: window_app.approvals.queue.model.rowCount() == 0)

    program.play(flow())


async def look_at(program: Program, invocation_id: str) -> None:
    """Chooses a row of the queue and stays until all of it has been shown."""
    queue = program.window_app.approvals.queue
    queue.choose(invocation_id)
    await program.until(lambda: invocation_id in queue._shown)


def test_all_that_was_shown_is_approved_and_what_may_do_harm_is_left(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        shared = {"exchange_id": "e", "conversation_id": "c"}
        held: list[asyncio.Task[Invocation]] = [
            hold(program, "read_file", {"path": "notes.txt"}, part=0, **shared),
            hold(program, "list_directory", {"path": "."}, part=1, **shared),
            hold(program, "delete_file", {"path": "notes.txt"}, part=2, **shared),
            hold(program, "read_file", {"path": "never_looked_at.txt"}, part=3, **shared),
        ]
        queue = program.window_app.approvals.queue
        await program.until(lambda: queue.model.rowCount() == 4)
        dialog_of(program).hide()
        program.window_app.window.show_approvals()
        for entry in queue.model.entries[:3]:
            await look_at(program, entry.id)
        await program.until(lambda: queue.bulk.approve.text() == "Approve reviewed (2)")
        for _ in range(2):
            await program.click("approveAllButton", queue)
        done = await asyncio.gather(*held[:2])
        assert "buy milk" in told(done[0]) and "notes.txt" in told(done[1])
        await asyncio.sleep(RAISE_MS / 1000)
        assert [task.done() for task in held] == [True, True, False, False]
        for task in held[2:]:
            task.cancel()
        await asyncio.gather(*held[2:], return_exceptions=True)

    program.play(flow())


def test_typing_in_the_filter_of_the_queue_decides_nothing(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        held = hold(program, "read_file", {"path": "notes.txt"})
        await armed(program)
        dialog_of(program).hide()
        program.window_app.window.show_approvals()
        queue = program.window_app.approvals.queue
        program.window_app.approvals.places.take("queue", program.runtime.console.waiting()[0].id)
        await program.until(lambda: open_denials(queue) != [])
        queue.filter.field.setFocus()
        QTest.keyClicks(queue.filter.field, "read_file notes")
        await program.until(lambda: open_denials(queue) != [])
        for key in (Qt.Key.Key_Backspace, Qt.Key.Key_E):
            queue.filter.field.setFocus()
            QTest.keyClick(queue.filter.field, key, Qt.KeyboardModifier.ControlModifier)
        assert queue.filter.field.text() == "read_file " and queue.bar.mode == "verbs"
        assert not held.done()
        held.cancel()
        await asyncio.gather(held, return_exceptions=True)

    program.play(flow())
