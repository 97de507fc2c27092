"""The trace is read by OpenTelemetry's own message types, with the spans and attributes that its conventions name."""

import base64
from dataclasses import replace

import orjson
import pytest
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import Span, TracesData
from tests.fakes.samples import NOON, denied, sample_conversation
from tests.store.samples import a_conversation

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import Event, InvocationChanged
from callgate.export.format import ExportAbout
from callgate.export.open_telemetry import OtlpWriter
from callgate.export.record import ConversationRecord
from callgate.wire.registry import TRAITS

ABOUT = ExportAbout("1.0", NOON, redacted=True, wires=TRAITS)


def record(events: list[Event]) -> ConversationRecord:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return ConversationRecord(summary, tuple(events))


def traces(*records: ConversationRecord, bodies: bool = True) -> TracesData:
    writer = OtlpWriter(ABOUT, bodies=bodies)
    text = writer.begin() + "".join(writer.conversation(each) for each in records) + writer.end()
    assert orjson.loads(text)
    return json_format.Parse(text, TracesData())


def spans(data: TracesData) -> list[Span]:
    return [span for resource in data.resource_spans for scope in resource.scope_spans for span in scope.spans]


def attributes(span: Span) -> dict[str, object]:
    def value(item: object) -> object:
        kind = item.WhichOneof("value")  # type: ignore[attr-defined]
        held = getattr(item, kind)
        return [value(each) for each in held.values] if kind == "array_value" else held

    return {pair.key: value(pair.value) for pair in span.attributes}


def hexadecimal(identifier: bytes) -> str:
    """OTLP/JSON writes ids in hexadecimal; protocol buffers read bytes in JSON as base64."""
    return base64.b64encode(identifier).decode()


def test_a_conversation_is_a_trace_of_chat_and_tool_spans() -> None:
    found = spans(traces(record(a_conversation())))
    assert [span.name for span in found] == ["invoke_agent codex", "chat gpt-9-mini", "execute_tool read_file"]
    root, chat, tool = found
    assert len({hexadecimal(span.trace_id) for span in found}) == 1
    assert len(hexadecimal(root.trace_id)) == 32 and len(hexadecimal(root.span_id)) == 16
    assert chat.parent_span_id == root.span_id and tool.parent_span_id == chat.span_id
    assert (chat.kind, tool.kind) == (Span.SPAN_KIND_CLIENT, Span.SPAN_KIND_INTERNAL)
    assert (chat.start_time_unix_nano, chat.end_time_unix_nano) == (2_000_000_000, 6_000_000_000)
    about = attributes(chat)
    assert about["gen_ai.operation.name"] == "chat"
    assert about["gen_ai.provider.name"] == "openai"
    assert about["gen_ai.usage.input_tokens"] == 7
    assert about["gen_ai.response.finish_reasons"] == ["tool_calls"]
    assert about["gen_ai.response.time_to_first_chunk"] == 0.5
    assert attributes(tool)["gen_ai.tool.call.result"] == "content"
    assert orjson.loads(str(about["gen_ai.output.messages"]))[0]["role"] == "assistant"


def test_without_bodies_nothing_that_was_said_is_in_it() -> None:
    data = traces(record(a_conversation()), bodies=False)
    text = str(data)
    assert "content" not in text and "I read it" not in text and "Hello" not in text
    assert any("gen_ai.tool.name" in attributes(span) for span in spans(data))


def test_waiting_for_a_person_is_an_event_on_the_call() -> None:
    whole = record(list(sample_conversation()))
    asked = [span for span in spans(traces(whole)) if span.events]
    assert asked
    event = asked[0].events[0]
    assert event.name == "callgate.approval"
    keys = {pair.key for pair in event.attributes}
    assert {"callgate.approval.wait_ms", "callgate.approval.stage", "callgate.approval.edited"} <= keys


def test_a_denied_call_is_an_error_of_its_span() -> None:
    refused = replace(denied(), exchange_id="e1", conversation_id="c1")
    found = spans(traces(record([*a_conversation(), InvocationChanged(refused, NOON)])))
    (span,) = [span for span in found if attributes(span).get("error.type") == "denied"]
    assert span.status.code == 2


@pytest.mark.parametrize("count", [0, 1, 3])
def test_any_number_of_conversations_is_a_whole_file(count: int) -> None:
    assert len(traces(*[record(a_conversation())] * count).resource_spans) == count
