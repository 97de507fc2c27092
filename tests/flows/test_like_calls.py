# ruff: noqa: F811
"""Several waiting calls of one turn in the running program: approved together, released by a rule, taken back."""

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_approval_pictures import dialog_of, folder, pictures, program  # noqa: F401

from callgate.core.calls.invocation import Invocation, shown_hash
from callgate.core.messages import Message, Text
from callgate.ui.decision.like_calls import LikeCalls
from callgate.ui.decision.saved_notice import SavedNotice
from callgate.ui.decision.scope_box import ScopeBox
from callgate.ui.theme.theme import Mode

LEFT = Qt.MouseButton.LeftButton


def begin(program: Program, count: int, tool: str = "Fetch") -> "list[asyncio.Task[Invocation]]":
    """So many calls of an agent's own tool, in one turn."""
    turn = program.runtime.gate.enter_turn("conv", "exch", (Message("user", (Text("go"),)),))
    return [
        hold(
            program, tool, {"path": f"docs/chapter-{number}.md", "depth": 1}, owner="client", fingerprint="f",
            exchange_id="exch", conversation_id="conv", turn=turn, part=number,
        )
        for number in range(count)
    ]  # fmt: skip


async def is_up(program: Program, count: int) -> LikeCalls:
    dialog = dialog_of(program)
    await program.until(lambda: dialog.isVisible() and len(program.runtime.gate.waiting()) == count)
    found = dialog.findChild(LikeCalls, "likeCalls")
    assert found is not None
    await program.until(lambda: count < 2 or found.open_button.isEnabled())
    return found


async def of_notice(notice: SavedNotice, name: str, program: Program, folder: Path) -> None:
    modes: tuple[Mode, ...] = ("light", "dark")
    for mode in modes:
        program.window_app.window._theme.set_mode(mode)
        await program.until(lambda wanted=mode: program.window_app.window._theme.mode == wanted)
        assert notice.grab().save(str(folder / f"{name}-{mode}.png"))


def test_the_calls_of_a_list_are_approved_by_a_decision_each(program: Program, folder: Path) -> None:
    async def flow() -> None:
        held = begin(program, 5)
        odd = hold(program, "Delete", {"path": "docs"}, owner="client", fingerprint="g", conversation_id="conv")
        like = await is_up(program, 6)
        assert like.open_button.text() == "Approve 5 like this…"
        QTest.mouseClick(like.open_button, LEFT)
        await program.until(like.approve.isEnabled)
        await pictures(program, "like", folder)
        shown = {call.id: shown_hash(call) for call in like.listed}
        assert len(program.runtime.gate.waiting()) == 6, "opening the list decides nothing"
        while len(program.runtime.gate.waiting()) > 1:
            QTest.mouseClick(like.approve, LEFT)
            await program.until(lambda: like.approve.isEnabled() or len(program.runtime.gate.waiting()) == 1)
        ended = [await one for one in held]
        assert {call.id for call in ended} == set(shown)
        assert {(call.state, call.decided_by, call.scope) for call in ended} == {("Released", "person", "once")}
        (left,) = program.runtime.gate.waiting()
        assert left.tool == "Delete"
        assert program.runtime.console.rules() == ()
        odd.cancel()

    program.play(flow())


def test_a_rule_for_the_turn_says_what_it_released(program: Program, folder: Path) -> None:
    async def flow() -> None:
        held = begin(program, 4)
        await is_up(program, 4)
        dialog = dialog_of(program)
        scope = dialog.findChild(ScopeBox, "rememberScope")
        assert scope is not None
        scope.choose("turn")
        await pictures(program, "turn", folder)
        approve = program.find(QPushButton, "approveButton", dialog)
        await program.until(approve.isEnabled)
        QTest.mouseClick(approve, LEFT)
        ended = [await one for one in held]
        assert [call.decided_by for call in ended] == ["person", "rule", "rule", "rule"]
        assert {call.scope for call in ended} == {"turn"}
        window = program.window_app.window
        await program.until(lambda: dialog.notice.isVisible() or window.notice.isVisible())
        notice = dialog.notice if dialog.notice.isVisible() else window.notice
        assert notice.words.endswith("Released 3 waiting calls.")
        await of_notice(notice, "notice", program, folder)
        undo = notice.findChild(QPushButton, "undoButton")
        assert undo is not None
        undo.click()
        assert notice.words == "Rule removed. Can't be returned, released to the agent already: Fetch (3)."
        assert program.runtime.console.rules() == ()
        await of_notice(notice, "undone", program, folder)

    program.play(flow())
