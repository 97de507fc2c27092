"""The rule desk of a real engine: grants and definitions, rules in and out, calls made again."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.errors import UserFault
from callgate.core.events import ExchangeStarted, InvocationChanged
from callgate.core.rules.policy import Rule
from callgate.core.tool import CLIENT_SOURCE, ToolSpec
from callgate.runtime.runtime import Launch, Runtime

T = TypeVar("T")
SECONDS = 10.0
OLD = ToolSpec("Deploy", "To staging.", {"type": "object"})
NEW = ToolSpec("Deploy", "To production.", {"type": "object"})


def play(folder: Path, work: Callable[[Runtime], Awaitable[T]]) -> T:
    async def run() -> T:
        (folder / "w").mkdir(exist_ok=True)
        (folder / "w" / "notes.txt").write_text("buy milk\n", "utf-8")
        (folder / "c.toml").write_text("", "utf-8")
        runtime = Runtime(Launch(folder / "c.toml", 0, folder / "w", folder / "d", windowed=True))
        await runtime.open()
        try:
            return await work(runtime)
        finally:
            await runtime.close()

    return asyncio.run(asyncio.wait_for(run(), SECONDS))


def offered(runtime: Runtime, spec: ToolSpec, number: int, agent: str = "claude-code") -> None:
    runtime.bus.publish(
        ExchangeStarted(f"e{number}", "c", agent, "anthropic", "m", False, 0, (), (spec,), float(number))
    )


def call(tool: str = "Deploy", arguments: str = "{}", **given: object) -> Invocation:
    made = Invocation(
        "i1", "e9", "c", 1, 0, "k", tool, "client", CLIENT_SOURCE, "claude-code", "m", arguments=arguments
    )
    return replace(made, **{"fingerprint": NEW.fingerprint, "phases": (Phase("Streaming", 1.0),), **given})  # type: ignore[arg-type]


def test_a_grant_for_a_definition_that_is_gone_is_suspended_with_its_diff_until_it_is_accepted(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        service = runtime.console.rule_service
        offered(runtime, OLD, 1)
        rule = runtime.console.add_rule(Rule("allow", "Deploy", CLIENT_SOURCE, fingerprint=OLD.fingerprint), "always")
        assert await service.suspended() == []
        offered(runtime, NEW, 2)
        (grant,) = await service.suspended()
        assert grant.rule.id == rule.id
        assert [change.words for change in grant.change.changes] == [
            'description changed from "To staging." to "To production."'
        ]
        background = await service.background(call())
        assert background.change == grant.change
        assert [found.id for found in background.suspended] == [rule.id]
        service.reaccept(rule.id, grant.change.fingerprint)
        assert await service.suspended() == []

    play(tmp_path, work)


def test_while_another_agent_still_brings_the_old_one_the_grant_is_not_lost(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        offered(runtime, OLD, 1, "codex")
        runtime.console.add_rule(Rule("allow", "Deploy", CLIENT_SOURCE, fingerprint=OLD.fingerprint), "session")
        offered(runtime, NEW, 2)
        assert await runtime.console.rule_service.suspended() == []

    play(tmp_path, work)


def test_the_last_call_of_the_same_tool_and_agent_is_found(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        for number, tool in enumerate(("Deploy", "Other")):
            past = call(
                tool,
                '{"n": 1}',
                id=f"past{number}",
                state="Released",
                decided_by="person",
                fingerprint=OLD.fingerprint,
                phases=(Phase("Streaming", 1.0), Phase("Released", 2.0 + number)),
            )
            runtime.bus.publish(InvocationChanged(past, 2.0 + number))
        offered(runtime, OLD, 3)
        offered(runtime, NEW, 4)
        background = await runtime.console.rule_service.background(call())
        assert background.last is not None and background.last.id == "past0"
        assert background.change is not None, "it is not what the person last approved"
        other = await runtime.console.rule_service.background(call("Unknown"))
        assert other.last is None and other.change is None

    play(tmp_path, work)


def test_rules_of_other_programs_are_read_shown_and_taken_once(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        service = runtime.console.rule_service
        text = json.dumps({"permissions": {"allow": ["Read(src/**)"], "deny": ["WebFetch"]}})
        plan = service.read_import(text)
        assert plan.program == "Claude Code" and len(plan.rules) >= 2
        assert runtime.console.rules() == (), "reading takes nothing"
        assert len(service.take_import(plan, "always")) == len(plan.rules)
        assert service.take_import(plan, "always") == ()
        with pytest.raises(UserFault, match="no permission rules"):
            service.read_import("{}")
        with pytest.raises(UserFault, match="neither JSON nor TOML"):
            service.read_import("= what")

    play(tmp_path, work)


def test_what_is_exported_can_be_imported_again(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        service, console = runtime.console.rule_service, runtime.console
        console.add_rule(Rule("allow", "read_file", when='args.path:"src/**"', uses=3, note="why"), "always")
        console.add_rule(Rule("deny", "run_command", agent="codex"), "session")
        text = service.export()
        console.reset_rules()
        plan = service.read_import(text)
        assert plan.program == "Callgate"
        assert [str(rule) for rule in plan.rules] == [
            'allow read_file when args.path:"src/**"',
            "deny run_command for codex",
        ]
        assert plan.rules[0].uses == 3
        odd = service.read_import('[[rules]]\nverdict = "perhaps"\n')
        assert odd.rules == () and len(odd.skipped) == 1

    play(tmp_path, work)


def test_a_refused_call_is_made_again_through_the_gate(tmp_path: Path) -> None:
    async def work(runtime: Runtime) -> None:
        service = runtime.console.rule_service
        tool = runtime.catalog.get("read_file")
        assert tool is not None
        refused = call("read_file", '{"path": "notes.txt"}', owner="gate", source=tool.source)
        assert service.why_no_retry(refused) == ""
        again = asyncio.ensure_future(service.retry(refused))
        while not runtime.console.waiting():
            await asyncio.sleep(0.005)
        (waiting,) = runtime.console.waiting()
        assert (waiting.tool, waiting.agent, waiting.arguments) == ("read_file", "callgate", '{"path":"notes.txt"}')
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)

    play(tmp_path, work)


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (call(), "Only claude-code can run it"),
        (call("gone", owner="gate", source="built-in"), "not there any more"),
        (call("read_file", owner="gate", source="files"), "not there any more"),
        (call("read_file", "{", owner="gate", source="built-in"), "can't be read"),
    ],
)
def test_what_cannot_be_made_again_says_why(tmp_path: Path, refused: Invocation, why: str) -> None:
    async def work(runtime: Runtime) -> None:
        assert why in runtime.console.rule_service.why_no_retry(refused)
        with pytest.raises(UserFault):
            await runtime.console.rule_service.retry(refused)

    play(tmp_path, work)
