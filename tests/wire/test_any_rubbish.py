"""Whatever comes in, a codec answers with a complaint that names the field, a fault, or sense; it never breaks.

Requests and replies of the samples, with one to three things in them taken away, doubled, swapped or replaced.
"""

import copy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.contract import Samples, all_samples, deltas_of, read_stream, repairs_of

from callgate.core.assembly import assemble
from callgate.core.deltas import CallEnded, Failed
from callgate.core.errors import BadRequest, CallgateError, PeerFault
from callgate.core.json.text import dump_bytes, parse_object
from callgate.core.messages import Json
from callgate.wire.dialects import DIALECTS, PLAIN
from callgate.wire.registry import CODECS
from callgate.wire.signature_envelope import seal_delta
from callgate.wire.translate import translate

ALL = all_samples()
WIRES = [pytest.param(samples, id=samples.codec.wire) for samples in ALL]
MODELS = ("m", "claude-sonnet-5-5", "claude-sonnet-4-5", "gemini-3-pro", "gemini-2.5-flash", "gpt-5", "gpt-4.1")
MOST_CHOICES = 8
SEEDS = st.integers(0, 2**32)
"""Of the damage: what fails is told by its seed and can be made again."""
STRANGE: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        3.5,
        2**70,
        "",
        "x",
        "auto",
        "{}",
        "null",
        "\ud800",
        "\u2028é",
        "data:,",
        "data:x/y",
    ),
    *([], {}, [[]], [None], [{}], ["a"], {"": None}, {"type": None}, {"type": "x"}, {"type": "text"}, {"a": {"b": 1}}),
    *({"type": "function"}, [{"type": "text", "text": None}], {"type": "tool_use"}, {"functionCall": None}),
]

Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> list[Path]:
    """Every place below the top."""
    keys: list[Any] = (
        list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    )
    return [place for key in keys for place in ((*path, key), *places(value[key], (*path, key)))]


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def damaged(values: list[dict[str, Json]], chance: Random) -> dict[str, Any]:
    value: Any = copy.deepcopy(chance.choice(values))
    for _ in range(chance.randint(1, 3)):
        paths = places(value)
        if not paths:
            break
        path = chance.choice(paths)
        inside, key = at(value, path[:-1]), path[-1]
        match chance.choice(["taken away", "doubled", "swapped", "replaced", "replaced"]):
            case "taken away":
                del inside[key]
            case "doubled" if isinstance(inside, list):
                inside.append(copy.deepcopy(inside[key]))
            case "swapped":
                inside[key] = copy.deepcopy(at(value, chance.choice(paths)))
            case _:
                inside[key] = copy.deepcopy(chance.choice(STRANGE))
    return parse_object(dump_bytes(value)) or {}


def damaged_stream(streams: list[bytes], chance: Random) -> bytes:
    events = chance.choice(streams).replace(b"\r\n", b"\n").split(b"\n\n")
    for _ in range(chance.randint(1, 3)):
        number = chance.randrange(len(events))
        match chance.choice(["taken away", "doubled", "moved", "cut", "damaged", "damaged"]):
            case "taken away" if len(events) > 1:
                del events[number]
            case "doubled":
                events.insert(number, events[number])
            case "moved":
                events.insert(chance.randrange(len(events)), events.pop(number))
            case "cut":
                events[number] = events[number][: chance.randint(0, len(events[number]))]
            case _:
                events[number] = _damaged_event(events[number], chance)
    return b"\n\n".join(events)


def _damaged_event(event: bytes, chance: Random) -> bytes:
    name, mark, data = event.partition(b"data:")
    value = parse_object(data) if mark else None
    return event if value is None else name + b"data: " + dump_bytes(damaged([value], chance))


@pytest.mark.parametrize("samples", WIRES)
@given(seed=SEEDS)
def test_a_damaged_request_is_read_and_translated_or_refused(samples: Samples, seed: int) -> None:
    chance = Random(seed)
    body = damaged(samples.requests, chance)
    path: dict[str, Any] = {"model": "m", "stream": True} if samples.codec.wire == "gemini" else {}
    try:
        request = samples.codec.read_request(body, **path)
    except BadRequest as refused:
        assert refused.fault.message
        assert samples.codec.write_error(refused.fault).status == refused.fault.http_status
        return
    model = chance.choice(MODELS)
    dialect = chance.choice([PLAIN, *DIALECTS.values()])
    for wire, codec in CODECS.items():
        try:
            lowered = translate(replace(request, model=model), wire, model, dialect)
            dump_bytes(codec.write_request(lowered.request, dialect).body)
        except CallgateError as refused:
            assert str(refused)


@pytest.mark.parametrize("samples", WIRES)
@given(seed=SEEDS)
def test_a_damaged_answer_is_read_and_written_or_a_fault(samples: Samples, seed: int) -> None:
    try:
        response = samples.codec.read_response(damaged(samples.responses, Random(seed)))
    except PeerFault as failed:
        assert failed.fault.message
        return
    for target in ALL:
        dump_bytes(target.codec.write_response(response, target.request))


@pytest.mark.parametrize("samples", WIRES)
@given(seed=SEEDS)
def test_a_damaged_stream_reaches_every_client_well_formed_or_as_a_failure(samples: Samples, seed: int) -> None:
    stream = damaged_stream(samples.streams, Random(seed))
    frames = read_stream(samples.codec, stream)
    assert b"".join(frame.raw for frame in frames) == stream
    deltas = deltas_of(frames)
    assert assemble(deltas).choices
    failed = any(isinstance(delta, Failed) for delta in deltas)
    choices = {choice for delta in deltas if (choice := getattr(delta, "choice", None)) is not None}
    if max(choices, default=0) >= MOST_CHOICES:
        return
    for target in ALL:
        restorer = translate(replace(target.request, tools=()), samples.codec.wire, "m").restorer()
        writer = target.codec.stream_writer(target.request)
        restored = [told for delta in deltas for told in restorer.restore(delta)]
        written = [writer.write(seal_delta(delta, target.codec.wire, "m")) for delta in restored]
        again = read_stream(target.codec, b"".join(written) + writer.close())
        if not failed and choices == {0} and target is not samples:
            assert not any(isinstance(delta, Failed) for delta in deltas_of(again))
            assert _settled(repairs_of(again)) == []


@pytest.mark.parametrize("samples", WIRES)
@given(seed=SEEDS)
def test_what_is_judged_of_a_damaged_stream_is_what_was_streamed(samples: Samples, seed: int) -> None:
    """A person decides on the whole of a call's arguments, other wires' clients get its pieces."""
    deltas = deltas_of(read_stream(samples.codec, damaged_stream(samples.streams, Random(seed))))
    pieces: dict[tuple[int, int], str] = {}
    for delta in deltas:
        if delta.kind == "arguments":
            pieces[delta.choice, delta.part] = pieces.get((delta.choice, delta.part), "") + delta.text
        elif isinstance(delta, CallEnded):
            assert pieces.get((delta.choice, delta.part), "") in (delta.arguments, "")


def _settled(repairs: list[str]) -> list[str]:
    """Arguments of a call that the provider itself garbled stay garbled: they are for the person to see."""
    garbled = ("an empty object came before the arguments", "a call was not finished before the response was")
    return [repair for repair in repairs if repair not in garbled]
