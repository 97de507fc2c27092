"""Sample values for tests and pictures of the window: tools, invocations in every state, a whole conversation."""

from dataclasses import replace

import orjson

from callgate.core.calls.invocation import (
    Allow,
    ArgumentsComplete,
    Ask,
    Cancel,
    Invocation,
    Phase,
    Return,
    Settle,
    Step,
    advance,
    denied_text,
    timed_out_text,
)
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Finished,
    ReasoningDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.messages import Message, Part, Text, ToolCall, ToolResult, Usage, say
from callgate.core.rules.policy import Verdict
from callgate.core.tool import CLIENT_SOURCE, Annotations, Tool

NOON = 1_760_000_000.0
"""A moment that every sample starts from."""

ANSWER = """The test fails because `sync()` reads the clock **before** the lock is taken:

```python
def sync(self):
    now = time.monotonic()      # too early
    with self._lock:
        self._last = now
```

Moving one line fixes it:

1. take the lock
2. read the clock
3. store it
"""


def sample_tools() -> tuple[Tool, ...]:
    """Tools of three sources, with every kind of annotation and schema."""
    path = {"type": "string", "description": "A path inside the workspace."}
    return (
        Tool(
            "read_file",
            "built-in",
            "Reads a text file of the workspace and returns its lines.",
            {
                "type": "object",
                "properties": {
                    "path": path,
                    "start": {"type": "integer", "minimum": 1, "default": 1, "description": "First line."},
                    "limit": {"type": "integer", "minimum": 1, "description": "How many lines at most."},
                },
                "required": ["path"],
                "additionalProperties": False,
            },
            title="Read file",
            tags=("files", "read"),
            annotations=Annotations(read_only=True, open_world=False),
        ),
        Tool(
            "search_text",
            "built-in",
            "Searches the workspace for a text or regular expression.",
            {
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "mode": {"enum": ["text", "regex"], "default": "text"},
                    "folders": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["query"],
            },
            title="Search text",
            tags=("files", "search"),
            annotations=Annotations(read_only=True),
        ),
        Tool(
            "write_file",
            "built-in",
            "Writes a file, replacing what was there.",
            {
                "type": "object",
                "properties": {"path": path, "content": {"type": "string"}},
                "required": ["path", "content"],
            },
            title="Write file",
            tags=("files", "edit"),
            annotations=Annotations(read_only=False, destructive=True, idempotent=True),
        ),
        Tool(
            "run_command",
            "built-in",
            "Runs a shell command in the workspace and returns its output.",
            {
                "type": "object",
                "properties": {
                    "command": {"type": "string", "description": "What to run."},
                    "timeout": {"type": "number", "default": 60},
                    "environment": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "value": {"type": ["string", "null"]}},
                    },
                },
                "required": ["command"],
            },
            title="Run command",
            tags=("terminal",),
            annotations=Annotations(read_only=False, destructive=True, open_world=True),
            enabled=False,
        ),
        Tool("git_status", "git", "Shows the state of the working tree.", {"type": "object"}, tags=("git", "read")),
        Tool("git_commit", "git", "Records changes to the repository.", {"type": "object"}, tags=("git", "edit")),
        Tool(
            "get_weather",
            "http",
            "Current weather of a city.",
            {
                "type": "object",
                "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"]}},
                "required": ["city"],
            },
            tags=("demo",),
        ),
    )


_SOURCES = {tool.name: tool.source for tool in sample_tools()}


def sample_invocation(
    tool: str = "run_command",
    arguments: object = None,
    *,
    id: str = "inv_1",
    conversation_id: str = "conv_1",
    owner: str = "gate",
    steps: tuple[Step, ...] = (),
    at: float = NOON,
) -> Invocation:
    """A call, taken through the given steps one second apart; without steps it is still forming."""
    written = {"command": "pytest -x tests/test_sync.py | tail -50"} if arguments is None else arguments
    text = written if isinstance(written, str) else orjson.dumps(written, option=orjson.OPT_INDENT_2).decode()
    invocation = Invocation(
        id=id,
        exchange_id="exch_1",
        conversation_id=conversation_id,
        round=1,
        part=1,
        call_id=f"call_{id}",
        tool=tool,
        owner="client" if owner == "client" else "gate",
        source=CLIENT_SOURCE if owner == "client" else _SOURCES.get(tool, "built-in"),
        agent="claude-code",
        model="claude-opus",
        arguments=text,
        phases=(Phase("Streaming", at),),
    )
    for number, step in enumerate(steps, start=1):
        invocation = advance(invocation, step, at + number)
    return invocation


def asked(seconds: float = 300.0, at: float = NOON) -> Ask:
    return Ask(Verdict("ask", "no rule matched"), at + seconds)


def waiting(tool: str = "run_command", arguments: object = None, **given: object) -> Invocation:
    """A call that waits for a person."""
    return sample_invocation(tool, arguments, steps=(asked(),), **given)  # type: ignore[arg-type]


def running(tool: str = "search_text", arguments: object = None, **given: object) -> Invocation:
    return sample_invocation(tool, arguments, steps=(Allow("ConfirmationNotNeeded", "rule"),), **given)  # type: ignore[arg-type]


def reviewing(tool: str = "read_file", arguments: object = None, **given: object) -> Invocation:
    """A call that has run and whose result waits for a person."""
    steps = (
        Allow("UserAction", "person"),
        Return(
            ToolResult("call_inv_1", (Text("secret = 1"),)), review=Verdict("ask", "a rule wants the result reviewed")
        ),
    )
    return sample_invocation(tool, arguments, steps=(asked(), *steps), **given)  # type: ignore[arg-type]


def completed(
    tool: str = "read_file", arguments: object = None, result: str = "42 lines", error: bool = False, **given: object
) -> Invocation:
    steps = (Allow("UserAction", "person"), Return(ToolResult("call_inv_1", (Text(result),), is_error=error)))
    return sample_invocation(tool, arguments, steps=(asked(), *steps), **given)  # type: ignore[arg-type]


def answered(tool: str = "get_weather", arguments: object = None, **given: object) -> Invocation:
    result = ToolResult("call_inv_1", (Text("12 °C, rain"),))
    steps = (asked(), Settle(result, "UserAction", "person"))
    return sample_invocation(tool, arguments, steps=steps, **given)  # type: ignore[arg-type]


def denied(tool: str = "run_command", arguments: object = None, reason: str = "", **given: object) -> Invocation:
    result = ToolResult("call_inv_1", (Text(denied_text(tool, reason, "the user")),), is_error=True)
    steps = (asked(), Settle(result, "Denied", "person", explanation=reason))
    return sample_invocation(tool, arguments, steps=steps, **given)  # type: ignore[arg-type]


def skipped(tool: str = "run_command", arguments: object = None, **given: object) -> Invocation:
    steps = (asked(), Settle(ToolResult("call_inv_1", (Text("skipped"),)), "Skipped", "person"))
    return sample_invocation(tool, arguments, steps=steps, **given)  # type: ignore[arg-type]


def timed_out(tool: str = "run_command", arguments: object = None, **given: object) -> Invocation:
    result = ToolResult("call_inv_1", (Text(timed_out_text(tool, 300)),), is_error=True)
    steps = (asked(), Cancel("deadline", "Timeout", result=result))
    return sample_invocation(tool, arguments, steps=steps, **given)  # type: ignore[arg-type]


def cancelled(tool: str = "run_command", arguments: object = None, **given: object) -> Invocation:
    return sample_invocation(tool, arguments, steps=(asked(), Cancel("client")), **given)  # type: ignore[arg-type]


def released(tool: str = "edit_file", arguments: object = None, **given: object) -> Invocation:
    """A call that was allowed and handed to the client to run."""
    steps = (asked(), Allow("UserAction", "person"))
    return sample_invocation(tool, arguments, owner="client", steps=steps, **given)  # type: ignore[arg-type]


def sample_conversation(conversation_id: str = "conv_1", at: float = NOON) -> list[Event]:
    """Two parallel calls (one done, one failed), thinking and code, a failed exchange, then a call that waits."""
    first, second, third = "exch_1", "exch_2", "exch_3"
    return [
        *_opening(conversation_id, first, at),
        *_first_round(conversation_id, first, at + 1),
        *_second_round(conversation_id, first, at + 6),
        *_failed_exchange(conversation_id, second, at + 20),
        *_waiting_exchange(conversation_id, third, at + 40),
    ]


def _opening(conversation: str, exchange: str, at: float) -> list[Event]:
    question = "Why does `test_sync` fail on CI, but never here?"
    return [
        ExchangeStarted(
            exchange,
            conversation,
            "claude-code",
            "anthropic",
            "claude-opus",
            True,
            0,
            (say("system", "You are a careful engineer."), say("user", question)),
            (),
            at,
        )
    ]


def _delta(conversation: str, exchange: str, number: int, at: float, *deltas: object) -> list[Event]:
    return [
        DeltaArrived(exchange, conversation, number, delta, at + index * 0.02)  # type: ignore[arg-type]
        for index, delta in enumerate(deltas)
    ]


def _called(
    conversation: str, exchange: str, number: int, part: int, name: str, arguments: str, at: float
) -> list[Event]:
    half = len(arguments) // 2
    return _delta(
        conversation,
        exchange,
        number,
        at,
        CallStarted(part, f"call_{name}", name),
        ArgumentsDelta(part, arguments[:half]),
        ArgumentsDelta(part, arguments[half:]),
        CallEnded(part, arguments),
    )


def _first_round(conversation: str, exchange: str, at: float) -> list[Event]:
    said = "Let me look at the test and the log first."
    read, search = '{"path": "tests/test_sync.py", "limit": 80}', '{"query": "sync(", "mode": "text"}'
    usage = Usage(input=12_400, output=310, cached=11_000)
    parts: tuple[Part, ...] = (
        Text(said),
        ToolCall("call_read_file", "read_file", read),
        ToolCall("call_search_text", "search_text", search),
    )
    one = replace(
        sample_invocation("read_file", read, id="inv_read", conversation_id=conversation, at=at),
        call_id="call_read_file",
        exchange_id=exchange,
    )
    two = replace(one, id="inv_search", tool="search_text", arguments=search, part=2, call_id="call_search_text")
    running_one = advance(one, Allow("ConfirmationNotNeeded", "rule", Verdict("allow", "reads only")), at + 1.2)
    lines = ToolResult("call_read_file", (Text("def test_sync():\n    box = Box()\n    assert box.sync() is None"),))
    waiting_two = advance(two, asked(at=at), at + 1.3)
    running_two = advance(waiting_two, Allow("UserAction", "person", scope="once"), at + 2.5)
    broke = ToolResult("call_search_text", (Text("rg: permission denied: ./secrets"),), is_error=True)
    return [
        RoundStarted(exchange, conversation, 1, "anthropic", "anthropic", "claude-opus", (), True, at),
        *_delta(
            conversation,
            exchange,
            1,
            at + 0.6,
            Started("msg_1", "claude-opus"),
            TextDelta(0, "Let me look at "),
            TextDelta(0, "the test and the log first."),
        ),
        *_called(conversation, exchange, 1, 1, "read_file", read, at + 0.9),
        InvocationChanged(one, at + 1.0),
        *_called(conversation, exchange, 1, 2, "search_text", search, at + 1.0),
        InvocationChanged(two, at + 1.1),
        *_delta(conversation, exchange, 1, at + 1.15, Finished("tool_calls"), UsageReported(usage)),
        RoundEnded(exchange, conversation, 1, Message("assistant", parts), "tool_calls", usage, at + 1.18, at + 0.6),
        InvocationChanged(running_one, at + 1.2),
        InvocationChanged(waiting_two, at + 1.3),
        ToolOutput(one.id, conversation, "reading…\n", at + 1.35, 1, 2),
        InvocationChanged(advance(running_one, Return(lines), at + 1.5), at + 1.5),
        InvocationChanged(running_two, at + 2.5, "card"),
        InvocationChanged(advance(running_two, Return(broke), at + 3.0), at + 3.0),
    ]


def _second_round(conversation: str, exchange: str, at: float) -> list[Event]:
    usage = Usage(input=13_100, output=420, cached=12_400)
    answer = Message("assistant", (Text(ANSWER),))
    middle = len(ANSWER) // 2
    return [
        RoundStarted(exchange, conversation, 2, "anthropic", "anthropic", "claude-opus", (), True, at),
        *_delta(
            conversation,
            exchange,
            2,
            at + 0.5,
            Started("msg_2", "claude-opus"),
            ReasoningDelta(0, "The clock is read outside of the lock."),
            TextDelta(1, ANSWER[:middle]),
            TextDelta(1, ANSWER[middle:]),
            Finished("stop"),
            UsageReported(usage),
        ),
        RoundEnded(exchange, conversation, 2, answer, "stop", usage, at + 2, at + 0.5),
        ExchangeEnded(exchange, conversation, "completed", at + 2.1, answer, usage=usage),
    ]


def _failed_exchange(conversation: str, exchange: str, at: float) -> list[Event]:
    fault = Fault("rate_limit", "Rate limit reached for claude-opus: try again in 20 s.", retry_after=20)
    return [
        ExchangeStarted(
            exchange,
            conversation,
            "claude-code",
            "anthropic",
            "claude-opus",
            True,
            4,
            (say("user", "Fix it."),),
            (),
            at,
        ),
        RoundStarted(exchange, conversation, 1, "anthropic", "anthropic", "claude-opus", (), True, at + 0.1),
        ExchangeEnded(exchange, conversation, "failed", at + 0.4, fault=fault),
    ]


def _waiting_exchange(conversation: str, exchange: str, at: float) -> list[Event]:
    command = '{"command": "pytest -x tests/test_sync.py | tail -50"}'
    call = replace(
        sample_invocation("run_command", command, id="inv_run", conversation_id=conversation, at=at),
        call_id="call_run_command",
        exchange_id=exchange,
    )
    said = "I have moved the line; now the test again."
    message = Message("assistant", (Text(said), ToolCall("call_run_command", "run_command", command)))
    return [
        ExchangeStarted(
            exchange, conversation, "claude-code", "anthropic", "claude-opus", True, 4, (say("user", "Again."),), (), at
        ),
        RoundStarted(exchange, conversation, 1, "anthropic", "anthropic", "claude-opus", (), True, at + 0.1),
        *_delta(conversation, exchange, 1, at + 0.5, Started("msg_3", "claude-opus"), TextDelta(0, said)),
        *_called(conversation, exchange, 1, 1, "run_command", command, at + 0.8),
        InvocationChanged(call, at + 0.9),
        *_delta(conversation, exchange, 1, at + 1.0, Finished("tool_calls")),
        RoundEnded(exchange, conversation, 1, message, "tool_calls", Usage(14_000, 90), at + 1.1, at + 0.5),
        InvocationChanged(advance(advance(call, ArgumentsComplete(command), at), asked(at=at), at + 1.2), at + 1.2),
    ]
