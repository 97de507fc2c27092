"""Nothing is decided by accident: every way in which a hand can slip, tried on the real window."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolTip, QWidget
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import armed, dialog_of, told

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.ui.decision.click_guard import HOLD_MS

MakeProgram = Callable[..., Program]
READ = ("read_file", {"path": "notes.txt"})
LEFT = Qt.MouseButton.LeftButton


def approve_of(program: Program) -> QPushButton:
    button = program.find(QPushButton, "approveButton", dialog_of(program))
    assert isinstance(button, QPushButton)
    return button


async def gone(held: "asyncio.Task[Invocation]") -> None:
    held.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await held


async def clear(program: Program) -> None:
    """Nothing waits any more, and nothing is left to be read about it."""
    for waiting in program.runtime.console.waiting():
        program.runtime.gate.cancel(waiting.id, "client", "the next one")
    await program.until(lambda: not program.window_app.approvals.count)
    dialog_of(program).hide()


async def it_takes_neither_the_focus_nor_the_window(program: Program) -> None:
    window = program.window_app.window
    window.activateWindow()
    await program.until(window.isActiveWindow)
    before = program.find(QLineEdit, "toolFilter")
    before.setFocus()
    held = hold(program, *READ)
    await program.until(dialog_of(program).isVisible)
    assert not dialog_of(program).isModal()
    # the offscreen platform activates every window that is shown: what a desktop is told is all that can be checked
    assert dialog_of(program).testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    QTest.keyClicks(before, "read ")
    QTest.keyClick(before, Qt.Key.Key_Return)
    assert not held.done(), "what is typed elsewhere decides nothing"
    before.clear()
    await gone(held)


async def it_is_not_armed_when_it_comes_up(program: Program) -> None:
    held = hold(program, *READ)
    await program.until(dialog_of(program).isVisible)
    button = approve_of(program)
    assert not button.isEnabled()
    QTest.mouseClick(button, LEFT)
    QTest.keyClick(dialog_of(program), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done()
    await program.until(button.isEnabled)
    await gone(held)


async def the_click_that_comes_from_another_program_never_decides(program: Program) -> None:
    held = hold(program, *READ)
    await armed(program, "approveButton")
    foreground = dialog_of(program).bar.guard.foreground
    foreground.move(False)  # the offscreen platform knows no other programs
    QTest.mouseClick(approve_of(program), LEFT)
    foreground.move(True)
    QTest.mouseClick(approve_of(program), LEFT)
    QTest.keyClick(dialog_of(program), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done()
    foreground.trust()
    await gone(held)


async def one_click_decides_in_a_window_that_was_shown_without_activation(program: Program) -> None:
    held = hold(program, *READ)
    await program.until(lambda: dialog_of(program).isVisible() and approve_of(program).isEnabled())
    program.window_app.window.activateWindow()
    await program.until(program.window_app.window.isActiveWindow)
    QTest.mouseClick(approve_of(program), LEFT)
    assert (await held).state == "Completed"


async def enter_space_and_letters_decide_nothing(program: Program) -> None:
    held = hold(program, *READ)
    await armed(program, "approveButton")
    dialog = dialog_of(program)
    for target in (dialog, dialog.sheet.arguments.text, dialog.bar):
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Y, Qt.Key.Key_A):
            QTest.keyClick(target, key)
    await asyncio.sleep(0.05)
    assert not held.done() and dialog.isVisible()
    await gone(held)


async def a_reason_in_the_making_can_only_deny(program: Program) -> None:
    held = hold(program, *READ)
    QTest.mouseClick(await armed(program), LEFT)
    field = program.find(QLineEdit, "denyReason", dialog_of(program))
    assert not approve_of(program).isVisible()
    QTest.keyClicks(field, "approve approve")
    QTest.keyClick(field, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
    assert not held.done() and field.text().strip() == "approve"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done(), "the chord that approves has no other meaning"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (await held).reason == "Denied"


async def closing_decides_nothing(program: Program) -> None:
    held = hold(program, *READ)
    await armed(program)
    QTest.keyClick(dialog_of(program), Qt.Key.Key_Escape)
    await program.until(lambda: not dialog_of(program).isVisible())
    assert not held.done() and len(program.runtime.console.waiting()) == 1
    await gone(held)


async def a_stale_card_is_harmless(program: Program) -> None:
    held = hold(program, *READ)
    button = await armed(program, "approveButton")
    (waiting,) = program.runtime.console.waiting()
    assert program.runtime.console.decide(waiting.id, Decision("deny", reason="no"), "queue")
    QTest.mouseClick(button, LEFT)
    done = await held
    assert done.reason == "Denied" and "buy milk" not in told(done)
    other = Decision("approve", shown=shown_hash(replace(waiting, arguments="{}")))
    assert not program.runtime.console.decide(waiting.id, other, "dialog")


async def keys_on_their_way_to_another_window_decide_nothing(program: Program) -> None:
    """A desktop that gives the dialog the keyboard all the same, in the middle of somebody's typing."""
    held = hold(program, *READ)
    button = await armed(program, "approveButton")
    reading = dialog_of(program).sheet.arguments.text
    QTest.keyClicks(reading, "see you tomorrow")
    QTest.keyClick(reading, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done() and not button.isEnabled()
    await program.until(button.isEnabled)
    QTest.keyClick(reading, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done(), "not before the pointer is on a button, however long it takes"
    dialog_of(program).bar.guard.foreground.trust()
    await gone(held)


async def a_long_text_has_to_be_seen(program: Program) -> None:
    held = hold(program, "create_file", {"path": "x.txt", "content": "line\n" * 3000})
    button = await armed(program, "approveButton")
    assert button.text().startswith("Show the rest")
    QTest.mouseClick(button, LEFT)
    await asyncio.sleep(0.05)
    assert not held.done(), "the first press only shows the rest"
    await program.until(lambda: button.text().startswith("Approve"))
    await gone(held)


async def what_may_do_harm_wants_a_long_press(program: Program) -> None:
    held = hold(program, "delete_file", {"path": "notes.txt"})
    button = await armed(program, "approveButton")
    assert button.text().startswith("Hold to approve")
    QTest.mouseClick(button, LEFT)
    QTest.keyClick(dialog_of(program), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await asyncio.sleep(0.05)
    assert not held.done()
    await armed(program, "approveButton")
    QTest.mousePress(button, LEFT)
    await asyncio.sleep(HOLD_MS / 1000 + 0.2)
    QTest.mouseRelease(button, LEFT)
    assert (await held).state == "Completed"


@pytest.mark.qt_log_ignore("does not support")  # what the offscreen platform says of raising and grabbing
def test_a_slip_of_the_hand_decides_nothing(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for slip in (
            it_takes_neither_the_focus_nor_the_window,
            it_is_not_armed_when_it_comes_up,
            the_click_that_comes_from_another_program_never_decides,
            one_click_decides_in_a_window_that_was_shown_without_activation,
            enter_space_and_letters_decide_nothing,
            keys_on_their_way_to_another_window_decide_nothing,
            a_reason_in_the_making_can_only_deny,
            closing_decides_nothing,
            a_stale_card_is_harmless,
        ):
            await slip(program)
            await clear(program)

    program.play(flow())


def test_what_is_long_or_may_do_harm_takes_more_than_a_click(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        await a_long_text_has_to_be_seen(program)
        await clear(program)
        await what_may_do_harm_wants_a_long_press(program)

    program.play(flow())


def hover(widget: QWidget) -> None:
    """The mouse rests on every label. Not `QTest.mouseMove`: it lets the loop go round, in the middle of a task."""
    labels = [label for label in widget.findChildren(QLabel) if not label.isWindow()]  # a tip is a label too
    for label in (widget, *labels):
        place = QPoint(2, 2)
        QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    QToolTip.hideText()


async def look_at_the_rules(program: Program, refused: int) -> None:
    """Every tab of the page, with the refused calls in it."""
    page = program.window_app.rules
    program.window_app.window.actions_of_window.of_pages["rules"].trigger()
    await program.until(lambda: page.denied.count == refused and page.audit.entries >= refused)
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        hover(page)
        await asyncio.sleep(0.05)
        page.grab()


@pytest.mark.qt_log_ignore("does not support raise")  # said by Qt's offscreen platform
def test_nothing_is_fetched_or_run_by_showing_a_call(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        visits: list[bytes] = []

        async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            visits.append(await reader.read(64))
            writer.close()

        server = await asyncio.start_server(visited, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}"
        hostile = {
            "note": f"![x]({address}/a.png) <img src='{address}/b.png'> <script src='{address}/c.js'></script>",
            "style": f"<link rel=stylesheet href={address}/d.css> background:url({address}/e.png) file://{address}",
            "url": f"{address}/f",
        }
        calls = [
            hold(
                program, f"fetch<img src={address}/g.png>", hostile, owner="client", agent=f"<img src={address}/h.png>"
            ),
            hold(program, "WebFetch", {"url": f"{address}/i"}, owner="client"),
            hold(program, "Bash", {"command": f"curl {address}/j; touch {program._folder}/ran"}, owner="client"),
            hold(
                program,
                "Edit",
                {"file_path": "x.html", "old_string": "", "new_string": json.dumps(hostile)},
                owner="client",
            ),
        ]
        dialog, queue = dialog_of(program), program.window_app.approvals.queue
        await program.until(lambda: queue.model.rowCount() == len(calls))
        program.window_app.window.show_approvals()
        for waiting in program.runtime.console.waiting():
            dialog.show_call(waiting.id)
            queue.choose(waiting.id)
            if dialog.sheet.arguments.views.isVisible():
                dialog.sheet.arguments.views.choose("Tree")
            hover(dialog)
            await asyncio.sleep(0.05)
            dialog.grab()
            program.window_app.window.grab()
            no = Decision("deny", reason=f"<img src='{address}/k.png'>", shown=shown_hash(waiting))
            assert program.runtime.console.decide(waiting.id, no, "dialog")
        await asyncio.gather(*calls)
        await look_at_the_rules(program, len(calls))
        await asyncio.sleep(0.2)
        assert visits == []
        assert not (program._folder / "ran").exists()
        server.close()
        await server.wait_closed()

    program.play(flow())
