"""How well a typed word fits a name: pure, and quick enough to be asked ten thousand times between two frames.

A word fits a name that contains it, whose words begin with its letters (`rf` fits `read_file`), or, from three letters
on, that has its letters in the same order (`rdf`) from where a word of the name begins. The better the fit, the higher
the score; 0 is no fit.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

EXACT: Final = 1000
START: Final = 800
WORD: Final = 600
INSIDE: Final = 500
LOOSE: Final = 400
"""First letters of words; letters in order, minus what stands between them."""
_MOST_BETWEEN: Final = 24
"""Letters in order with more than this between them are a coincidence."""

_LETTERS: Final = 3
"""Fewer letters in order are found in nearly every name."""

_BREAK: Final = re.compile(r"[^a-z0-9]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Span = tuple[int, int]
"""Start and length."""


def spaced(name: str) -> str:
    """A name's words, lower case, each after a blank: ` read file` for `read_file` and `readFile`."""
    if not name.islower():
        name = _HUMP.sub(" ", name).lower()
    return f" {name.replace('_', ' ')}" if name.replace("_", "").isalnum() else " " + _BREAK.sub(" ", name).strip()


def initials(words: str) -> str:
    """The first letters of the words of a spaced name."""
    return "".join(word[0] for word in words.split())


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """One typed word, prepared; lower case."""

    word: str
    loose: re.Pattern[str] | None
    """Finds its letters in order in a spaced name; None for a word too short to be meant so."""

    @staticmethod
    def of(word: str) -> "Fuzzy":
        return _prepared(word.lower())

    def score(self, name: str, words: str) -> int:
        """`name` in lower case, `words` as `spaced` gives them."""
        word = self.word
        if word in name:
            if name.startswith(word):
                return EXACT if len(name) == len(word) else START
            return WORD if f" {word}" in words else INSIDE
        if len(word) > 1 and word in initials(words):
            return LOOSE
        if self.loose is None:
            return 0
        found = self.loose.search(words)
        if found is None:
            return 0
        between = found.end() - found.start() - len(word)
        return LOOSE - between if between <= _MOST_BETWEEN else 0

    def spans(self, name: str) -> tuple[Span, ...]:
        """Where its letters stand in a name as it is spelled; empty where it does not fit."""
        lowered = name.lower()
        if len(lowered) != len(name):  # a letter that has no lower case of one letter
            return ()
        at = lowered.find(self.word)
        if at >= 0:
            return ((at, len(self.word)),) if self.word else ()
        if not self.score(lowered, spaced(name)):
            return ()
        return _joined(self._letters(name, lowered))

    def _letters(self, name: str, lowered: str) -> list[int]:
        """The places of its letters: the first where a word begins, the others as soon as they come."""
        letters = [letter for letter in self.word if letter.isalnum()]
        starts = _word_starts(name)
        firsts = "".join(lowered[start] for start in starts)
        if self.word in firsts:
            at = firsts.index(self.word)
            return starts[at : at + len(self.word)]
        for start in starts:
            places: list[int] = []
            at = start
            for letter in letters:
                at = lowered.find(letter, at) if places else (start if lowered[start] == letter else -1)
                if at < 0:
                    break
                places.append(at)
                at += 1
            if len(places) == len(letters):
                return places
        return []


@lru_cache(maxsize=256)
def _prepared(word: str) -> Fuzzy:
    letters = [letter for letter in word if letter.isalnum()]
    if len(letters) < _LETTERS or not word[0].isalnum():
        return Fuzzy(word, None)
    steps = "".join(f"[^{re.escape(letter)}]*?{re.escape(letter)}" for letter in letters[1:])
    return Fuzzy(word, re.compile(f" {re.escape(letters[0])}{steps}"))


def _word_starts(name: str) -> list[int]:
    starts: list[int] = []
    for at, sign in enumerate(name):
        before = name[at - 1] if at else " "
        hump = sign.isupper() and (before.islower() or before.isdigit())
        if sign.isalnum() and (not before.isalnum() or hump):
            starts.append(at)
    return starts


def _joined(places: list[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for place in places:
        if spans and sum(spans[-1]) == place:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((place, 1))
    return tuple(spans)
