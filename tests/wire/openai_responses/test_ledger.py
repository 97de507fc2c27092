"""The ledger knows what a client has been told."""

from tests.wire.samples_openai_responses import PARALLEL, THOUGHT, whole_stream

from callgate.core.json.text import parse_object
from callgate.core.messages import Json
from callgate.wire.openai_responses.ledger import Ledger
from callgate.wire.sse import SseParser


def noted(stream: bytes, count: int | None = None) -> Ledger:
    ledger = Ledger()
    for event in SseParser().feed(stream)[:count]:
        ledger.note(parse_object(event.data or "") or {})
    return ledger


def test_a_whole_stream_leaves_all_items_finished() -> None:
    ledger = noted(whole_stream(PARALLEL))
    assert ledger.finished_items() == PARALLEL
    assert (ledger.begun, ledger.ended, ledger.id, ledger.next_index) == (True, True, "resp_68af", 3)


def test_half_a_stream_knows_what_is_open() -> None:
    ledger = noted(whole_stream(THOUGHT), 5)
    record = ledger.items[0]
    assert not record.done
    assert record.is_open("summary", 0)
    assert "First, look.".startswith(record.text("summary", 0))
    assert record.whole("summary") == [{"type": "summary_text", "text": record.text("summary", 0)}]
    assert (ledger.sequence, ledger.ended) == (5, False)


def test_events_without_numbers_are_counted() -> None:
    ledger = Ledger()
    event: dict[str, Json] = {"type": "response.created", "response": {"id": "resp_1"}}
    ledger.note(event)
    ledger.note({"type": "response.in_progress"})
    assert ledger.sequence == 2
