"""Remembering for a turn and a conversation, over HTTP at a running program, as an agent with its own tools does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import SECONDS, RunningStation, running
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.core.calls.invocation import Decision, Invocation, Scope, shown_hash
from callgate.core.errors import UserFault
from callgate.core.events import ExchangeStarted, InvocationChanged
from callgate.core.messages import Json
from callgate.runtime.runtime import Launch

TOOL = {"type": "function", "function": {"name": "Write", "parameters": {"type": "object"}}}
PATH = '{"path":"a.txt"}'


class Client:
    """An agent that runs its own tools: it sends its whole history with each request."""

    def __init__(self, runtime: RunningStation, *, agent: str = "claude-code", conversation: str = "") -> None:
        self._runtime = runtime
        self.history: list[Json] = []
        self._headers = {"x-callgate-agent": agent}
        if conversation:
            self._headers["x-callgate-conversation"] = conversation

    def says(self, text: str) -> "Client":
        self.history.append({"role": "user", "content": text})
        return self

    def returns(self, text: str) -> "Client":
        """The result of the last call."""
        self.history.append({"role": "tool", "tool_call_id": self._called, "content": text})
        return self

    def ask(self) -> list[Json]:
        """Sends it all; the calls that it gets."""
        body = {"model": "m", "messages": self.history, "tools": [TOOL]}
        answer = httpx.post(
            f"{self._runtime.address}/v1/chat/completions", json=body, headers=self._headers, timeout=SECONDS
        )
        assert answer.status_code == 200, answer.text
        message = answer.json()["choices"][0]["message"]
        self.history.append(message)
        calls = message.get("tool_calls") or []
        self._called = calls[-1]["id"] if calls else ""
        return calls

    def ask_and_decide(self, decision: Decision) -> tuple[list[Json], Invocation]:
        """The same, where the person is asked about a call meanwhile."""
        before = len(self._runtime.events)
        got: list[list[Json]] = []
        asking = threading.Thread(target=lambda: got.append(self.ask()))
        asking.start()
        one = asked_since(self._runtime, before)
        assert self._runtime.decide(one, replace(decision, shown=shown_hash(one)))
        asking.join(SECONDS)
        return got[0], one


def asked_since(runtime: RunningStation, before: int) -> Invocation:
    def found(events: list) -> Invocation | None:
        changes = [event.invocation for event in events[before:] if isinstance(event, InvocationChanged)]
        return next((one for one in changes if one.state == "WaitingForConfirmation"), None)

    return runtime.wait_for(found)


@contextmanager
def program(tmp_path: Path, *more: Reply) -> Iterator[RunningStation]:
    call = Reply(chat_stream(*call_deltas(0, "call_1", "Write", PATH), finish="tool_calls"))
    with provider(*more, call) as up:
        file = tmp_path / "callgate.toml"
        file.write_text(
            f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["m"]\n', "utf-8"
        )
        (tmp_path / "work").mkdir()
        with running(Launch(file, 0, tmp_path / "work", tmp_path / "data", demo_pace_ms=0)) as runtime:
            yield runtime


def approve_for(scope: Scope) -> Decision:
    return Decision("approve", scope=scope)


def test_an_approval_for_this_turn_holds_until_the_next_user_message(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        client = Client(runtime).says("write it")
        calls, first = client.ask_and_decide(approve_for("turn"))
        assert calls
        assert client.returns("ok").ask(), "the next call of the same turn is not asked about"
        last = runtime.wait_for_state("Released")
        assert last.scope == "turn" and last.turn == first.exchange_id
        _, again = client.returns("ok").says("and now another").ask_and_decide(Decision("approve"))
        assert again.turn != first.turn
        assert runtime.do(runtime.runtime.console.rules) == ()
        audited = runtime.call(runtime.runtime.journal.audit())
        assert [entry.scope for entry in reversed(audited)] == ["turn", "turn", "once"]
        assert [entry.rule for entry in reversed(audited)][1] != ""


def test_an_approval_for_this_conversation_holds_for_no_other_and_no_other_agent(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        client = Client(runtime, conversation="mine").says("write it")
        client.ask_and_decide(approve_for("conversation"))
        assert client.returns("ok").says("and now another").ask()
        Client(runtime).says("write it").ask_and_decide(Decision("approve"))
        intruder = Client(runtime, agent="other", conversation="mine").says("write it")
        _, asked = intruder.ask_and_decide(Decision("approve"))
        assert asked.conversation_id == "mine", "it even named the conversation"
        runtime.call(runtime.runtime.console.forget("mine"))
        assert runtime.do(runtime.runtime.console.rules) == ()
        Client(runtime, conversation="mine").says("write it").ask_and_decide(Decision("approve"))


def test_a_sub_agent_that_goes_on_from_its_parents_history_is_asked_about_by_itself(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        client = Client(runtime).says("write it")
        client.ask_and_decide(approve_for("conversation"))
        fork = Client(runtime)
        fork.history, fork._called = list(client.history), client._called
        fork._headers |= {"x-claude-code-session-id": "s1", "x-claude-code-agent-id": "a1"}
        _, asked = fork.returns("ok").ask_and_decide(Decision("approve"))
        assert (asked.sub_agent, asked.parent_agent) == ("a1", "s1")
        started = [event for event in runtime.events if isinstance(event, ExchangeStarted)]
        assert [(event.sub_agent, event.parent_agent, event.agent_thread) for event in started] == [
            ("", "", ""),
            ("a1", "s1", "a1"),
        ]
        assert started[0].conversation_id == started[1].conversation_id
        assert client.returns("ok").ask(), "its parent still may"


def test_a_grant_for_the_agent_itself_asks_about_its_sub_agents(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        child = Client(runtime).says("help with it")
        child._headers |= {"x-claude-code-session-id": "s1", "x-claude-code-agent-id": "a1"}
        _, first = child.ask_and_decide(Decision("approve"))
        assert not runtime.do(lambda: runtime.runtime.console.has_sub_agents(first)), "its own sub-agent's call"

        parent = Client(runtime).says("write it")
        _, own = parent.ask_and_decide(Decision("approve", scope="always", sub_agents=False))
        assert runtime.do(lambda: runtime.runtime.console.has_sub_agents(own))
        (rule,) = runtime.do(runtime.runtime.console.rules)
        assert str(rule).endswith("but not for sub-agents")
        assert "sub_agents = false" in runtime.do(runtime.runtime.console.rule_service.export)
        assert parent.returns("ok").ask(), "its own calls go on unasked"
        _, asked = child.returns("ok").ask_and_decide(Decision("approve"))
        assert asked.sub_agent == "a1"
        assert any(line.outcome == "does not cover sub-agents" for line in asked.verdict.trace)  # type: ignore[union-attr]


def test_what_is_exported_has_no_rule_of_a_conversation(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        client = Client(runtime).says("write it")
        client.ask_and_decide(approve_for("conversation"))
        assert len(runtime.do(runtime.runtime.console.rules)) == 1
        assert "Write" not in runtime.do(runtime.runtime.console.rule_service.export)


def test_a_rule_of_a_conversation_can_not_be_added_anywhere_else(tmp_path: Path) -> None:
    with program(tmp_path) as runtime:
        Client(runtime).says("write it").ask_and_decide(approve_for("conversation"))
        (rule,) = runtime.do(runtime.runtime.console.rules)
        for scope in ("session", "workspace", "always"):
            with pytest.raises(UserFault, match="belongs to one conversation"):
                runtime.do(lambda wide=scope: runtime.runtime.console.add_rule(rule, wide))  # type: ignore[misc]
