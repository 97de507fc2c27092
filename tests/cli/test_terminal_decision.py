"""The verbs of one decision in the terminal; how calls are put one after the other is in `test_terminal`."""

import asyncio
from typing import cast

import pytest
from tests.cli.test_terminal import Asking, waiting

from callgate.cli.terminal_decision import TerminalDecisions
from callgate.engine.console.console import Console


async def decided(*lines: str, sub_agents: bool = False) -> tuple[bool, Asking]:
    console, typed = Asking((waiting(),), sub_agents=sub_agents), iter(lines)

    async def read_line() -> str:
        return next(typed)

    decisions = TerminalDecisions(cast(Console, console), read_line, lambda _: None, str)
    return await asyncio.wait_for(decisions.ask(console.calls[0]), 5), console


@pytest.mark.parametrize(
    ("typed", "verb", "words"),
    [
        (["a"], "approve", ""),
        (["yes once"], "approve", ""),
        (["e", '{"path":"b"}'], "approve", '{"path":"b"}'),
        (["d", "too much"], "deny", "too much"),
        (["no too much"], "deny", "too much"),
        (["r", "42"], "answer", "42"),
        (["s"], "skip", ""),
        (["what", "s"], "skip", ""),
    ],
)
def test_every_verb_can_be_typed_in_one_line_or_two(typed: list[str], verb: str, words: str) -> None:
    taken, console = asyncio.run(decided(*typed))
    [decision] = console.decided
    assert taken and decision.verb == verb
    assert (decision.arguments or decision.reason or decision.result) == words


@pytest.mark.parametrize(("typed", "covers"), [("y", True), ("n", False)])
def test_a_lasting_approval_may_leave_out_the_sub_agents_of_an_agent_that_has_some(typed: str, covers: bool) -> None:
    _, console = asyncio.run(decided("a always", typed, "y", sub_agents=True))
    [decision] = console.decided
    assert (decision.scope, decision.sub_agents) == ("always", covers)


def test_not_now_decides_nothing() -> None:
    taken, console = asyncio.run(decided("l"))
    assert not taken and not console.decided
