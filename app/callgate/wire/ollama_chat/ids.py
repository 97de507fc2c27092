"""Ids for calls that have none, as most of this wire do not: the same history gives the same ids each time."""

import hashlib


class TurnIds:
    """Ids of the calls of one turn, in order. `place` tells the turn from all others."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._count = 0

    def next(self, name: str, given: str = "") -> str:
        """The id of the next call: its own if it has one."""
        self._count += 1
        digest = hashlib.sha256(f"{self._place}\0{self._count}\0{name}".encode("utf-8", "replace")).hexdigest()
        return given or f"call_{digest[:24]}"
