"""Traffic as a busy afternoon makes it: several agents, wires and endpoints, with the bytes behind each exchange."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import orjson
from tests.fakes.samples import NOON

from callgate.core.calls.invocation import Allow, Ask, Invocation, Phase, Return, Settle, advance
from callgate.core.errors import Fault
from callgate.core.events import (
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    WireCaptured,
)
from callgate.core.messages import Text, ToolResult, Usage, say
from callgate.core.request import WireName
from callgate.core.rules.policy import Verdict
from callgate.core.tool import ToolSpec

TOOLS = tuple(ToolSpec(name, schema={"type": "object"}) for name in ("read_file", "run_command", "search_text", "edit"))
ASKED = (
    "Why does test_sync fail on CI, but never here?",
    "Rename the module and fix every import",
    "What is the weather in London tomorrow?",
    "Summarise the last ten commits",
    "Find out which endpoint returns a 500",
)


@dataclass(frozen=True)
class Agent:
    name: str
    wire: WireName
    endpoint: str
    upstream_wire: WireName
    model: str


AGENTS = (
    Agent("claude-code", "anthropic", "anthropic", "anthropic", "claude-opus-4-1"),
    Agent("codex", "openai-responses", "openai", "openai-responses", "gpt-5"),
    Agent("my_script.py", "openai-chat", "anthropic", "anthropic", "claude-sonnet-4-5"),
    Agent("gemini-cli", "gemini", "google", "gemini", "gemini-2.5-pro"),
    Agent("notebook", "openai-chat", "ollama", "openai-chat", "qwen3:32b"),
)


def afternoon(count: int, seed: int = 7) -> Iterator[Event]:
    """So many exchanges, one after the other, all of them over."""
    chance = random.Random(seed)
    for number in range(count):
        yield from one_exchange(number, NOON + number * 7.0 + chance.random() * 5, chance)


def one_exchange(number: int, at: float, chance: random.Random) -> list[Event]:
    agent = AGENTS[chance.randrange(len(AGENTS))]
    exchange, conversation = f"ex_{number}", f"conv_{number // 6}"
    question = ASKED[number % len(ASKED)]
    events: list[Event] = [
        ExchangeStarted(
            exchange,
            conversation,
            agent.name,
            agent.wire,
            agent.model,
            True,
            0,
            (say("user", question),),
            TOOLS[: chance.randrange(5)],
            at,
        )
    ]
    clock = at
    for step in range(1, 1 + chance.choice((1, 1, 1, 2, 3))):
        events += _round(number, step, agent, clock + 0.05, chance)
        clock = max(_time_of(event) for event in events) + 0.05
    if chance.random() < 0.08:
        fault = Fault("rate_limit", f"Rate limit reached for {agent.model}: try again in 20 s.", retry_after=20)
        ended = ExchangeEnded(exchange, conversation, "failed", clock + 0.1, fault=fault)
        return [*(event for event in events if not isinstance(event, RoundEnded)), ended]
    outcome = "cancelled" if chance.random() < 0.04 else "completed"
    return [*events, ExchangeEnded(exchange, conversation, outcome, clock + 0.1, say("assistant", "Done."))]


def _time_of(event: Event) -> float:
    return event.at


def _round(number: int, step: int, agent: Agent, at: float, chance: random.Random) -> list[Event]:
    exchange, conversation = f"ex_{number}", f"conv_{number // 6}"
    first, ended = at + 0.2 + chance.random() * 1.4, at + 2.0 + chance.random() * 6
    fresh = chance.randrange(800, 24_000)
    usage = Usage(fresh, chance.randrange(30, 900), int(fresh * chance.random()), 0, chance.choice((0, 0, 120, 800)))
    events: list[Event] = [
        RoundStarted(
            exchange,
            conversation,
            step,
            agent.endpoint,
            agent.upstream_wire,
            agent.model,
            TOOLS,
            agent.wire == agent.upstream_wire,
            at,
        ),
        RoundEnded(exchange, conversation, step, say("assistant", "I look."), "stop", usage, ended, first),
    ]
    if chance.random() < 0.6:
        call = _call(f"inv_{number}_{step}", exchange, conversation, step, agent, ended)
        events += [InvocationChanged(change, change.phases[-1].since) for change in _course(call, chance)]
    return events


def _call(number: str, exchange: str, conversation: str, step: int, agent: Agent, at: float) -> Invocation:
    tool = TOOLS[len(number) % 2].name
    arguments = {"path": f"src/{number}.py"} if tool == "read_file" else {"command": f"pytest -x {number}"}
    return Invocation(
        number, exchange, conversation, step, 0, f"call_{number}", tool, "gate", "built-in", agent.name, agent.model,
        arguments=orjson.dumps(arguments).decode(), phases=(Phase("Streaming", at - 0.4),),
    )  # fmt: skip


def _course(call: Invocation, chance: random.Random) -> list[Invocation]:
    at = call.started + 0.4
    if chance.random() < 0.5:
        running = advance(call, Allow("ConfirmationNotNeeded", "rule", Verdict("allow", "reads only")), at)
        done = advance(running, Return(ToolResult(call.call_id, (Text('{"lines": 42}'),))), at + chance.random() * 3)
        return [call, running, done]
    waiting = advance(call, Ask(Verdict("ask", "no rule matched"), at + 300), at)
    decided_at = at + 1 + chance.random() * 9
    if chance.random() < 0.2:
        denial = ToolResult(call.call_id, (Text("denied"),), is_error=True)
        return [call, waiting, advance(waiting, Settle(denial, "Denied", "person"), decided_at)]
    running = advance(waiting, Allow("UserAction", "person"), decided_at)
    return [call, waiting, running, advance(running, Return(ToolResult(call.call_id, (Text("ok"),))), decided_at + 1)]


# ---- bytes ---------------------------------------------------------------------------------------------------------


def translated_wire(exchange: str = "ex_t", conversation: str = "conv_t", at: float = NOON) -> list[WireCaptured]:
    """An OpenAI client whose request went to an Anthropic endpoint: every kind of change that a translation makes."""
    asked = {
        "model": "claude-sonnet-4-5",
        "stream": True,
        "messages": [
            {"role": "system", "content": "You are a careful engineer."},
            {"role": "user", "content": ASKED[0]},
        ],
        "tools": [
            {"type": "function", "function": {"name": "files.read", "parameters": {"type": "object", "title": "R"}}},
            {"type": "function", "function": {"name": "run_command", "parameters": {"type": "object"}}},
        ],
        "logprobs": True,
    }
    sent = {
        "model": "claude-sonnet-4-5",
        "stream": True,
        "max_tokens": 32000,
        "system": "You are a careful engineer.",
        "messages": [{"role": "user", "content": ASKED[0]}],
        "tools": [
            {"name": "files_read", "input_schema": {"type": "object"}},
            {"name": "run_command", "input_schema": {"type": "object"}},
        ],
    }
    head = (
        ("host", "127.0.0.1:8080"),
        ("authorization", "Bearer sk-live-0123456789abcdef"),
        ("content-type", "application/json"),
        ("user-agent", "OpenAI/Python 3.0.1"),
    )
    piece = WireCaptured(exchange, conversation, 0, "client_request", orjson.dumps(asked), at, head)
    pieces = [piece, replace(piece, round=1, leg="upstream_request", data=orjson.dumps(sent), at=at + 0.01, head=())]
    for number, data in enumerate(_stream()):
        when = at + 0.6 + number * 0.11
        pieces.append(WireCaptured(exchange, conversation, 1, "upstream_response", data, when))
        chunk = {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": f"word {number} "}}]}
        answer = b"data: " + orjson.dumps(chunk) + b"\n\n"
        pieces.append(WireCaptured(exchange, conversation, 0, "client_response", answer, when + 0.002))
    return pieces


def _stream() -> list[bytes]:
    words = ("The test ", "reads the clock ", "before the lock ", "is taken. ", "Moving one line ", "fixes it.")
    events = [
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "usage": {"input_tokens": 812}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": w}} for w in words),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 42}},
        {"type": "message_stop"},
    ]
    spelled = [f"event: {event['type']}\ndata: {orjson.dumps(event).decode()}\n\n".encode() for event in events]
    return [*spelled[:2], b": keep-alive\n\n", *spelled[2:]]


def translated_exchange(exchange: str = "ex_t", conversation: str = "conv_t", at: float = NOON) -> list[Event]:
    """The events that go with `translated_wire`."""
    model = "claude-sonnet-4-5"
    usage = Usage(812, 42)
    answer = say("assistant", "Moving one line fixes it.")
    return [
        ExchangeStarted(
            exchange,
            conversation,
            "my_script.py",
            "openai-chat",
            model,
            True,
            0,
            (say("user", ASKED[0]),),
            TOOLS[:2],
            at,
        ),
        *translated_wire(exchange, conversation, at),
        RoundStarted(exchange, conversation, 1, "anthropic", "anthropic", model, TOOLS[:2], False, at + 0.01),
        RoundEnded(exchange, conversation, 1, answer, "stop", usage, at + 2, at + 0.6, ("tool name files.read",)),
        ExchangeEnded(exchange, conversation, "completed", at + 2.1, answer),
    ]
