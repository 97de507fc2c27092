"""What a person types to find a tool, understood. Pure: text and tools in, scores and highlights out.

read file          both words, anywhere in name, title, tags or description
get_* r?ad         wildcards over the whole name
tag:files          only tools with such a tag (wildcards too)
source:git         only tools of such a source
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from callgate.core.tool import Tool

_NAME_EXACT: Final = 1000
_NAME_START: Final = 800
_NAME_WORD: Final = 600
_NAME_INSIDE: Final = 500
_NAME_INITIALS: Final = 400
_TITLE: Final = 300
_TAG: Final = 200
_DESCRIPTION_WORD: Final = 20
_DESCRIPTION: Final = 10
"""Any place in the name outweighs every place outside of it."""

_NAME_BREAK: Final = re.compile(r"[^a-z0-9]+")
_WILDCARDS: Final = re.compile(r"[*?]")


@dataclass(frozen=True, slots=True)
class Query:
    words: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.globs or self.tags or self.sources)


def read_query(text: str) -> Query:
    words: list[str] = []
    globs: list[str] = []
    tags: list[str] = []
    sources: list[str] = []
    for token in text.lower().split():
        field, colon, value = token.partition(":")
        if colon and field in ("tag", "tags"):
            tags.append(value)
        elif colon and field == "source":
            sources.append(value)
        elif _WILDCARDS.search(token):
            globs.append(token)
        else:
            words.append(token)
    # `tag:` with nothing after it yet is being typed: it must not empty the list
    return Query(tuple(words), tuple(globs), tuple(filter(None, tags)), tuple(filter(None, sources)))


def score(tool: Tool, query: Query) -> int:
    """How well a tool fits: 0 = not at all, 1 = nothing was asked."""
    name = tool.name.lower()
    if not all(_fits(glob, name) for glob in query.globs):
        return 0
    if not all(any(_names(tag, own.lower()) for own in tool.tags) for tag in query.tags):
        return 0
    if query.sources and not any(_names(source, tool.source.lower()) for source in query.sources):
        return 0
    total = 1
    for word in query.words:
        points = _word_score(tool, name, word)
        if points == 0:
            return 0
        total += points
    return total


def highlights(text: str, query: Query) -> list[tuple[int, int]]:
    """Where the typed words stand in a name: (start, length), ordered, not overlapping."""
    lowered = text.lower()
    pieces = [*query.words, *(piece for glob in query.globs for piece in _WILDCARDS.split(glob) if piece)]
    marked = [False] * len(text)
    for piece in pieces:
        start = lowered.find(piece)
        if start >= 0 and len(lowered) == len(text):
            marked[start : start + len(piece)] = [True] * len(piece)
    ranges: list[tuple[int, int]] = []
    for position, on in enumerate(marked):
        if not on:
            continue
        if ranges and sum(ranges[-1]) == position:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((position, 1))
    return ranges


def finds_tag(tag: str, query: Query) -> bool:
    """Whether a tag is one of the reasons why its tool is shown."""
    lowered = tag.lower()
    return any(word in lowered for word in query.words) or any(_names(wanted, lowered) for wanted in query.tags)


def _word_score(tool: Tool, name: str, word: str) -> int:
    title, description = tool.title.lower(), f"{tool.description} {tool.user_description}".lower()
    if name == word:
        return _NAME_EXACT
    if name.startswith(word):
        return _NAME_START
    pieces = [piece for piece in _NAME_BREAK.split(name) if piece]
    if any(piece.startswith(word) for piece in pieces):
        return _NAME_WORD
    if word in name:
        return _NAME_INSIDE
    if len(word) > 1 and "".join(piece[0] for piece in pieces).startswith(word):
        return _NAME_INITIALS
    if word in title:
        return _TITLE
    if any(word in tag.lower() for tag in tool.tags):
        return _TAG
    found = description.find(word)
    if found < 0:
        return 0
    return _DESCRIPTION_WORD if found == 0 or not description[found - 1].isalnum() else _DESCRIPTION


def _names(wanted: str, own: str) -> bool:
    """`tag:fi` while typing already finds `files`; wildcards must fit as a whole."""
    return _fits(wanted, own) if _WILDCARDS.search(wanted) else own.startswith(wanted)


def _fits(glob: str, text: str) -> bool:
    return fnmatchcase(text, glob.replace("[", "[[]"))
