"""Bytes are sorted into their legs, in order, with secrets hidden."""

from tests.fakes.traffic import translated_wire

from callgate.core.events import WireCaptured
from callgate.ui.traffic.inspector.captured import added, captures


def test_legs_stand_in_the_order_of_an_exchange() -> None:
    events = [
        WireCaptured("e", "c", 0, "client_response", b"z", 9),
        WireCaptured("e", "c", 2, "upstream_request", b"c", 5),
        WireCaptured("e", "c", 1, "upstream_response", b"b", 3),
        WireCaptured("e", "c", 1, "upstream_request", b"a", 2),
        WireCaptured("e", "c", 0, "client_request", b"0", 1),
    ]
    assert [(capture.leg, capture.round) for capture in captures(events).values()] == [
        ("client_request", 0),
        ("upstream_request", 1),
        ("upstream_response", 1),
        ("upstream_request", 2),
        ("client_response", 0),
    ]


def test_keys_are_hidden_also_in_what_comes_straight_from_the_bus() -> None:
    head = dict(captures(translated_wire())["client_request", 0].head)
    assert head["authorization"] == "Bearer ***" and head["user-agent"].startswith("OpenAI")


def test_what_comes_later_is_added() -> None:
    events = translated_wire()
    whole = captures(events)
    grown = captures(events[:3])
    for event in events[3:]:
        grown = added(grown, [event])
    assert grown == whole
    answer = whole["upstream_response", 1]
    assert answer.title == "Upstream response, round 1" and answer.size == len(answer.data)
