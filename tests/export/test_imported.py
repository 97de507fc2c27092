"""An imported conversation looks as it did, collides with nothing, and is over."""

from dataclasses import replace

from tests.fakes.samples import sample_conversation
from tests.store.samples import a_conversation, frame

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.events import ConversationMarked, Event, ExchangeEnded, InvocationChanged, ReplyKept, WireCaptured
from callgate.core.marks import Marks
from callgate.core.messages import say
from callgate.core.request import ChatRequest, ChatResponse
from callgate.export.imported import as_imported, is_imported
from callgate.export.record import ConversationRecord


def record(events: list[Event], wire: tuple[WireCaptured, ...] = ()) -> ConversationRecord:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return ConversationRecord(summary, tuple(events), wire)


def numbered() -> "object":
    count = iter(range(1000))
    return lambda prefix: f"{prefix}_{next(count)}"


def taken(whole: ConversationRecord) -> ConversationRecord:
    return as_imported(whole, "talk.jsonl", 99.0, numbered())  # type: ignore[arg-type]


def test_every_id_is_new_everywhere() -> None:
    wire = (WireCaptured("e1", "c1", 1, "client_request", b"{}", 1.0),)
    done = taken(replace(record(a_conversation(), wire), frames=(frame(1, invocation_id="inv_e1"),)))
    assert done.summary.id == "imported_0" and is_imported(done.summary.id) and not is_imported("c1")
    (calls,) = {event.invocation.id for event in done.events if isinstance(event, InvocationChanged)}
    assert (done.frames[0].invocation_id, done.frames[0].conversation_id) == (calls, "imported_0")
    text = repr((done.events, done.wire, done.frames))
    assert "'e1'" not in text and "'c1'" not in text and "'inv_e1'" not in text
    assert done.wire[0].exchange_id == "exch_1"
    assert "call_1" in text, "ids that tie calls to results are the model's own"


def test_it_is_marked_and_cannot_be_continued() -> None:
    kept = ConversationMarked("c1", Marks("Mine", True, ("bug",)), 10.0)
    reply = ReplyKept(
        "r1", "e1", "c1", ChatRequest("openai-chat", "m", (say("user", "x"),)), ChatResponse("r", "m", ()), 9.5
    )
    done = taken(record([*a_conversation(), reply, kept]))
    assert done.summary.marks == Marks("Mine", False, ("bug",), "talk.jsonl")
    assert done.summary.imported
    assert [event.lineage for event in done.events if isinstance(event, ExchangeEnded)] == [""]
    assert not any(isinstance(event, ReplyKept) for event in done.events)


def test_what_was_running_is_over() -> None:
    done = taken(record(list(sample_conversation())))
    assert not done.summary.live and not done.summary.waiting and not done.summary.running_calls
    last = {event.invocation.id: event.invocation for event in done.events if isinstance(event, InvocationChanged)}
    assert all(not invocation.is_live for invocation in last.values())


def test_what_was_over_is_otherwise_the_same() -> None:
    whole = record(a_conversation())
    done = taken(whole)
    back = {"imported_0": "c1", "exch_1": "e1", "inv_2": "inv_e1"}
    text = repr(done.events[:-1])
    for new, old in back.items():
        text = text.replace(new, old)
    unlinked = [replace(event, lineage="") if isinstance(event, ExchangeEnded) else event for event in whole.events]
    assert text == repr(tuple(unlinked))
