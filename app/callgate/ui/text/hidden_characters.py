"""Making hidden text visible: what a person reads must be what runs.

Pure functions over strings; nothing of Qt, nothing of JSON. `reveal` replaces every character that a screen would not
show, or would use to show something else, by a mark such as `⟨U+202E RLO⟩`; `suspects` says in words what was found.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from callgate.core.rules.confusable_characters import CONFUSABLE

MAX_SUSPECTS: Final = 100
"""A warning that lists more is not read; the marks in the text show all of them."""

MARK: Final = re.compile(r"⟨U\+[0-9A-F]{4,6}(?: [^⟩]*)?⟩")
"""What `reveal` writes, for whoever highlights it."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Something in a text that is not what it seems."""

    position: int
    what: str
    """The mark, or the word in question."""
    why: str


_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = r"\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"
_BLANKS = r"\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d173-\U0001d17a"
_SPACES = r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_BREAKS = r"\u2028\u2029"
_TAGS = r"\U000e0000-\U000e0fff"
_VARIATION = r"\ufe00-\ufe0f"
_UNSHOWABLE = (
    r"\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufff0-\uffff\U000f0000-\U0010ffff\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
)
_COMBINING = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

_HIDDEN: Final = re.compile(
    f"[{_CONTROLS}{_BIDI}{_ZERO_WIDTH}{_BLANKS}{_SPACES}{_BREAKS}{_TAGS}{_VARIATION}{_UNSHOWABLE}]"
    f"|(?<=[{_COMBINING}]{{3}})[{_COMBINING}]"
    r"|⟨(?=U\+)"  # else a text could write a mark itself
)

_ASCII_HIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

_WHY: Final = (
    (re.compile(f"[{_BIDI}]+"), "changes the direction of the text: it may read differently from what it is"),
    (re.compile(f"[{_TAGS}]+"), "invisible tag characters can carry hidden words to a model"),
    (re.compile(f"[{_VARIATION}]+"), "invisible variation selectors can carry hidden words to a model"),
    (re.compile(f"[{_ZERO_WIDTH}]+"), "takes no room on the screen: it splits or pads words unseen"),
    (re.compile(f"[{_SPACES}]+"), "looks like a space and is none"),
    (re.compile(f"[{_BLANKS}]+"), "looks empty and is not"),
    (re.compile(f"[{_BREAKS}]+"), "breaks the line for some programs and not for others"),
    (re.compile(r"\x1b|\x9b"), "starts a terminal escape sequence: printed in a terminal it can hide or repaint text"),
    (re.compile(r"\x08|\x7f"), "erases the character before it in a terminal"),
    (re.compile(r"\r"), "returns to the start of the line: in a terminal it can overwrite what stands there"),
    (re.compile(f"[{_CONTROLS}]+"), "is a control character without a picture"),
    (re.compile(f"[{_COMBINING}]+"), "is piled on one letter with others and may cover its neighbours"),
    (re.compile("⟨"), "imitates the marks that Callgate shows for hidden characters"),
)
_NO_PICTURE = "has no agreed picture: every screen shows something else"

_SHORT: Final = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BACKSPACE", 0x0B: "VT", 0x0C: "FF", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DELETE",
    0x85: "NEL", 0x9B: "CSI", 0xA0: "NBSP", 0xAD: "SOFT HYPHEN", 0x034F: "CGJ", 0x061C: "ALM", 0x200B: "ZWSP",
    0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LINE SEP", 0x2029: "PARA SEP",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x202F: "NNBSP", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0x2800: "BRAILLE BLANK", 0x3000: "WIDE SPACE",
    0x3164: "HANGUL FILLER", 0xFEFF: "BOM", 0x27E8: "BRACKET",
}  # fmt: skip


def reveal(text: str) -> str:
    """The text with everything hidden spelled out; line breaks and tabs stay as they are."""
    if text.isascii():
        return _ASCII_HIDDEN.sub(lambda found: mark(found[0]), text)
    return _HIDDEN.sub(lambda found: found[0] if _is_emoji_glue(found) else mark(found[0]), text)


def reveal_name(text: str) -> str:
    """A name with look-alikes spelled out too: `pаypal` becomes `pа⟨U+0430⟩ypal`. For names, which stand alone; in a
    longer text the words are lit where they stand."""
    shown = reveal(text)
    if shown.isascii():
        return shown
    for found in reversed(tuple(_lookalike_words(shown))):
        told = _ANY_LOOKALIKE.sub(lambda letter: f"{letter[0]}⟨U+{ord(letter[0]):04X}⟩", found.what)
        shown = f"{shown[: found.position]}{told}{shown[found.position + len(found.what) :]}"
    return shown


def mark(character: str) -> str:
    """How one hidden character is shown."""
    code = ord(character)
    name = _SHORT.get(code)
    if name is None:
        if 0xE0020 <= code <= 0xE007E:
            name = f"TAG {chr(code - 0xE0000)}".rstrip()
        elif 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
            name = "VARIATION"
        elif 0xD800 <= code <= 0xDFFF:
            name = "SURROGATE"
        elif unicodedata.category(character) == "Co":
            name = "PRIVATE USE"
        else:
            name = unicodedata.name(character, "")
    return f"⟨U+{code:04X} {name}⟩" if name else f"⟨U+{code:04X}⟩"


def has_hidden(text: str) -> bool:
    """Whether `reveal` would change the text."""
    return any(not _is_emoji_glue(found) for found in _HIDDEN.finditer(text))


def suspects(text: str) -> tuple[Suspect, ...]:
    """What a reader should be told of, in the order of the text; at most `MAX_SUSPECTS`."""
    found: list[Suspect] = []
    for finder in (_hidden, _lookalike_words, _lookalike_signs, _padding):
        found.extend(islice(finder(text), MAX_SUSPECTS))
    return tuple(sorted(found, key=lambda suspect: suspect.position)[:MAX_SUSPECTS])


def _hidden(text: str) -> Iterator[Suspect]:
    """One suspect for each run of neighbours of one kind, so that a smuggled sentence is one finding."""
    pattern = _ASCII_HIDDEN if text.isascii() else _HIDDEN
    found = pattern.search(text)
    while found is not None:
        if _is_emoji_glue(found):
            end = found.end()
        else:
            run, why = _kind(found)
            end = run.end()
            first, more = mark(found[0]), end - found.start() - 1
            yield Suspect(found.start(), f"{first} and {more} more" if more else first, why)
        found = pattern.search(text, end)


def _kind(found: re.Match[str]) -> tuple[re.Match[str], str]:
    """How far neighbours of the same kind reach, and what is wrong with them."""
    for pattern, why in _WHY:
        run = pattern.match(found.string, found.start())
        if run is not None:
            return run, why
    return found, _NO_PICTURE


def _is_emoji_glue(found: re.Match[str]) -> bool:
    """A joiner or selector right behind a symbol is how emoji are written, not something hidden."""
    character, at, text = found[0], found.start(), found.string
    if character not in "\u200d\ufe0e\ufe0f" or at == 0:
        return False
    before = text[at - 1]
    if character != "\u200d":
        return unicodedata.category(before) in ("So", "Sm") or before in "#*0123456789‼⁉〰"
    after = text[at + 1 : at + 2]
    pictures = ("So", "Sk")
    return (
        bool(after)
        and unicodedata.category(after) in pictures
        and (before == "\ufe0f" or unicodedata.category(before) in pictures)
    )


# ---- look-alikes ----------------------------------------------------------------------------------------------------

_STYLED = r"\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\u2100-\u214f"
_ALPHABETS = r"\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\u1f00-\u1fff\uab70-\uabbf"
"""Greek, Cyrillic, Armenian, Cherokee: one of their letters within a Latin word is odd, whatever it looks like."""
_TWINS: Final = frozenset(
    other
    for plain, others in CONFUSABLE.items()
    for other in others
    if plain.isalpha() and other.isalpha() and not unicodedata.name(other, "LATIN").startswith("LATIN")
)
"""Letters of other alphabets that look like Latin ones."""
_FOREIGN: Final = re.compile(f"[{_ALPHABETS}{''.join(_TWINS)}]")
_ANY_LOOKALIKE: Final = re.compile(f"[{_ALPHABETS}{_STYLED}{''.join(_TWINS)}]")
_WORD: Final = re.compile(r"[^\W_]+")
_LATIN: Final = re.compile(r"[A-Za-z]")
_IS_STYLED: Final = re.compile(f"[{_STYLED}]")
_SCRIPT: Final = re.compile(r"(.+?) (?:SYLLABICS|LETTER|CAPITAL|SMALL)\b")


def _script(letter: str) -> str:
    if _IS_STYLED.match(letter):
        return "styled"
    found = _SCRIPT.match(unicodedata.name(letter, ""))
    return found[1].title() if found else "other"


def _lookalike_words(text: str) -> Iterator[Suspect]:
    if text.isascii() or _ANY_LOOKALIKE.search(text) is None:
        return
    foreign = _FOREIGN.findall(text)
    only_twins = bool(foreign) and all(letter in _TWINS for letter in foreign)
    for found in _WORD.finditer(text):
        word = found[0]
        if word.isascii() or _ANY_LOOKALIKE.search(word) is None:
            continue
        letters = dict.fromkeys(_ANY_LOOKALIKE.findall(word))
        scripts = list(dict.fromkeys(map(_script, letters)))
        if _LATIN.search(word):
            named = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
            why = f"mixes Latin letters with {' and '.join(scripts)} look-alikes: {named}"
            yield Suspect(found.start(), word, why)
        elif only_twins and len(word) > 1:
            # a Russian text has letters of its own somewhere; one made of look-alikes alone imitates a Latin word
            yield Suspect(found.start(), word, f"is written in {scripts[0]} letters that all look like Latin ones")
        elif scripts == ["styled"]:
            yield Suspect(found.start(), word, "is written in styled letters that are no plain Latin ones")


_SIGNS: Final = {
    "\u2024": ".", "\uff0e": ".", "\u3002": ".", "\u2044": "/", "\u2215": "/", "\uff0f": "/", "\u29f8": "/",
    "\uff3c": "\\", "\u2216": "\\", "\uff1a": ":", "\ua789": ":", "\u2236": ":", "\uff02": '"', "\uff07": "'",
    "\u02ba": '"', "\u02b9": "'", "\uff1b": ";", "\u037e": ";", "\uff5c": "|", "\u2223": "|", "\uff04": "$",
    "\uff06": "&", "\uff40": "`", "\u1fef": "`", "\uff1e": ">", "\uff1c": "<", "\uff0d": "-", "\uff20": "@",
}  # fmt: skip
_SIGN: Final = re.compile(f"(?<=[!-~])[{re.escape(''.join(_SIGNS))}](?=[!-~])")
"""Only between ASCII characters: in Chinese or Japanese prose these signs are at home."""


def _lookalike_signs(text: str) -> Iterator[Suspect]:
    if text.isascii():
        return
    for found in _SIGN.finditer(text):
        yield Suspect(
            found.start(), f"{found[0]} (U+{ord(found[0]):04X})", f"looks like {_SIGNS[found[0]]} and is another sign"
        )


_PADDING: Final = re.compile(r"(?<![ \t])[ \t]{24,}+(?=\S)|(?<!\n)\n{12,}+(?=[^\n])")
"""Wide enough to push what follows out of a narrow view; no table or code is spaced like that."""


def _padding(text: str) -> Iterator[Suspect]:
    for found in _PADDING.finditer(text):
        if found.start() == 0 or text[found.start() - 1] == "\n":
            continue  # indented, not pushed away
        kind = "empty lines" if found[0][0] == "\n" else "spaces in a row"
        yield Suspect(found.start(), f"{len(found[0])} {kind}", "pushes what comes after it out of sight")
