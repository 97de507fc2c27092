"""Things that can be compared: a leg's bytes, or what they mean in no wire's spelling. Pure; each may be read once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from callgate.core.events import Leg
from callgate.core.messages import Json
from callgate.engine.console.wire_service import LegBytes, Neutral
from callgate.ui.traffic.inspector.body import Body, read_body
from callgate.ui.traffic.inspector.captured import Capture, Captures

Key = tuple[Leg, int]
ReadNeutral = Callable[[LegBytes], Neutral]


@dataclass(frozen=True, slots=True, eq=False)
class Comparable:
    key: str
    """Stays the same while a stream grows."""
    title: str
    read: Callable[[], Body]
    """Runs beside the loop."""


def raw_key(key: Key) -> str:
    return f"{key[0]}#{key[1]}"


def neutral_key(key: Key) -> str:
    return f"neutral {key[0]}#{key[1]}"


def comparables(
    held: Captures, spoken: Callable[[Capture], LegBytes], neutral: ReadNeutral, known: Mapping[Key, Body] | None = None
) -> tuple[Comparable, ...]:
    """Every leg that was captured, as it is and as it reads. `known`: bodies that have been read already."""
    read = known or {}
    found: list[Comparable] = []
    for key, capture in held.items():
        found.append(Comparable(raw_key(key), capture.title, _reader(capture, read.get(key))))
    for key, capture in held.items():
        told = f"Neutral: {capture.title[0].lower()}{capture.title[1:]}"
        found.append(Comparable(neutral_key(key), told, _neutral_reader(spoken(capture), neutral)))
    return tuple(found)


def _reader(capture: Capture, known: Body | None) -> Callable[[], Body]:
    return lambda: known or read_body(capture)


def _neutral_reader(sent: LegBytes, neutral: ReadNeutral) -> Callable[[], Body]:
    return lambda: as_body(neutral(sent))


def as_body(read: Neutral) -> Body:
    value: Json = read.value
    return Body(problem=read.problem) if read.problem else Body(b"", True, value)


def of_key(sides: Sequence[Comparable], key: str) -> int:
    """Where it stands; -1 = nowhere."""
    return next((place for place, side in enumerate(sides) if side.key == key), -1)
