"""A conversation as an OpenTelemetry trace in OTLP/JSON, with the GenAI attributes. Pure.

The conversation is the trace and its root span (`invoke_agent`); rounds are `chat` spans, invocations `execute_tool`
spans. The time that a call waited for a person has no standard name: it is an event `callgate.approval` on its span.
What a call caused at an MCP server is in `export_otlp_mcp`.
Ids are hexadecimal and enums numbers, as OTLP/JSON asks for, unlike JSON of protocol buffers elsewhere.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

import orjson

from callgate.core.calls.invocation import Invocation
from callgate.core.events import (
    ExchangeEnded,
    ExchangeStarted,
    FrameCaptured,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
)
from callgate.core.messages import (
    File,
    Image,
    Json,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from callgate.core.request import WireName
from callgate.core.wire_traits import WireTraits
from callgate.export.format import ExportAbout
from callgate.export.open_telemetry_mcp import below_the_call, call_attributes, message_events
from callgate.export.record import ConversationRecord


# Messages as the GenAI conventions of OpenTelemetry spell them. Pure.
def message_json(message: Message) -> Json:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: Part) -> Json:
    match part:
        case Text() | Refusal():
            return {"type": "text", "content": part.text}
        case Reasoning():
            return {"type": "reasoning", "content": part.text}
        case ToolCall():
            return {"type": "tool_call", "id": part.id, "name": part.name, "arguments": part.arguments}
        case ToolResult():
            return {"type": "tool_call_response", "id": part.call_id, "result": part.text}
        case Image() | File():
            # the bytes of a picture have no place in a trace
            where: Json = part.url if part.url and not part.url.startswith("data:") else part.file_id
            return {"type": part.kind, "mime_type": part.media_type, "uri": where}
        case Opaque():
            return {"type": "opaque", "wire": part.wire}
        case _:
            assert_never(part)


INTERNAL: Final = 1
CLIENT: Final = 3
ERROR: Final = 2
Attributes = dict[str, Json]


class OtlpWriter:
    """Every conversation is a `resourceSpans` entry of one `TracesData`."""

    def __init__(self, about: ExportAbout, *, bodies: bool = True) -> None:
        self._about, self._bodies = about, bodies
        self._first = True

    def begin(self) -> str:
        return '{"resourceSpans":['

    def conversation(self, record: ConversationRecord) -> str:
        resource: Attributes = {
            "service.name": record.summary.agent or "agent",
            "telemetry.sdk.name": "callgate",
            "callgate.redacted": self._about.redacted,
        }
        scope: dict[str, Json] = {"name": "callgate", "version": self._about.version}
        spans = trace_spans(record, self._about.wires, bodies=self._bodies)
        entry = {
            "resource": {"attributes": _attributes(resource)},
            "scopeSpans": [{"scope": scope, "spans": spans}],
        }
        lead = "\n" if self._first else ",\n"
        self._first = False
        return lead + orjson.dumps(entry).decode("utf-8")

    def end(self) -> str:
        return "\n]}\n"


@dataclass(slots=True)
class _Round:
    started: RoundStarted
    ended: RoundEnded | None = None
    asked: ExchangeStarted | None = None
    until: float = 0.0


@dataclass(slots=True)
class _Trace:
    asked: dict[str, ExchangeStarted] = field(default_factory=dict[str, ExchangeStarted])
    over: dict[str, ExchangeEnded] = field(default_factory=dict[str, ExchangeEnded])
    rounds: dict[tuple[str, int], _Round] = field(default_factory=dict[tuple[str, int], _Round])
    invocations: dict[str, Invocation] = field(default_factory=dict[str, Invocation])
    last: float = 0.0


def trace_spans(record: ConversationRecord, wires: Mapping[WireName, WireTraits], *, bodies: bool = True) -> list[Json]:
    trace = _fold(record)
    summary = record.summary
    trace_id = hashlib.sha256(summary.id.encode()).hexdigest()[:32]
    root = _span_id(summary.id)
    about: Attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": summary.agent,
        "gen_ai.conversation.id": summary.id,
        **_usage(summary.usage if summary.usage.total else None),
    }
    spans: list[Json] = [
        _span(trace_id, root, "", f"invoke_agent {summary.agent}".strip(), INTERNAL,
              (summary.started_at, max(summary.updated_at, trace.last)), about)
    ]  # fmt: skip
    for held in trace.rounds.values():
        spans.append(_round_span(held, trace, wires[held.started.wire].provider, trace_id, root, bodies))
    for invocation in trace.invocations.values():
        frames = [frame for frame in record.frames if frame.invocation_id == invocation.id]
        spans.append(_tool_span(invocation, frames, trace, trace_id, root, bodies))
        spans += _request_spans(invocation, frames, trace.last, trace_id)
    return spans


def _fold(record: ConversationRecord) -> _Trace:
    trace = _Trace()
    for event in record.events:
        trace.last = max(trace.last, event.at)
        match event:
            case ExchangeStarted():
                trace.asked[event.exchange_id] = event
            case ExchangeEnded():
                trace.over[event.exchange_id] = event
            case RoundStarted():
                trace.rounds[event.exchange_id, event.round] = _Round(event, asked=trace.asked.get(event.exchange_id))
            case RoundEnded():
                held = trace.rounds.get((event.exchange_id, event.round))
                if held is not None:
                    held.ended = event
            case InvocationChanged():
                trace.invocations[event.invocation.id] = event.invocation
            case _:
                pass
    return trace


def _round_span(held: _Round, trace: _Trace, provider: str, trace_id: str, root: str, bodies: bool) -> Json:
    started, ended = held.started, held.ended
    over = trace.over.get(started.exchange_id)
    about: Attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": started.model,
        "gen_ai.conversation.id": started.conversation_id,
        "callgate.endpoint": started.endpoint,
        "callgate.exchange": started.exchange_id,
        "callgate.round": started.round,
    }
    fault = ""
    until = ended.at if ended is not None else over.at if over is not None else trace.last
    if held.asked is not None:
        about["gen_ai.request.stream"] = held.asked.stream
        if bodies and started.round == 1:
            about["gen_ai.input.messages"] = _text([message_json(message) for message in held.asked.fresh])
    if ended is not None:
        about |= _usage(ended.usage)
        if ended.finish is not None:
            about["gen_ai.response.finish_reasons"] = [ended.finish]
        if ended.first_token_at is not None:
            about["gen_ai.response.time_to_first_chunk"] = max(0.0, ended.first_token_at - started.at)
        if bodies:
            about["gen_ai.output.messages"] = _text([message_json(ended.message)])
    elif over is not None and over.fault is not None:
        fault = over.fault.message
        about["error.type"] = over.fault.kind
    span_id = _span_id(f"{started.exchange_id}/{started.round}")
    return _span(trace_id, span_id, root, f"chat {started.model}", CLIENT, (started.at, until), about, fault)


def _request_spans(invocation: Invocation, frames: list[FrameCaptured], last: float, trace_id: str) -> list[Json]:
    """What a call caused at an MCP server beside its one request."""
    spans: list[Json] = []
    for request in below_the_call(frames):
        asked, answer = request.asked, request.answer
        name = f"{asked.method} {invocation.tool}" if asked.method == "tools/call" else asked.method
        about: Attributes = {**request.attributes(), "callgate.source": invocation.source}
        fault = "" if answer is not None and answer.role == "response" else "it was not answered, or with an error"
        until = answer.at if answer is not None else max(asked.at, last)
        span_id, parent = _span_id(f"{invocation.id}/{asked.id}"), _span_id(invocation.id)
        spans.append(_span(trace_id, span_id, parent, name, request.kind, (asked.at, until), about, fault))
    return spans


def _tool_span(
    invocation: Invocation, frames: list[FrameCaptured], trace: _Trace, trace_id: str, root: str, bodies: bool
) -> Json:
    about: Attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": invocation.tool,
        "gen_ai.tool.call.id": invocation.call_id,
        "gen_ai.tool.type": "function",
        "gen_ai.conversation.id": invocation.conversation_id,
        "callgate.state": invocation.state,
        "callgate.owner": invocation.owner,
        "callgate.source": invocation.source,
        **call_attributes(frames),
    }
    failed = invocation.result is not None and invocation.result.is_error
    if failed:
        about["error.type"] = "denied" if invocation.refused else "tool_error"
    if bodies:
        about["gen_ai.tool.call.arguments"] = invocation.effective_arguments
        if invocation.result is not None:
            about["gen_ai.tool.call.result"] = invocation.result.text
    parent = root
    if (invocation.exchange_id, invocation.round) in trace.rounds:
        parent = _span_id(f"{invocation.exchange_id}/{invocation.round}")
    until = trace.last if invocation.is_live or not invocation.phases else invocation.phases[-1].since
    span = _span(trace_id, _span_id(invocation.id), parent, f"execute_tool {invocation.tool}", INTERNAL,
                 (invocation.started, until), about, "the tool failed" if failed else "")  # fmt: skip
    said = message_events(frames, bodies=bodies)
    span["events"] = [*_waits(invocation, until), *(_event(at, "callgate.mcp.message", about) for at, about in said)]
    return span


def _event(at: float, name: str, about: Attributes) -> Json:
    return {"timeUnixNano": _nano(at), "name": name, "attributes": _attributes(about)}


def _waits(invocation: Invocation, until: float) -> list[Json]:
    events: list[Json] = []
    for place, phase in enumerate(invocation.phases):
        if phase.state not in ("WaitingForConfirmation", "WaitingForPostApproval"):
            continue
        over = invocation.phases[place + 1].since if place + 1 < len(invocation.phases) else until
        about: Attributes = {
            "callgate.approval.stage": "call" if phase.state == "WaitingForConfirmation" else "result",
            "callgate.approval.wait_ms": round((over - phase.since) * 1000, 3),
            "callgate.approval.edited": invocation.edited_arguments is not None,
        }
        for name, value in (("decision", invocation.reason), ("by", invocation.decided_by)):
            if value:
                about[f"callgate.approval.{name}"] = value
        if invocation.verdict is not None and invocation.verdict.rule:
            about["callgate.approval.rule"] = invocation.verdict.rule
        events.append(_event(phase.since, "callgate.approval", about))
    return events


def _span(
    trace_id: str,
    span_id: str,
    parent: str,
    name: str,
    kind: int,
    times: tuple[float, float],
    about: Attributes,
    fault: str = "",
) -> dict[str, Json]:
    span: dict[str, Json] = {
        "traceId": trace_id,
        "spanId": span_id,
        "name": name,
        "kind": kind,
        "startTimeUnixNano": _nano(times[0]),
        "endTimeUnixNano": _nano(max(times)),
        "attributes": _attributes(about),
        "status": {"code": ERROR, "message": fault} if fault else {},
    }
    if parent:
        span["parentSpanId"] = parent
    return span


def _usage(usage: Usage | None) -> Attributes:
    if usage is None or usage.estimated:
        return {}  # what nobody counted is no measurement
    about: Attributes = {
        "gen_ai.usage.input_tokens": usage.input,
        "gen_ai.usage.output_tokens": usage.output,
    }
    for name, value in (
        ("cache_read.input_tokens", usage.cached),
        ("cache_creation.input_tokens", usage.cache_written),
        ("reasoning.output_tokens", usage.reasoning),
    ):
        if value:
            about[f"gen_ai.usage.{name}"] = value
    return about


def _attributes(about: Attributes) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in about.items() if value not in ("", None)]


def _value(value: Json) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(item) for item in value]}}
        case _:
            return {"stringValue": str(value)}


def _text(value: Json) -> str:
    return orjson.dumps(value).decode("utf-8")


def _span_id(of: str) -> str:
    return hashlib.sha256(of.encode()).hexdigest()[:16]


def _nano(at: float) -> str:
    # 64-bit numbers are text in JSON: a double cannot hold them
    return str(round(max(0.0, at) * 1_000_000) * 1000)
