"""No secret reaches a table, however it was cut; what is no secret comes out as it went in, and in order."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.samples import ended, started

from callgate.core.deltas import ArgumentsDelta, CallEnded, Delta, TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeEnded, RoundEnded, ToolOutput, WireCaptured
from callgate.core.messages import Message, Text
from callgate.store.event_json import write_event
from callgate.store.secret_filter import SecretFilter

KEY = "sk-ant-api03-abcdefgh12345678"
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7 abc\n\nsecondline==\n-----END PRIVATE KEY-----"


def delta(of: Delta, exchange: str = "e1") -> DeltaArrived:
    return DeltaArrived(exchange, "c1", 1, of, 1.0)


def texts(*said: str) -> list[Event]:
    return [delta(TextDelta(0, one)) for one in said]


def round_ended(text: str) -> RoundEnded:
    return RoundEnded("e1", "c1", 1, Message("assistant", (Text(text),)), "stop", None, 2.0)


def stored(events: list[Event], filter_: SecretFilter | None = None) -> list[Event]:
    filter_ = filter_ or SecretFilter()
    return [one for event in events for one in filter_.take(event)] + filter_.end()


def said(events: list[Event]) -> str:
    return "".join(e.delta.text for e in events if isinstance(e, DeltaArrived) and isinstance(e.delta, TextDelta))


def cuts(text: str, seed: int) -> list[str]:
    chance = random.Random(seed)
    pieces: list[str] = []
    while text:
        size = chance.randint(1, 9)
        pieces.append(text[:size])
        text = text[size:]
    return pieces


@pytest.mark.parametrize("secret", [KEY, PEM, "password: hunter22", "Authorization: Bearer abc-12345678901234"])
@pytest.mark.parametrize("seed", range(12))
def test_a_secret_cut_anywhere_is_not_stored(secret: str, seed: int) -> None:
    pieces = cuts(f"before it stand some words and then {secret} and after it some more", seed)
    out = stored([*texts(*pieces), round_ended("x")])
    text = said(out)
    assert secret.split()[-1] not in text and "«" in text
    assert text.startswith("before it stand some words and then ") and text.endswith(" and after it some more")
    assert len(out) == len(pieces) + 1, "no piece is lost or joined"


@given(st.lists(st.text(max_size=8), max_size=40))
def test_ordinary_pieces_come_out_as_they_went_in(pieces: list[str]) -> None:
    events = texts(*pieces)
    assert stored(events) == events


def test_arguments_and_output_are_looked_through_as_a_whole() -> None:
    arguments = [delta(ArgumentsDelta(0, one)) for one in ('{"api', '_key": "pl', "ain wo", 'rds", "a": 1}')]
    out = stored([*arguments, delta(CallEnded(0, '{"api_key": "plain words", "a": 1}'))])
    assert "plain" not in "".join(map(write_event, out)) and "«secret»" in write_event(out[0]) + write_event(out[1])
    said_by_tool: list[Event] = [ToolOutput("i1", "c1", one, 1.0) for one in ("ghp_abcdef", "ghijklmnop0123", "\nok\n")]
    assert "ghijkl" not in "".join(map(write_event, stored(said_by_tool)))


def test_a_piece_waits_only_as_long_as_its_words_may_grow_and_can_be_read_meanwhile() -> None:
    filter_ = SecretFilter()
    assert filter_.take(texts("one two three ")[0]) == []
    assert filter_.held("c1") == texts("one two three ")
    assert filter_.take(texts("four five six ")[0]) == texts("one two three ")[:0]
    assert filter_.take(texts("seven eight nine ten eleven")[0]) == texts("one two three ", "four five six ")
    assert filter_.held("c2") == [] and len(filter_.held("c1")) == 1
    filter_.forget("c1")
    assert filter_.held("c1") == [] and filter_.end() == []


def wire(leg: str, data: bytes, number: int = 1) -> WireCaptured:
    return WireCaptured("e1", "c1", number, leg, data, 1.0)  # type: ignore[arg-type]


def test_bytes_of_an_answer_are_cleaned_with_what_the_texts_gave_away() -> None:
    pieces = ["my key ", "sk-ant-api", "03-abcdefgh", "12345678", " done"]
    lines = [b'data: {"delta":{"text":"%s"}}\n\n' % piece.encode() for piece in pieces]
    events: list[Event] = []
    for piece, line in zip(pieces, lines, strict=True):
        events += [wire("upstream_response", line), delta(TextDelta(0, piece)), wire("client_response", line, 0)]
    late = wire("client_response", b'data: {"done":"' + KEY.encode() + b'"}\n\n', 0)
    filter_ = SecretFilter()
    out = [one for event in (*events, round_ended(f"my key {KEY} done")) for one in filter_.take(event)]
    assert [piece.leg for piece in filter_.held_bytes("e1")] == ["client_response"] * 5
    out += [one for event in (ExchangeEnded("e1", "c1", "completed", 3.0), late) for one in filter_.take(event)]
    assert filter_.held_bytes("e1") == []
    everything = "".join(map(write_event, out))
    assert "abcdefgh" not in everything and "sk-ant" not in everything and "12345678" not in everything
    assert any(isinstance(one, WireCaptured) and b"done" in one.data for one in out)


def test_chunks_that_cut_a_plain_answer_are_looked_through_as_one() -> None:
    body = b'{"text": "' + KEY.encode() + b'"}'
    out = stored([wire("upstream_response", body[:20]), wire("upstream_response", body[20:]), round_ended("x")])
    assert KEY[:15].encode() not in b"".join(one.data for one in out if isinstance(one, WireCaptured))


def test_a_clean_answer_keeps_its_pieces() -> None:
    pieces: list[Event] = [wire("upstream_response", b"data: %d\n\n" % number) for number in range(5)]
    assert stored([*pieces, round_ended("x")]) == [*pieces, round_ended("x")]


def test_whole_values_are_cleaned_in_place_and_signatures_stay() -> None:
    event = started()
    secret = replace(event, fresh=(Message("user", (Text(f"use {KEY} please"),)),))
    (clean,) = SecretFilter().take(secret)
    assert KEY not in write_event(clean) and "please" in write_event(clean)
    assert SecretFilter().take(event)[0] is event
    assert SecretFilter().take(ended())[0] is not None


def test_everything_is_stored_as_it_came_where_the_person_wants_that() -> None:
    events = [*texts(KEY), wire("client_request", KEY.encode())]
    assert stored(events, SecretFilter(keeps_secrets=True)) == events
