"""What is told and kept of an exchange."""

import json
from typing import TypeVar

from callgate.core.errors import Fault, PeerFault, RefusedReply
from callgate.core.events import Event, ExchangeEnded, ExchangeStarted, ReplyKept, RoundStarted, WireCaptured
from callgate.core.messages import Message, Text, Usage, say
from callgate.core.request import ChatRequest, ChatResponse, Choice, WireName
from callgate.engine.bus import Bus
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchange_record import ExchangeRecord
from callgate.engine.exchange.history import Attachment, History
from callgate.engine.exchange.replies import Replies, ReplyShelf
from callgate.engine.exchange.upstream_request import UpstreamRequest
from callgate.engine.offer.offer import Offer
from callgate.upstream.endpoint import Endpoint, Vertex
from callgate.upstream.routing import Route

T = TypeVar("T")
HI, HELLO = say("user", "hi"), say("assistant", "hello")
SHOWN = ChatResponse("resp_1", "m", (Choice(HELLO, "stop"),))
SECRET = "sk-of-the-client"


async def nothing(identifier: str) -> ReplyKept | None:
    return None


class Bench:
    def __init__(self, wire: WireName = "openai-responses", store: bool | None = None) -> None:
        self.events: list[Event] = []
        bus = Bus()
        bus.subscribe(self.events.append)
        self.request = ChatRequest(wire, "m", (HI,), store=store)
        arrival = Arrival(self.request, "script", b"{}", {"authorization": f"Bearer {SECRET}"})
        self.history = History()
        self.attachment: Attachment = self.history.attach(self.request, "script")
        self.record = ExchangeRecord(
            "exch_1",
            self.attachment.conversation_id,
            arrival,
            bus,
            self.history,
            Replies(bus, ReplyShelf(nothing, nothing)),
            lambda: 7.0,
        )

    def only(self, kind: type[T]) -> T:
        (found,) = (event for event in self.events if isinstance(event, kind))
        return found


def test_the_beginning_tells_what_is_new_and_shows_no_key() -> None:
    bench = Bench()
    bench.record.started(bench.attachment)
    started, captured = bench.only(ExchangeStarted), bench.only(WireCaptured)
    assert (started.fresh, started.at, captured.leg) == ((HI,), 7.0, "client_request")
    assert SECRET not in repr(captured)


def test_a_round_tells_its_bytes_and_whether_they_were_the_clients_own() -> None:
    bench = Bench()
    route = Route(Endpoint("up", ("openai-responses",), "http://x.test"), "openai-responses", "m")
    spelled = UpstreamRequest(b'{"model":"m"}', untouched=True, warnings=("w",))
    bench.record.round_started(2, route, Offer(bench.request, {}, False), spelled, keyed=False)
    told, captured = bench.only(RoundStarted), bench.only(WireCaptured)
    assert (told.round, told.endpoint, told.untouched, told.warnings) == (2, "up", True, ("w",))
    assert captured.data == spelled.body and SECRET not in repr(captured)


def test_hidden_turns_are_remembered_only_where_there_are_any() -> None:
    for turns, hidden in ([HELLO], ()), ([Message("assistant", (Text("first"),)), HELLO], 2):
        bench = Bench()
        bench.record.completed(SHOWN, turns, bench.attachment.lineage, Usage(1, 2), "")
        ended = bench.only(ExchangeEnded)
        assert (ended.outcome, len(ended.hidden)) == ("completed", hidden or 0)
        again = bench.history.attach(ChatRequest("openai-responses", "m", (HI, HELLO, HI)), "script")
        assert again.conversation_id == bench.attachment.conversation_id
        assert again.restored == bool(hidden)


def test_a_reply_is_kept_only_where_its_client_may_refer_to_it() -> None:
    for wire, store, kept in (
        ("openai-responses", None, 1),
        ("openai-responses", False, 0),
        ("openai-chat", None, 0),
    ):
        bench = Bench(wire, store)  # type: ignore[arg-type]
        bench.record.completed(SHOWN, [HELLO], bench.attachment.lineage, None, "up")
        assert sum(isinstance(event, ReplyKept) for event in bench.events) == kept


def test_what_broke_off_is_told_with_its_fault_and_remembered_by_nobody() -> None:
    bench = Bench()
    bench.record.broken_off("failed", SHOWN, None, Fault("upstream", "gone"))
    ended = bench.only(ExchangeEnded)
    assert (ended.outcome, ended.fault, ended.answer) == ("failed", Fault("upstream", "gone"), HELLO)
    assert not [event for event in bench.events if isinstance(event, ReplyKept)]


def test_a_round_tells_where_it_goes_without_secrets_and_a_refusal_is_captured() -> None:
    bench = Bench("openai-chat")
    endpoint = Endpoint("up", ("openai-chat",), "https://user:pass@api.test/v1")
    route = Route(endpoint, "openai-chat", "m")
    bench.record.round_started(1, route, Offer(bench.request, {}, False), UpstreamRequest(b"{}", True), keyed=True)
    assert bench.only(RoundStarted).url == "https://api.test/v1/chat/completions"
    assert "pass" not in repr(bench.events)
    bench.events.clear()
    fault = Fault("rate_limit", "slow down")
    bench.record.refused(1, PeerFault(fault))
    assert not bench.events, "nothing may be shown"
    bench.record.refused(1, PeerFault(fault, RefusedReply(429, b'{"error":"slow down, sk-abcdefghijklmnop"}')))
    captured = bench.only(WireCaptured)
    assert (captured.leg, captured.round, captured.head) == ("upstream_response", 1, ((":status", "429"),))
    assert captured.data == b'{"error":"slow down, ***"}'


def test_what_is_captured_for_vertex_is_what_vertex_gets() -> None:
    bench = Bench("anthropic")
    route = Route(Endpoint("v", ("anthropic",), "", vertex=Vertex("p", "us-east5")), "anthropic", "claude@1")
    spelled = UpstreamRequest(b'{"model":"claude@1","messages":[]}', False)
    bench.record.round_started(1, route, Offer(bench.request, {}, False), spelled, keyed=True)
    body = json.loads(bench.only(WireCaptured).data)
    assert "model" not in body and body["anthropic_version"], "the model stands in the path"
    assert bench.only(RoundStarted).url.endswith("/publishers/anthropic/models/claude@1:rawPredict")
