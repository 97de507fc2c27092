"""The few words around a hit, with the hit marked. Pure.

An index folds case and accents before it compares; so does this, character by character, so that places stay places.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.search.query import Word
from callgate.core.text.markdown_marks import without_marks

BEFORE: Final = 28
"""Characters shown before the first hit: enough to place it, few enough that it is seen in a narrow list."""
LENGTH: Final = 160
_BLANKS: Final = re.compile(r"\s+")
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    """One line."""
    hits: tuple[tuple[int, int], ...] = ()
    """Where the words stand in it: from, to."""

    @property
    def first(self) -> str:
        """The first hit as it is written there."""
        return self.text[slice(*self.hits[0])] if self.hits else ""


def snippet(text: str, words: Sequence[Word], *, markdown: bool = False) -> Snippet:
    """The stretch of a text in which the first of the words is found; its beginning where none is.

    `markdown`: shown without the marks.
    """
    pattern = _pattern(words)
    line = _BLANKS.sub(" ", text).strip()
    found = pattern.search(line) if pattern else None
    if found is None and pattern and not line.isascii():
        found = pattern.search(_folded(line))
    start = _start(line, found.start() if found else 0)
    shown = line[start : start + LENGTH]
    if markdown:
        shown = without_marks(shown)
    lead = _CUT if start else ""
    tail = _CUT if start + LENGTH < len(line) else ""
    marked = _marked(shown, pattern)
    return Snippet(f"{lead}{shown}{tail}", tuple((a + len(lead), b + len(lead)) for a, b in marked))


def _marked(shown: str, pattern: re.Pattern[str] | None) -> list[tuple[int, int]]:
    if pattern is None:
        return []
    plain = [found.span() for found in pattern.finditer(shown)]
    if shown.isascii():
        return plain
    return sorted({*plain, *(found.span() for found in pattern.finditer(_folded(shown)))})


def _start(line: str, hit: int) -> int:
    if hit <= BEFORE:
        return 0
    start = hit - BEFORE
    blank = line.find(" ", start, hit)
    return blank + 1 if blank >= 0 else start


def _pattern(words: Sequence[Word]) -> re.Pattern[str] | None:
    spelled = [_spelled(word) for word in words]
    return re.compile("|".join(filter(None, spelled)), re.IGNORECASE) if any(spelled) else None


def _spelled(word: Word) -> str:
    """The letters and digits of a word, with anything between them: the index sees no punctuation."""
    pieces = [re.escape(piece) for piece in re.findall(r"[^\W_]+", _folded(word.text))]
    if not pieces:
        return ""
    end = r"(?![^\W_])" if word.exact else ""
    # Han and kana have no blanks before a word
    begin = r"(?<![^\W_])" if pieces[0].isascii() else ""
    return begin + r"[\W_]+".join(pieces) + end


def _folded(text: str) -> str:
    """Accents taken off, one character for one character."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", character)[0] for character in text)
