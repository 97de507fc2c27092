"""Deciding in a terminal: what is shown there can't drive it, and it is clear what is decided."""

import asyncio
import os
import pty
import sys
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from callgate.cli.terminal import StdinLines, TerminalPrompt
from callgate.core.calls.invocation import Decision, Invocation, Phase, shown_hash
from callgate.core.catalog.definition_diff import diff
from callgate.core.config.items import rule_items
from callgate.core.config.widening import FileChange, Widening, compare
from callgate.core.errors import UserFault
from callgate.core.events import FileChangesFound
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.grant import grant
from callgate.core.rules.policy import TraceLine, Verdict
from callgate.core.rules.rule import SUSPENDED
from callgate.core.tool import Tool
from callgate.engine.bus import Bus
from callgate.engine.console.console import Console
from callgate.engine.console.rule_service import CallBackground, DefinitionChange
from callgate.engine.sources.questions import Questions
from callgate.engine.tasks import Tasks

BEFORE, AFTER = {"name": "t", "description": "Reads."}, {"name": "t", "description": "Reads and mails\x1b."}
CHANGE = DefinitionChange("t", "built-in", "new", AFTER, BEFORE, diff(BEFORE, AFTER))


@dataclass
class Asking:
    """As much of a console as the prompt needs: calls that wait."""

    calls: tuple[Invocation, ...]
    bus: Bus = field(default_factory=Bus)
    decided: list[Decision] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    seen_ids: list[str] = field(default_factory=list)
    questions: Questions = field(init=False)
    change: DefinitionChange | None = None
    sub_agents: bool = False

    @property
    def rule_service(self) -> "Asking":
        return self

    async def background(self, invocation: Invocation) -> CallBackground:
        return CallBackground(change=self.change)

    def __post_init__(self) -> None:
        self.questions = Questions(self.bus)

    def waiting(self) -> tuple[Invocation, ...]:
        return tuple(call for call in self.calls if call.id not in self.order)

    def has_sub_agents(self, invocation: Invocation) -> bool:
        return self.sub_agents

    def seen(self, invocation_id: str) -> None:
        self.seen_ids.append(invocation_id)

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def rule_preview(self, invocation_id: str, decision: Decision) -> str:
        return str(grant(next(call for call in self.calls if call.id == invocation_id), decision))

    def decide(self, invocation_id: str, decision: Decision, initiator: str) -> bool:
        if decision.arguments == "bad":
            raise UserFault("The edited arguments do not fit\x1b")
        self.decided.append(decision)
        self.order.append(invocation_id)
        return True


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5))


async def asked(invocation: Invocation, *lines: str) -> tuple[str, list[Decision]]:
    """What was written, and decided, when a person types these lines."""
    written, console = await asked_all((invocation,), *lines)
    return written, console.decided


async def asked_all(invocations: tuple[Invocation, ...], *lines: str) -> tuple[str, Asking]:
    typed = iter(lines)
    written: list[str] = []
    console = Asking(invocations, change=CHANGE)
    tasks = Tasks(console.bus)

    async def read_line() -> str:
        return next(typed)

    prompt = TerminalPrompt(cast(Console, console), tasks, read_line, written.append)
    running = tasks.start(prompt.run(), "prompt")
    while len(console.decided) < len(invocations):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait({running})
    return "\n".join(written), console


def waiting(**more: Any) -> Invocation:
    given = {"state": "WaitingForConfirmation", "arguments": '{"path":"a"}', **more}
    tool, name = given.pop("tool", "read_file"), given.pop("id", "i")
    phases = (Phase("Streaming", 0.0),)
    return Invocation(name, "e", "c", 1, 0, "call_1", tool, "client", "client", "me", "m", phases=phases, **given)


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
        assert "its result needs review" in written and "the secret\\x1b[0m number" in written
        assert "Please answer" in written
        assert [one.verb for one in decided] == ["accept"]

    run(scenario())


RESULT = ToolResult("call_1", (Text("the number"),))


@pytest.mark.parametrize(
    ("typed", "verb", "said"),
    [
        (["e", "another"], "edit_result", "another"),
        (["edit another"], "edit_result", "another"),
        (["w", "private"], "withhold", "private"),
        (["d private"], "withhold", "private"),
    ],
)
def test_a_result_is_edited_or_withheld_and_never_let_through_by_the_wrong_verb(
    typed: list[str], verb: str, said: str
) -> None:
    async def scenario() -> None:
        why = Verdict("ask", "results of it are looked at")
        held = waiting(state="WaitingForPostApproval", ran_result=RESULT, verdict=why)
        written, [decision] = await asked(held, *typed)
        assert (decision.verb, decision.result or decision.reason) == (verb, said)
        assert decision.arguments is None and decision.shown == shown_hash(held)
        assert "[a]ccept  [e]dit  [w]ithhold" in written and "[a]pprove" not in written
        assert "why: results of it are looked at" in written

    run(scenario())


def test_a_lasting_approval_shows_the_very_rule_that_it_saves_and_is_narrow_unless_told_otherwise() -> None:
    async def scenario() -> None:
        written, [narrow] = await asked(
            waiting(arguments='{"path":"src/a.py"}'), "a forever", "a session", "n", "a session", "y"
        )
        assert "For how long?" in written
        assert "This rule is saved: allow read_file of client when args.path:src/**" in written
        assert (narrow.verb, narrow.scope, narrow.when) == ("approve", "session", "args.path:src/**")
        written, [whole] = await asked(waiting(), "a always", "w", "n", "a always", "w", "y")
        assert written.count("This rule is saved: allow read_file of client\n") == 2
        assert (whole.scope, whole.when) == ("always", "")

    run(scenario())


def test_what_may_only_be_approved_once_says_so() -> None:
    async def scenario() -> None:
        concerned = Verdict("ask", "a command substitution", grantable=False)
        written, [decision] = await asked(waiting(verdict=concerned), "a always", "a")
        assert "It can only be approved once: a command substitution" in written
        assert decision.scope == "once"

    run(scenario())


def test_a_call_that_is_left_for_later_waits_behind_the_others_and_is_offered_again() -> None:
    async def scenario() -> None:
        calls = (waiting(id="i1", tool="first"), waiting(id="i2", tool="second"))
        written, console = await asked_all(calls, "l", "s", "", "d no")
        assert console.order == ["i2", "i1"]
        assert "Press Enter to see what you left for later" in written
        assert written.count("wants to run first") == 2

    run(scenario())


def test_what_the_gate_cannot_take_is_said_and_asked_again() -> None:
    async def scenario() -> None:
        written, [decision] = await asked(waiting(), "e bad", 'e {"path":"b"}')
        assert "do not fit\\x1b" in written
        assert decision.arguments == '{"path":"b"}'

    run(scenario())


def test_a_tool_that_has_changed_is_shown_so_and_wants_its_name_typed() -> None:
    async def scenario() -> None:
        call = waiting()
        verdict = Verdict("ask", "no rule matched", trace=(TraceLine("allow t", SUSPENDED, "always"),))
        written, decided = await asked(replace(call, verdict=verdict), "a", "y", "e", "no", "a", call.tool)
        assert "The definition of t has changed since you last approved it." in written
        assert '-  "description": "Reads."' in written
        assert '+  "description": "Reads and mails' in written
        assert "\x1b" not in written
        assert written.index("has changed since") < written.index("[a]pprove")
        assert written.count("nothing was decided") == 2
        assert [decision.verb for decision in decided] == ["approve"]
        unchanged, _ = await asked(call, "a")
        assert "has changed since" not in unchanged

    run(scenario())


# ---- files that were changed outside Callgate ----------------------------------------------------------------------


@dataclass
class Changed:
    """As much of a change desk as the prompt needs."""

    bus: Bus
    problem: str = ""
    accepted: list[Widening] = field(default_factory=list)

    def changes(self) -> tuple[FileChange, ...]:
        found = rule_items([{"verdict": "allow", "tool": "git\x1b"}])
        widenings = () if self.accepted else compare("rules.toml", {}, found).widenings
        return (FileChange("rules.toml", "/data/rules.toml", widenings),) if widenings else ()

    async def accept(self, chosen: Sequence[Widening]) -> None:
        self.accepted += chosen
        self.bus.publish(FileChangesFound((), 1.0))

    async def put_back(self, file: str) -> str:
        return file


@pytest.mark.parametrize(
    ("answer", "count", "said"), [("y", 1, "Accepted."), ("n", 0, "Left as it was"), ("", 0, "Left")]
)
def test_a_changed_file_is_shown_and_accepted_only_with_a_yes(answer: str, count: int, said: str) -> None:
    async def scenario() -> None:
        written: list[str] = []
        console = Asking(())
        service, tasks = Changed(console.bus), Tasks(console.bus)

        async def read_line() -> str:
            return answer

        prompt = TerminalPrompt(cast(Console, console), tasks, read_line, written.append, service)
        running = tasks.start(prompt.run(), "prompt")
        while not any(said in line for line in written):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait({running})
        text = "\n".join(written)
        assert "Allows git\\x1b without asking" in text and "\x1b" not in text
        assert len(service.accepted) == count and text.count("Accept all of it?") == 1

    run(scenario())


def test_what_was_typed_before_a_question_could_be_read_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    now, written = [100.0], list[str]()

    async def scenario() -> str:
        reader = asyncio.StreamReader()
        lines = StdinLines(reader, written.append, lambda: now[0])
        lines.discard()
        reader.feed_data(b"for the old one\n")
        tasks = Tasks(Bus())
        asking = tasks.start(lines.read(), "line")
        while not written and not asking.done():
            await asyncio.sleep(0)
        now[0] += 1.0
        reader.feed_data(b"for the new one\n")
        return await asking

    person, program = pty.openpty()
    with os.fdopen(program) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert asyncio.run(scenario()) == "for the new one"
    os.close(person)
    assert len(written) == 1 and "type it again" in written[0]
    with Path(os.devnull).open(encoding="utf-8") as pipe:  # nobody types there: every line counts
        monkeypatch.setattr(sys, "stdin", pipe)
        assert asyncio.run(scenario()) == "for the old one"
