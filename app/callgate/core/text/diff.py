"""What changed between two texts, line by line and word by word: what a unified diff shows. Pure.

Made for texts of a person's size and for hostile ones alike: where comparing everything with everything would take
too long, lines that both texts have exactly once are the anchors, and what lies between is told as replaced.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

LineKind = Literal["same", "added", "removed", "skipped"]

CONTEXT: Final = 3
"""Unchanged lines around each change."""
_COMPARED: Final = 250_000
"""Pairs of lines that are compared with each other; past it only anchors are looked for."""
_WORDS_COMPARED: Final = 400
"""Words of a line past which it counts as changed as a whole."""
_ALIKE: Final = 0.35
"""Lines less alike than this have nothing in common that would help a reader."""
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")

Span = tuple[int, int]
_Block = tuple[int, int, int]
"""Old line, new line, how many are equal from there."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    kind: LineKind
    text: str = ""
    old: int | None = None
    """Its number before, from 1."""
    new: int | None = None
    """Its number after, from 1."""
    twin: str | None = None
    """The line that it replaces or is replaced by, where there is one."""
    count: int = 0
    """With `skipped`: so many unchanged lines are left out."""


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts compared; `lines` spells the comparison out."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    blocks: tuple[_Block, ...]
    """Runs of equal lines, the last one empty and at the end."""

    @property
    def added(self) -> int:
        return len(self.after) - self._kept

    @property
    def removed(self) -> int:
        return len(self.before) - self._kept

    @property
    def _kept(self) -> int:
        return sum(size for _, _, size in self.blocks)

    def lines(self, context: int | None = CONTEXT) -> Iterator[DiffLine]:
        """All lines in order; unchanged ones further than `context` from a change are skipped. None = none are."""
        old = new = 0
        for index, (old_start, new_start, size) in enumerate(self.blocks):
            yield from self._replaced(old, old_start, new, new_start)
            first = index == 0 and old_start == 0 and new_start == 0
            last = index == len(self.blocks) - 1 or (
                old_start + size == len(self.before) and new_start + size == len(self.after)
            )
            head = 0 if first or context is None else context
            tail = 0 if last or context is None else context
            yield from self._same(old_start, new_start, size, None if context is None else (head, tail))
            old, new = old_start + size, new_start + size

    def skips(self, context: int = CONTEXT) -> bool:
        """Whether `lines` leaves anything out."""
        last = len(self.blocks) - 1
        return any(
            size > (context if index else 0) + (context if index < last else 0) + 1
            for index, (_, _, size) in enumerate(self.blocks)
        )

    def _replaced(self, old: int, old_end: int, new: int, new_end: int) -> Iterator[DiffLine]:
        gone, come = self.before[old:old_end], self.after[new:new_end]
        for offset, text in enumerate(gone):
            twin = come[offset] if offset < len(come) else None
            yield DiffLine("removed", text, old + offset + 1, None, twin)
        for offset, text in enumerate(come):
            twin = gone[offset] if offset < len(gone) else None
            yield DiffLine("added", text, None, new + offset + 1, twin)

    def _same(self, old: int, new: int, size: int, around: tuple[int, int] | None) -> Iterator[DiffLine]:
        head, tail = (size, 0) if around is None or sum(around) >= size else around
        if around is not None and sum(around) + 1 == size:
            head = size  # a note that one line is left out takes as much room as the line
        for offset in range(head):
            yield DiffLine("same", self.before[old + offset], old + offset + 1, new + offset + 1)
        if head + tail < size:
            yield DiffLine("skipped", count=size - head - tail)
            for offset in range(size - tail, size):
                yield DiffLine("same", self.before[old + offset], old + offset + 1, new + offset + 1)


def text_diff(before: str, after: str) -> TextDiff:
    """Compares texts by their lines; a line ends at a line feed and nowhere else."""
    old, new = _lines(before), _lines(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    inner = _matched(old[start : len(old) - end], new[start : len(new) - end])
    blocks = [(0, 0, start)] if start else []
    blocks += ((start + a, start + b, size) for a, b, size in inner)
    blocks.append((len(old) - end, len(new) - end, end))
    return TextDiff(old, new, tuple(_joined(blocks)))


def changed_words(text: str, twin: str) -> tuple[Span, ...]:
    """Which stretches of a line are not in its twin; none where the two have too little in common to say."""
    mine, others = _WORD.findall(text), _WORD.findall(twin)
    if max(len(mine), len(others)) > _WORDS_COMPARED:
        return ()
    matcher = SequenceMatcher(None, mine, others, autojunk=False)
    shared = sum(
        not mine[block.a + step].isspace() for block in matcher.get_matching_blocks() for step in range(block.size)
    )
    said = sum(not word.isspace() for word in (*mine, *others))
    if not said or 2 * shared / said < _ALIKE:
        return ()
    ends = [0]
    for word in mine:
        ends.append(ends[-1] + len(word))
    return tuple((ends[a], ends[b]) for kind, a, b, _, _ in matcher.get_opcodes() if kind != "equal" and a != b)


def _lines(text: str) -> tuple[str, ...]:
    if not text:
        return ()
    lines = text.split("\n")
    return tuple(lines[:-1]) if lines[-1] == "" else tuple(lines)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        if before != after:
            return index
    return min(len(old), len(new))


def _joined(blocks: Sequence[_Block]) -> list[_Block]:
    """Runs that touch are one."""
    joined: list[_Block] = []
    for old, new, size in blocks:
        if joined and (old, new) == (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        else:
            joined.append((old, new, size))
    return joined


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[_Block]:
    """Runs of lines that both have, in order."""
    if not old or not new:
        return
    if len(old) * len(new) <= _COMPARED:
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            if block.size:
                yield block.a, block.b, block.size
        return
    here = there = 0
    for a, b in (*_anchors(old, new), (len(old), len(new))):
        gap_old, gap_new = old[here:a], new[there:b]
        if gap_old and gap_new and len(gap_old) * len(gap_new) <= _COMPARED:
            yield from ((here + x, there + y, size) for x, y, size in _matched(gap_old, gap_new))
        if a < len(old):
            yield a, b, 1
        here, there = a + 1, b + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines that each text has once, in an order that both share: the longest such row."""
    once_old = {line for line, count in Counter(old).items() if count == 1}
    places = {line: index for index, line in enumerate(new)}
    once_new = {line for line, count in Counter(new).items() if count == 1}
    pairs = [(index, places[line]) for index, line in enumerate(old) if line in once_old and line in once_new]
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        below.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            piles.append(number)
        else:
            tops[pile], piles[pile] = place, number
    row: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        row.append(pairs[at])
        at = below[at]
    return row[::-1]
