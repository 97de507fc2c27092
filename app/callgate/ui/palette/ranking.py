"""Which entries fit what was typed, best first. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.text.fuzzy import Fuzzy, Span, spaced
from callgate.ui.palette.entry import SIGNS, Entry, Kind

MOST: Final = 60
"""Rows that are shown: nobody reads further, a letter more is quicker."""
_IN_DETAIL: Final = 0.4
_RECENT: Final = 120
"""What an entry that was used lately gains."""
_ORDER: Final[dict[Kind, int]] = {"action": 3, "setting": 2, "conversation": 1, "tool": 0}


@dataclass(frozen=True, slots=True)
class Hit:
    entry: Entry
    spans: tuple[Span, ...] = ()
    """Where the title fits."""


def ranked(entries: Sequence[Entry], query: str, recent: Sequence[str]) -> tuple[Hit, ...]:
    """All words must fit the title or the detail; with nothing typed, what was used lately comes first."""
    query = query.strip()
    kind = SIGNS.get(query[:1])
    if kind is not None:
        query = query[1:].strip()
        entries = [entry for entry in entries if entry.kind == kind]
    lately = {key: place for place, key in enumerate(recent)}
    if not query:
        # the order of the sources stays within what was never used
        ordered = sorted(entries, key=lambda entry: (lately.get(entry.key, len(lately)), -_ORDER[entry.kind]))
        return tuple(Hit(entry) for entry in ordered[:MOST])
    words = [Fuzzy.of(word) for word in query.split()]
    scored = [(score, entry) for entry in entries if (score := _score(entry, words))]

    def place(found: tuple[float, Entry]) -> tuple[float, int, int]:
        score, entry = found
        return (-score - (_RECENT if entry.key in lately else 0), -_ORDER[entry.kind], len(entry.title))

    scored.sort(key=place)
    return tuple(Hit(entry, _spans(entry, words)) for _, entry in scored[:MOST])


def _score(entry: Entry, words: Sequence[Fuzzy]) -> float:
    title, detail = entry.title, entry.detail
    total = 0.0
    for word in words:
        inside = word.score(title.lower(), spaced(title))
        beside = _IN_DETAIL * word.score(detail.lower(), spaced(detail)) if detail else 0.0
        best = max(inside, beside)
        if not best:
            return 0.0
        total += best
    return total / len(words)


def _spans(entry: Entry, words: Sequence[Fuzzy]) -> tuple[Span, ...]:
    return tuple(sorted({span for word in words for span in word.spans(entry.title)}))
