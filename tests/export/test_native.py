"""A conversation comes back from its file as it was, and a broken file says where it is broken."""

from dataclasses import replace

import orjson
import pytest
from tests.store.samples import a_conversation, frame, marked

from callgate.core.conversation import ConversationSummary, summarize
from callgate.core.deltas import TextDelta
from callgate.core.errors import UserFault
from callgate.core.events import DeltaArrived, Event, WireCaptured
from callgate.export.format import ExportAbout
from callgate.export.native import VERSION, NativeWriter, read_native
from callgate.export.record import ConversationRecord
from callgate.wire.registry import TRAITS

ABOUT = ExportAbout("1.0", 5.0, redacted=True, wires=TRAITS)


def record(conversation: str = "c1") -> ConversationRecord:
    events: list[Event] = [*a_conversation("e_" + conversation, conversation), marked(conversation)]
    summary: ConversationSummary | None = None
    for event in events:
        summary = summarize(summary, event)
    assert summary is not None
    head = (("content-type", "text/event-stream"),)
    wire = (WireCaptured("e_" + conversation, conversation, 1, "upstream_response", b"\x00\xff data", 4.0, head),)
    return ConversationRecord(summary, tuple(events), wire)


def written(*records: ConversationRecord) -> str:
    writer = NativeWriter(ABOUT)
    return writer.begin() + "".join(writer.conversation(each) for each in records) + writer.end()


def test_conversations_come_back_as_they_were() -> None:
    read = read_native(written(record("c1"), record("c2")).split("\n"))
    assert read.records == (record("c1"), record("c2"))
    assert read.redacted
    assert read.records[0].summary.shown_title == "Reading"


def test_messages_of_mcp_servers_come_back_with_or_without_what_they_say() -> None:
    whole = replace(record(), frames=(frame(1), frame(2, role="response", direction="in", asked_at=11.0)))
    text = written(whole)
    assert read_native(text.split("\n")).records == (whole,)
    assert orjson.loads(text.split("\n")[0])["v"] == 2, "programs that don't know them must not trip over them"
    assert orjson.loads(written(record()).split("\n")[0])["v"] == 1
    (bare,) = read_native(NativeWriter(ABOUT, bodies=False).conversation(whole).split("\n")).records
    assert bare.frames == tuple(replace(one, text="") for one in whole.frames)


def test_half_a_surrogate_pair_does_no_harm() -> None:
    events = (*a_conversation(), DeltaArrived("e1", "c1", 1, TextDelta(0, "x\ud83d"), 7.0))
    (back,) = read_native(written(ConversationRecord(record().summary, events)).split("\n")).records
    assert back.events[-1] == DeltaArrived("e1", "c1", 1, TextDelta(0, "x\ufffd"), 7.0)


LINES = written(record()).split("\n")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "The file is empty."),
        (["", " "], "The file is empty."),
        (["hello"], "Line 1 cannot be read: it does not begin as a conversation of Callgate does."),
        (['{"callgate": "conversation"'], "Line 1 cannot be read: it is no JSON"),
        (['{"callgate": "conversation", "id": "c"}'], "Line 1 cannot be read: its version is missing."),
        (['{"callgate": "conversation", "v": 1}'], "Line 1 cannot be read: the id of the conversation is missing."),
        ([f'{{"callgate": "conversation", "v": {VERSION + 1}, "id": "c"}}'], "it was written by a newer Callgate"),
        ([LINES[0]], "The conversation c1 is empty."),
        ([*LINES[:2], "[1]"], "Line 3 cannot be read: it is no JSON object."),
        ([*LINES[:3], '{"kind": "nothing"}'], "Line 4 cannot be read: "),
        ([*LINES[:3], '{"kind": "delta", "exchange_id": 5}'], "Line 4 cannot be read: delta."),
        ([*LINES[:3], '{"kind": "wire", "data": "?"}'], "Line 4 cannot be read: the bytes are no base64"),
        ([*LINES[:3], '{"kind": "wire", "data": "", "head": 1}'], "Line 4 cannot be read: head is no list"),
        ([*LINES[:3], LINES[1].replace('"c1"', '"c9"')], "The conversation c1 holds events of another one."),
    ],
)
def test_a_broken_file_says_where(lines: list[str], said: str) -> None:
    with pytest.raises(UserFault) as problem:
        read_native(lines)
    assert said in str(problem.value)
