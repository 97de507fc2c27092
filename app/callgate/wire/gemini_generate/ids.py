"""Ids for calls that have none: older models of this wire give none, and clients may leave them out.

The same history must give the same ids each time it is sent, and where possible the ids that its answers had when they
were read. What a reply and its repetition in a later request share is the model's signature; without one, a reply
counts by its own id and a request by the place of the turn.
"""

import hashlib

from callgate.wire.gemini_generate.signatures import same_proof


class TurnIds:
    """Ids of the calls of one model turn, in order. `place` tells this turn from all others."""

    def __init__(self, place: str) -> None:
        self._seed = f"place:{place}"
        self._count = 0

    def saw(self, signature: str) -> None:
        """A part of the turn carries a signature: nothing names a turn better."""
        if signature:
            self._seed = f"signature:{same_proof(signature)}"

    def skip(self) -> None:
        """The next call has an id of its own."""
        self._count += 1

    def next(self, name: str) -> str:
        """The id of the next call, to be used if it has none of its own."""
        self._count += 1
        digest = hashlib.sha256(f"{self._seed}\0{self._count}\0{name}".encode("utf-8", "replace")).hexdigest()
        return f"call_{digest[:24]}"
