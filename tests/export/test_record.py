"""A redacted conversation holds no secret anywhere, not even one that came in pieces, and still folds to its shape."""

from dataclasses import replace

from tests.store.samples import a_conversation, frame

from callgate.core.assembly import Assembly
from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import Finished, TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeStarted, RoundEnded, ToolOutput, WireCaptured
from callgate.core.messages import Image, Message, Text, say
from callgate.core.secrets.redaction import RedactionChoice, Redactor
from callgate.export.record import SPREAD, SPREAD_FRAMES, ConversationRecord, redacted

KEY = "sk-abcdefgh0123456789"


def record(events: list[Event], wire: tuple[WireCaptured, ...] = ()) -> ConversationRecord:
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    return ConversationRecord(summary, tuple(events), wire)


def piece(data: bytes, leg: str = "upstream_response", number: int = 1) -> WireCaptured:
    return WireCaptured("e1", "c1", number, leg, data, 3.0)  # type: ignore[arg-type]


def said(*texts: str) -> list[Event]:
    return [DeltaArrived("e1", "c1", 1, TextDelta(0, text), 2.0 + place) for place, text in enumerate(texts)]


def clean(whole: ConversationRecord) -> ConversationRecord:
    return redacted(whole, Redactor(RedactionChoice()))


def test_nothing_found_is_nothing_changed() -> None:
    whole = record(a_conversation())
    assert clean(whole) == whole


def test_a_secret_cut_in_two_by_deltas_is_found() -> None:
    asked = ExchangeStarted("e1", "c1", "x", "openai-chat", "m", True, 0, (say("user", f"Say {KEY}"),), (), 1.0)
    events: list[Event] = [
        asked,
        *said("It is sk-abc", "defgh01234", "56789."),
        DeltaArrived("e1", "c1", 1, Finished("stop"), 5.0),
        RoundEnded("e1", "c1", 1, say("assistant", f"It is {KEY}."), "stop", None, 6.0),
        ToolOutput("i", "c1", "key sk-abcdef", 6.0),
        ToolOutput("i", "c1", "gh0123456789", 6.5),
    ]
    done = clean(record(events))
    assert "abc" not in repr(done) and "6789" not in repr(done)
    assembly = Assembly()
    for event in done.events:
        if isinstance(event, DeltaArrived):
            assembly.add(event.delta)
    assert assembly.message().text == "It is [redacted key]."
    assert done.summary.title == "Say [redacted key]"


def test_deltas_without_secrets_keep_their_times() -> None:
    events = [*a_conversation()[:2], *said("one ", "two ", "three")]
    assert clean(record(events)).events == tuple(events)


def test_a_stream_that_carried_a_secret_in_pieces_is_left_out_whole() -> None:
    events = [*a_conversation()[:2], *said("sk-abcdefgh", "0123456789")]
    frames = b'data: {"d":"sk-abcdefgh"}\n\n', b'data: {"d":"0123456789"}\n\n'
    wire = (*(piece(frame) for frame in frames), *(piece(frame, "client_response", 0) for frame in frames))
    done = clean(record(events, wire))
    assert [held.data for held in done.wire] == [SPREAD, SPREAD]


def test_bodies_and_headers_are_looked_through_and_bytes_that_are_no_text_stay() -> None:
    asked = WireCaptured("e1", "c1", 0, "client_request", f'{{"k":"{KEY}"}}'.encode(), 1.0, (("authorization", "x"),))
    broken = piece(b"\xff\xfe plain")
    done = clean(record(a_conversation(), (asked, broken)))
    assert done.wire[0].data == b'{"k":"[redacted key]"}'
    assert done.wire[0].head == (("authorization", "[redacted header]"),)
    assert done.wire[1].data == broken.data


def test_pictures_are_not_taken_for_text() -> None:
    picture = Message("user", (Image("image/png", data=KEY), Text(KEY)))
    asked = ExchangeStarted("e1", "c1", "x", "openai-chat", "m", True, 0, (picture,), (), 1.0)
    (done,) = clean(record([asked])).events
    assert isinstance(done, ExchangeStarted)
    assert done.fresh[0].parts == (Image("image/png", data=KEY), Text("[redacted key]"))


def test_messages_of_mcp_servers_are_looked_through_too() -> None:
    said = '{"params":{"arguments":{"api_key":"abc123def456","path":"/x"}}}'
    whole = replace(record(a_conversation()), frames=(frame(1, text=said), frame(2)))
    first, second = clean(whole).frames
    assert "abc123" not in first.text and "/x" in first.text and (first.size, first.at) == (frame(1).size, 11.0)
    assert second == frame(2)


def test_a_secret_that_came_in_several_progress_messages_is_in_none_of_them() -> None:
    outputs = [ToolOutput("inv_1", "c1", "key sk-abcdef", 6.0), ToolOutput("inv_1", "c1", "gh0123456789", 6.5)]
    told = [
        frame(n, role="notification", method="notifications/progress", text=f'{{"message":"{output.text}"}}')
        for n, output in enumerate(outputs)
    ]
    other = frame(9, role="notification", invocation_id="inv_2")
    done = clean(replace(record([*a_conversation(), *outputs]), frames=(*told, other)))
    assert [one.text for one in done.frames] == [SPREAD_FRAMES, SPREAD_FRAMES, other.text]
