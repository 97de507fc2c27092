"""The captured bytes of an exchange, sorted into its legs. Pure; header values that are secret are hidden here again,
as what comes straight from the bus has not been through the journal.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from callgate.core.events import Leg, WireCaptured
from callgate.core.secrets.masking import mask_head

LEGS: Final[tuple[Leg, ...]] = ("client_request", "upstream_request", "upstream_response", "client_response")
_TITLES: Final[dict[Leg, str]] = {
    "client_request": "Client request",
    "upstream_request": "Upstream request",
    "upstream_response": "Upstream response",
    "client_response": "Client response",
}


@dataclass(frozen=True, slots=True)
class Capture:
    """Everything that crossed one leg."""

    leg: Leg
    round: int
    """0 on the client's side: rounds are not its business."""
    pieces: tuple[tuple[float, bytes], ...] = ()
    """When, and what."""
    head: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[Leg, int]:
        return self.leg, self.round

    @property
    def title(self) -> str:
        return f"{_TITLES[self.leg]}, round {self.round}" if self.round else _TITLES[self.leg]

    @property
    def data(self) -> bytes:
        return b"".join(data for _, data in self.pieces)

    @property
    def size(self) -> int:
        return sum(len(data) for _, data in self.pieces)

    @property
    def at(self) -> float:
        return self.pieces[0][0] if self.pieces else 0.0


Captures = dict[tuple[Leg, int], Capture]


def captures(events: Iterable[WireCaptured]) -> Captures:
    """By leg and round, in the order in which an exchange goes through them."""
    pieces: dict[tuple[Leg, int], list[tuple[float, bytes]]] = {}
    heads: dict[tuple[Leg, int], tuple[tuple[str, str], ...]] = {}
    for event in events:
        key = (event.leg, event.round)
        pieces.setdefault(key, []).append((event.at, event.data))
        if event.head:
            heads[key] = mask_head(event.head)
    order = sorted(pieces, key=_order)
    return {key: Capture(*key, tuple(pieces[key]), heads.get(key, ())) for key in order}


def added(before: Captures, events: Iterable[WireCaptured]) -> Captures:
    """What was captured, and what has come since."""
    merged = dict(before)
    for key, fresh in captures(events).items():
        held = merged.get(key)
        merged[key] = (
            fresh if held is None else replace(held, pieces=held.pieces + fresh.pieces, head=held.head or fresh.head)
        )
    return {key: merged[key] for key in sorted(merged, key=_order)}


def _order(key: tuple[Leg, int]) -> tuple[int, int, int]:
    leg, number = key
    place = LEGS.index(leg)
    # the upstream legs of one round stand together, between what the client sent and what it got
    return (0 if leg == "client_request" else 2 if leg == "client_response" else 1, number, place)
