"""Frames that wait until it is known whether an item asks the client for something.

Kinds of items that are not known here tell at their end whether they were calls. Had their beginning gone on by then,
the client would hold one that may be refused; so what came since waits with it, and a call is then told where it began.
"""

from collections.abc import Collection
from dataclasses import replace

from callgate.core.deltas import CallStarted
from callgate.wire.codec import Frame


class WaitingFrames:
    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._begun: dict[int, int] = {}
        """An undecided item → which of the frames began it."""

    def take(self, frame: Frame, undecided: Collection[int]) -> list[Frame]:
        """What may go on after this frame. `undecided`: the items of which nobody knows yet, now that it was read."""
        if not undecided and not self._frames:
            return [frame]
        for item in [item for item in self._begun if item not in undecided]:
            frame = self._told_where_it_began(frame, self._begun.pop(item))
        for item in undecided:
            self._begun.setdefault(item, len(self._frames))
        self._frames.append(frame)
        return [] if undecided else self.rest()

    def rest(self) -> list[Frame]:
        frames, self._frames = self._frames, []
        return frames

    def _told_where_it_began(self, frame: Frame, place: int) -> Frame:
        started = tuple(delta for delta in frame.deltas if isinstance(delta, CallStarted))
        first = self._frames[place]
        self._frames[place] = replace(first, deltas=(*first.deltas, *started))
        return replace(frame, deltas=tuple(delta for delta in frame.deltas if not isinstance(delta, CallStarted)))
