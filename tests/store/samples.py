"""Events as they come in life, for the tests of what is remembered."""

from dataclasses import replace

from callgate.core.calls.invocation import Allow, Invocation, Phase, Return, advance
from callgate.core.deltas import ArgumentsDelta, CallEnded, CallStarted, Failed, Finished, Started, TextDelta
from callgate.core.errors import Fault
from callgate.core.events import (
    AgentsChanged,
    ConversationMarked,
    DeltaArrived,
    EndpointsChanged,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    FaultRaised,
    FileChangesFound,
    FrameCaptured,
    GateChanged,
    InvocationChanged,
    JournalChanged,
    ProxyChanged,
    QuestionAnswered,
    QuestionAsked,
    RoundEnded,
    RoundStarted,
    RulesChanged,
    SourceChanged,
    ToolOutput,
    ToolsChanged,
    WireCaptured,
)
from callgate.core.gate_mode import GateMode
from callgate.core.marks import Marks
from callgate.core.messages import Image, Message, Opaque, Reasoning, Text, ToolCall, ToolResult, Usage, say
from callgate.core.question import Answer, FormQuestion, InputQuestion, LinkQuestion, OpenQuestion, SampleQuestion
from callgate.core.rules.policy import Rule, TraceLine, Verdict
from callgate.core.tool import Annotations, HostedTool, Tool, ToolSpec


def started(exchange: str = "e1", conversation: str = "c1", at: float = 1.0, text: str = "Hello") -> ExchangeStarted:
    tools = (
        ToolSpec("read_file", "Reads.", {"type": "object"}),
        HostedTool("openai-responses", {"type": "web_search"}),
    )
    fresh = (say("system", "Be brief."), say("user", text))
    return ExchangeStarted(exchange, conversation, "codex", "openai-chat", "gpt-9", True, 0, fresh, tools, at)


def ended(exchange: str = "e1", conversation: str = "c1", at: float = 9.0, lineage: str = "a" * 32) -> ExchangeEnded:
    hidden = (
        Message("assistant", (ToolCall("call_1", "rm", '{"path":"/"}'),)),
        Message("tool", (ToolResult("call_1", (Text("denied"),), is_error=True),)),
    )
    return ExchangeEnded(
        exchange, conversation, "completed", at, say("assistant", "Done."), hidden, lineage, Usage(10, 5, 2)
    )


def invocation(number: str = "inv_1", exchange: str = "e1", conversation: str = "c1") -> Invocation:
    return Invocation(
        number,
        exchange,
        conversation,
        round=1,
        part=0,
        call_id="call_1",
        tool="read_file",
        owner="gate",
        source="files",
        agent="codex",
        model="gpt-9",
        arguments='{"path": "ä"}',
        phases=(Phase("Streaming", 3.0),),
    )


def wire_piece(data: bytes = b"data: {}\n\n", exchange: str = "e1", conversation: str = "c1") -> WireCaptured:
    return WireCaptured(exchange, conversation, 1, "upstream_response", data, 4.0)


def a_conversation(exchange: str = "e1", conversation: str = "c1") -> list[Event]:
    """One exchange with a call that a rule allowed, in the order of life."""
    verdict = Verdict("allow", "rule: allow *", "allow *", "rule_1", (TraceLine("allow *", "matched"),))
    streaming = invocation(f"inv_{exchange}", exchange, conversation)
    running = advance(streaming, Allow("Setting", "rule", verdict), 4.0)
    done = advance(running, Return(ToolResult("call_1", (Text("content"),))), 5.0)
    said = Message(
        "assistant",
        (
            Reasoning("Hm.", signature="s", wire="anthropic"),
            Text("I read it.", extras={"citations": [{"n": 1.5}]}),
            Image("image/png", "aGk="),
            Opaque("gemini", {"executableCode": {"code": "1"}}),
        ),
    )
    deltas = (
        Started("resp", "gpt-9", 2),
        TextDelta(0, "I "),
        CallStarted(1, "call_1", "read_file"),
        ArgumentsDelta(1, '{"path"'),
        CallEnded(1, '{"path": "ä"}'),
        Failed(Fault("overloaded", "busy", retry_after=2.5)),
        Finished("tool_calls"),
    )
    return [
        started(exchange, conversation),
        RoundStarted(exchange, conversation, 1, "openai", "openai-chat", "gpt-9-mini", (), True, 2.0),
        *(DeltaArrived(exchange, conversation, 1, delta, 2.5) for delta in deltas),
        InvocationChanged(streaming, 3.0),
        InvocationChanged(running, 4.0, "card"),
        ToolOutput(streaming.id, conversation, "half way", 4.5, 1, 2),
        InvocationChanged(done, 5.0),
        RoundEnded(exchange, conversation, 1, said, "tool_calls", Usage(7, 3), 6.0, 2.5, ("id added",)),
        ended(exchange, conversation),
    ]


def marked(conversation: str = "c1", at: float = 10.0) -> ConversationMarked:
    return ConversationMarked(conversation, Marks("Reading", True, ("bug",)), at)


def of_the_program() -> list[Event]:
    tool = Tool(
        "read_file", "files", "Reads.", {"type": "object"}, tags=("files",), annotations=Annotations(read_only=True)
    )
    return [
        ToolsChanged((tool,), 1.0),
        RulesChanged((Rule("allow", "read_*", expires=5.0, uses=2, id="rule_1"),), 2.0),
        AgentsChanged(("claude-code",), 2.2),
        GateChanged(GateMode("observe", 9.0), 2.5),
        ProxyChanged("http://127.0.0.1:8080", 3.0),
        FaultRaised("journal", "disk full", 4.0, "Traceback …"),
        *(QuestionAsked(OpenQuestion(f"ask_{n}", q, 5.0, 305.0), "", 5.0) for n, q in enumerate(_QUESTIONS)),
        SourceChanged("git", "failed", 5.5, "it exited with code 3"),
        EndpointsChanged(5.7),
        JournalChanged(5.8, 5.0, "disk full", 2),
        FileChangesFound(("rules.toml",), 5.75),
        QuestionAnswered("ask_1", "", Answer("accept", {"name": "Ada", "age": 36}, model="demo"), "answered", 6.0, "x"),
    ]


_QUESTIONS = (
    FormQuestion("srv", "Who?", {"type": "object", "properties": {"name": {"type": "string"}}}, "call_1", "c1"),
    LinkQuestion("srv", "Log in", "https://login.example/x"),
    SampleQuestion("srv", (say("user", "Say something"),), "Be brief.", 100),
    InputQuestion("srv", "zone", "Zone", default="eu", options=("eu", "us")),
)


def frame(number: int, **changes: object) -> FrameCaptured:
    text = f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call"}}'
    base = FrameCaptured(
        f"frame_{number}",
        "git",
        "out",
        "request",
        "tools/call",
        str(number),
        len(text),
        text,
        10.0 + number,
        None,
        "inv_1",
        "c1",
        "id",
        "stdio",
    )
    return replace(base, **changes)  # type: ignore[arg-type]
