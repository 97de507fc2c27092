"""Names that look like other names: `read_file` with a Cyrillic е is another tool, and a person cannot see it.

`skeleton` folds everything that looks alike into one spelling; names that differ and have the same skeleton resemble
each other. Only looks count: `ReadFile` and `read-file` are told from `read_file` at a glance and do not resemble it.

Unicode's own list of confusable characters has thousands of entries, nearly all of scripts and signs that no tool's
name is written in. The table here holds the letters of the alphabets that homographs are made from in practice;
compatibility forms (full width, mathematical, superscript, ligatures) are left to Unicode's normalization.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_TWINS: Final = {
    # Latin: what stands, in order, for Cyrillic, Greek, Armenian, Cherokee, and Latin with strokes or in small capitals
    "a": "аαɑᴀ", "b": "ьвƀʙ", "c": "сϲςᴄ", "d": "ԁđɗᴅ", "e": "еєεҽᴇɛ", "f": "ғƒꜰſ", "g": "ցɡɢɠ", "h": "һнհħʜ",
    "i": "іιɩıɪᎥɨ", "j": "јϳյᴊ", "k": "кκᴋƙ", "l": "ӏłʟǀ∣ƚ", "m": "мᴍ", "n": "пηոռɴƞ", "o": "оοσօᴏø", "p": "рρքᴘƿ",
    "q": "ԛզգ", "r": "гʀɍᴦ", "s": "ѕꜱʂ", "t": "тτᴛŧ", "u": "υսцᴜʋ", "v": "ѵνᴠ", "w": "ԝωաᴡѡ", "x": "хχ×",
    "y": "уүγʏყ", "z": "ᴢƶʐ",
    "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СᏟϹ", "D": "ᎠÐĐ", "E": "ЕΕᎬ", "F": "ҒϜ", "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀ", "J": "ЈᎫ",
    "K": "КΚᏦ", "L": "ԼᏞŁ", "M": "МΜᎷ", "N": "Ν", "O": "ОΟՕØ", "P": "РΡᏢ", "Q": "Ԛ", "R": "Ꭱ", "S": "ЅՏᏚ", "T": "ТΤᎢ",
    "U": "Սᑌ", "V": "ѴᏙ", "W": "ԜᎳ", "X": "ХΧ", "Y": "УΥҮ", "Z": "ΖᏃ",
    "2": "Ƨ", "3": "ЗӠ", "4": "Ꮞ", "5": "Ƽ", "6": "б", "8": "Ȣ",
    "-": "‐‑‒–—―−˗⁃", "_": "ˍ‿", ".": "·‧", ":": "ː∶꞉", "/": "⁄∕⧸",
}  # fmt: skip

_FOLD: Final = str.maketrans({twin: plain for plain, twins in _TWINS.items() for twin in twins})
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
