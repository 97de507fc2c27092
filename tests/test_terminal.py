"""Deciding in a terminal: what is shown there can't drive it, and it is clear what is decided."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

from callgate.core.invocation import Decision, Invocation, Phase
from callgate.core.messages import Text, ToolResult
from callgate.engine.bus import Bus
from callgate.engine.console import Console
from callgate.engine.questions import Questions
from callgate.engine.tasks import Tasks
from callgate.terminal import TerminalPrompt


@dataclass
class Asking:
    """As much of a console as the prompt needs: one call that waits."""

    invocation: Invocation
    bus: Bus = field(default_factory=Bus)
    decided: list[Decision] = field(default_factory=list)
    questions: Questions = field(init=False)

    def __post_init__(self) -> None:
        self.questions = Questions(self.bus)

    def waiting(self) -> tuple[Invocation, ...]:
        return () if self.decided else (self.invocation,)

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        self.decided.append(decision)
        return True


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


async def asked(invocation: Invocation, *lines: str) -> tuple[str, list[Decision]]:
    """What was written, and decided, when a person types these lines."""
    typed = iter(lines)
    written: list[str] = []
    console = Asking(invocation)
    tasks = Tasks(console.bus)

    async def read_line() -> str:
        return next(typed)

    prompt = TerminalPrompt(cast(Console, console), tasks, read_line, written.append)
    running = tasks.start(prompt.run(), "prompt")
    while not console.decided:
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait({running})
    return "\n".join(written), console.decided


def waiting(**more: Any) -> Invocation:
    given = {"state": "WaitingForConfirmation", "arguments": '{"path":"a"}', **more}
    tool = given.pop("tool", "read_file")
    phases = (Phase("Streaming", 0.0),)
    return Invocation("i", "e", "c", 1, 0, "call_1", tool, "client", "client", "me", "m", phases=phases, **given)


def test_nothing_that_a_model_wrote_drives_the_terminal() -> None:
    async def scenario() -> None:
        evil = waiting(tool="rm\x1b]0;x\x07", arguments='{"path":"\x1b[2J"}')
        written, decided = await asked(evil, "d no")
        assert "\x1b" not in written and "\x07" not in written and "rm\\x1b" in written
        assert [(one.verb, one.reason) for one in decided] == [("deny", "no")]

    run(scenario())


def test_a_result_that_waits_is_shown_instead_of_the_call() -> None:
    async def scenario() -> None:
        ran = ToolResult("call_1", (Text("the secret\x1b[0m number"),))
        written, decided = await asked(waiting(state="WaitingForPostApproval", ran_result=ran), "x", "a")
        assert "its result waits" in written and "the secret\\x1b[0m number" in written
        assert "Please answer" in written
        assert [one.verb for one in decided] == ["approve"]

    run(scenario())


def test_an_approval_can_be_for_longer_and_a_word_that_is_no_scope_decides_nothing() -> None:
    async def scenario() -> None:
        written, decided = await asked(waiting(), "a forever", "a session")
        assert "For how long?" in written
        assert [(decision.verb, decision.scope) for decision in decided] == [("approve", "session")]

    run(scenario())
