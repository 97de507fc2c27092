"""Names that look like other names: `read_file` with a Cyrillic е is another tool, and a person cannot see it.

`skeleton` folds everything that looks alike into one spelling; names that differ and have the same skeleton resemble
each other. Only looks count: `ReadFile` and `read-file` are told from `read_file` at a glance and do not resemble it.

The characters come from Unicode's own list of confusables, and from a few that it leaves out because they differ in a
stroke that is easily missed; compatibility forms (full width, mathematical, superscript, ligatures) are left to
Unicode's normalization.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from callgate.core.rules.confusable_characters import CONFUSABLE

_BEYOND_UNICODE: Final = {
    # with strokes, hooks or in small capitals: told apart by type designers, not in a line of a log
    "a": "ᴀ", "b": "ьвƀʙ", "c": "ςᴄ", "d": "đɗᴅ", "e": "єεᴇɛ", "f": "ғƒꜰ", "g": "ɢɠ", "h": "нħʜ", "i": "ɨ", "j": "յᴊ",
    "k": "кκᴋƙ", "l": "ӏłʟƚ", "m": "мᴍ", "n": "пηɴƞ", "o": "ø", "p": "ᴘƿ", "q": "ԛ", "r": "ʀɍ", "s": "ʂ", "t": "тτᴛŧ",
    "u": "цᴜ", "w": "ωᴡѡ", "x": "χ×", "y": "ʏყ", "z": "ᴢƶʐ",
    "D": "ÐĐ", "F": "Ғ", "L": "ԼŁ", "O": "Ø", "Q": "Ԛ",
    "-": "—―⁃", "_": "ˍ‿", ".": "·‧",
}  # fmt: skip

LOOKS_LIKE: Final = {
    other: plain for table in (CONFUSABLE, _BEYOND_UNICODE) for plain, others in table.items() for other in others
}
"""A character that is not ASCII → the one of ASCII that it looks like."""

_FOLD: Final = str.maketrans(LOOKS_LIKE)
_ASCII_FOLD: Final = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
_PAIRS: Final = (("rn", "m"), ("vv", "w"))

_UNSEEN: Final = re.compile(
    r"[\s\u0300-\u036f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u2800\u3164"
    r"\ufe00-\ufe0f\ufe20-\ufe2f\uffa0\U000e0000-\U000e0fff]"
)
"""Blanks, selectors, and accents of Latin, Greek and Cyrillic letters: a dot below is easily missed."""


def skeleton(name: str) -> str:
    """One spelling for all names that look like this one. For comparing only: it is not meant to be read."""
    if not name.isascii():
        # folded on both sides of it: normalization takes accents off letters, and a lunate Ϲ for a Σ
        name = unicodedata.normalize("NFKD", name.translate(_FOLD)).translate(_FOLD)
    seen = "".join(sign for sign in _UNSEEN.sub("", name) if unicodedata.category(sign) not in ("Cc", "Cf"))
    seen = seen.translate(_ASCII_FOLD)
    for pair, single in _PAIRS:
        seen = seen.replace(pair, single)
    return seen


class Resemblances:
    """The same for many names that are asked about often: each is looked at once."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_bones: dict[str, list[str]] = {}
        for name in names:
            self._by_bones.setdefault(skeleton(name), []).append(name)

    def of(self, name: str) -> str | None:
        """The first of the names that this one could be taken for; a name does not resemble itself."""
        return next((other for other in self._by_bones.get(skeleton(name), ()) if other != name), None)


def resembles(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that this one could be taken for; a name does not resemble itself."""
    bones = skeleton(name)
    return next((other for other in others if other != name and skeleton(other) == bones), None)
