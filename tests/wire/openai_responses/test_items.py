"""What the response store needs: a history kept as items is the history that was told."""

from tests.wire.samples_openai_responses import PARALLEL, REQUESTS, THOUGHT, whole_stream

from callgate.core.assembly import assemble
from callgate.core.deltas import Delta, Finished, ReasoningDelta, Started, TextDelta
from callgate.core.json.text import parse_object
from callgate.core.messages import Json
from callgate.core.request import ChatRequest
from callgate.wire.openai_responses.items import check_pairs, has_references, output_items, read_items, write_items
from callgate.wire.openai_responses.ledger import Ledger
from callgate.wire.openai_responses.read_request import read_request
from callgate.wire.openai_responses.stream_reader import ResponsesStreamReader
from callgate.wire.openai_responses.stream_writer import ResponsesStreamWriter
from callgate.wire.sse import SseParser


def streamed_output(deltas: list[Delta]) -> list[Json]:
    """The items that a client of the stream has at its end."""
    writer = ResponsesStreamWriter(read_request(REQUESTS[0]))
    stream = b"".join(writer.write(delta) for delta in deltas) + writer.close()
    ledger = Ledger()
    for event in SseParser().feed(stream):
        ledger.note(parse_object(event.data or "") or {})
    return ledger.finished_items()


def test_stored_items_are_those_that_were_streamed() -> None:
    foreign: list[Delta] = [
        Started("msg_01", "claude", 1),
        ReasoningDelta(0, ""),
        ReasoningDelta(1, "Hm"),
        TextDelta(2, "a"),
        TextDelta(3, "b"),
        Finished("length"),
    ]
    own = [[d for f in ResponsesStreamReader().decode(whole_stream(o)) for d in f.deltas] for o in (PARALLEL, THOUGHT)]
    for deltas in (foreign, *own):
        assert output_items(assemble(deltas)) == streamed_output(deltas)


def test_a_second_request_continues_the_first() -> None:
    first = read_request({"model": "m", "input": "Weather?"})
    answer = ResponsesStreamReader().decode(whole_stream(PARALLEL))
    kept = write_items(first.messages) + output_items(assemble([d for frame in answer for d in frame.deltas]))
    fresh: list[Json] = [
        {"type": "function_call_output", "call_id": "call_1", "output": "sun"},
        {"type": "function_call_output", "call_id": "call_2", "output": "rain"},
    ]
    messages = read_items(kept + fresh)
    check_pairs(messages)
    assert [message.role for message in messages] == ["user", "assistant", "tool", "tool"]


def test_references_can_be_found_and_replaced() -> None:
    request: ChatRequest = read_request(REQUESTS[6])
    assert has_references(request.messages)
    stored: dict[str, Json] = {
        "rs_1": {"type": "reasoning", "id": "rs_1", "summary": []},
        "fc_1": {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}"},
    }
    items: list[Json] = []
    for item in write_items(request.messages):
        assert isinstance(item, dict)
        identifier = item.get("id")
        items.append(
            stored[identifier] if item.get("type") == "item_reference" and isinstance(identifier, str) else item
        )
    messages = read_items(items)
    assert not has_references(messages)
    check_pairs(messages)
