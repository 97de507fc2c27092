"""The files that the text of a patch changes, in every form of patch that agents and their tools write. Pure."""

import re
from collections.abc import Iterator
from typing import Final

_HEADS: Final = re.compile(
    r"""^[ \t]*(?:
        \*\*\*[ \t]*(?:(?:Add|Update|Delete|Create|Remove)[ \t]+File|(?:Move|Rename)(?:d)?[ \t]+to)[ \t]*: (?P<said>.+)
      | (?:---|\+\+\+|\*\*\*)[ \t]+ (?P<side>[^\n]+)
      | Index:[ \t]* (?P<index>.+)
      | (?:rename|copy)[ \t]+(?:from|to)[ \t]+ (?P<moved>.+)
      | diff[ \t]+--(?:git|cc|combined)[ \t]+ (?P<pair>.+)
    )$""",
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_BEGINS: Final = re.compile(
    r"^[ \t]*(?:\*\*\* ?Begin Patch|diff --git |Index: |--- [^\n]+\n[ \t]*\+\+\+ |\*\*\* [^\n]+\n[ \t]*--- )",
    re.MULTILINE,
)
_ESCAPE: Final = re.compile(r'\\([0-7]{3}|[abtnvfr"\\])')
_LETTERS: Final = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}


_MARKS: Final = ("", "/dev/null", "begin patch", "end patch", "end of file")


def is_patch(text: str) -> bool:
    return _BEGINS.search(text) is not None


def patched_files(text: str) -> Iterator[str]:
    """Every path that a patch names as one that it changes; rather one too many."""
    for found in _HEADS.finditer(text.replace("\r\n", "\n")):
        if pair := found["pair"]:
            yield from _both(pair)
            continue
        path = next(filter(None, (found[name] for name in ("said", "side", "index", "moved"))), "")
        plain = _unquoted(path.partition("\t")[0].strip())
        if plain.casefold() not in _MARKS and not re.fullmatch(r"\d+(?:,\d+)? (?:\*{4}|-{4})", plain):
            yield from (plain, *([plain[2:]] if plain.startswith(("a/", "b/", "i/", "w/", "c/", "o/")) else []))


def _both(pair: str) -> Iterator[str]:
    """`a/x b/x`, where either may be quoted: names with blanks are taken from the middle, which is the same twice."""
    words = re.findall(r'"(?:\\.|[^"\\])*"', pair) or re.split(r" (?=[a-z]/)", pair)
    for word in words:
        plain = _unquoted(word.strip())
        yield plain.partition("/")[2] if re.match(r"[a-z]/", plain) else plain


def _unquoted(path: str) -> str:
    if not (len(path) > 1 and path[0] == path[-1] == '"'):
        return path
    raw = _ESCAPE.sub(lambda found: _escaped(found[1]), path[1:-1])
    return raw.encode("latin-1", "replace").decode("utf-8", "replace") if raw.isascii() is False else raw


def _escaped(said: str) -> str:
    return chr(int(said, 8) & 0xFF) if said.isdigit() else _LETTERS.get(said, said)
