"""What a person types to find a tool, understood. Pure: text in, terms out.

read file          both words, in name, title, tags or description; letters in order are enough for a name (`rdf`)
"read file"        just this text
get_* r?ad         wildcards over the whole name
tag:files          only tools with such a tag; wildcards too
source:git         only tools of such a source; of several, any
agent:claude*      only tools that such an agent gets; of several, any
readonly:yes       what a tool says of itself: yes, no, unknown
enabled:no         switched on or off, in the scope that is being edited
used:yes used:>5   called before, or how often
lint:error         with findings: yes, no, error, warning, hint, or a kind of finding
-tag:files -read   all but these
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate
from typing import Final, Literal

from callgate.core.text.fuzzy import Fuzzy

FIELDS: Final = ("tag", "source", "agent", "readonly", "enabled", "used", "lint")
Kind = Literal["word", "text", "glob", "tag", "source", "agent", "readonly", "enabled", "used", "lint"]
ANY_OF: Final[frozenset[Kind]] = frozenset({"source", "agent"})
"""Of several terms of these kinds one is enough; of all others every one must hold."""

_TOKEN: Final = re.compile(r'(?P<minus>-?)(?:(?P<field>[A-Za-z]+):)?(?P<value>"[^"]*"?|\S+)?')
_WILDCARDS: Final = re.compile(r"[*?]")
_BEFORE, _AFTER = 16, 200
"""Letters of a sentence that are shown before and after what was found in it."""


@dataclass(frozen=True, slots=True)
class Term:
    kind: Kind
    value: str
    """Lower case."""
    negated: bool = False
    text: str = ""
    """As it was typed."""


@dataclass(frozen=True, slots=True)
class Query:
    terms: tuple[Term, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.terms

    @property
    def words(self) -> tuple[str, ...]:
        """What may be looked for in a name, to be marked there."""
        return tuple(term.value for term in self.terms if term.kind in ("word", "text") and not term.negated)

    @property
    def globs(self) -> tuple[str, ...]:
        return tuple(term.value for term in self.terms if term.kind == "glob" and not term.negated)

    def without(self, term: Term) -> "Query":
        return Query(tuple(other for other in self.terms if other is not term))

    def __str__(self) -> str:
        return " ".join(term.text for term in self.terms)


def read_query(text: str) -> Query:
    """Never fails: what has no other meaning is a word."""
    terms = (_term(token) for token in _TOKEN.finditer(text) if token.group())
    return Query(tuple(term for term in terms if term is not None))


def _term(token: re.Match[str]) -> Term | None:
    typed = token.group()
    negated, field, given = bool(token["minus"]), (token["field"] or "").lower(), token["value"] or ""
    field = "tag" if field == "tags" else field
    if field and field not in FIELDS:
        # `http://x` and the like: no field of ours, so all of it is text
        field, given = "", typed[1:] if negated else typed
    quoted = given.startswith('"')
    value = given.strip('"').lower()
    if not value:
        return None  # `tag:` with nothing after it yet is being typed: it must not empty the list
    for known in FIELDS:
        if field == known:
            return Term(known, value, negated, typed)  # type: ignore[arg-type]  # the fields are kinds
    if quoted:
        return Term("text", value, negated, typed)
    return Term("glob" if _WILDCARDS.search(value) else "word", value, negated, typed)


def has_wildcards(value: str) -> bool:
    return _WILDCARDS.search(value) is not None


def glob_of(value: str) -> re.Pattern[str]:
    """`[` means itself here: nobody types classes, and names may have brackets."""
    return re.compile(translate(value.replace("[", "[[]")))


def names(wanted: str, own: str) -> bool:
    """`tag:fi` while typing already finds `files`; wildcards must fit as a whole."""
    return glob_of(wanted).match(own) is not None if has_wildcards(wanted) else own.startswith(wanted)


def highlights(text: str, query: Query) -> list[tuple[int, int]]:
    """Where the typed words stand in a name: (start, length), ordered, not overlapping."""
    marked = [False] * len(text)
    lowered = text.lower()
    if len(lowered) != len(text):
        return []
    for start, length in _found(text, lowered, query):
        marked[start : start + length] = [True] * length
    ranges: list[tuple[int, int]] = []
    for position, on in enumerate(marked):
        if not on:
            continue
        if ranges and sum(ranges[-1]) == position:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((position, 1))
    return ranges


def _found(text: str, lowered: str, query: Query) -> list[tuple[int, int]]:
    spans = [span for word in query.words for span in Fuzzy.of(word).spans(text)]
    for glob in query.globs:
        at = 0
        for piece in filter(None, _WILDCARDS.split(glob)):
            start = lowered.find(piece, at)
            if start >= 0:
                spans.append((start, len(piece)))
                at = start + len(piece)
    return spans


def excerpt(name: str, texts: Iterable[str], query: Query) -> str:
    """The place in what is told of a tool that it was found by, on one line; empty where its name says enough."""
    lowered = name.lower()
    for word in query.words:
        if word in lowered or Fuzzy.of(word).spans(name):
            continue
        for text in texts:
            at = text.lower().find(word)
            if at >= 0:
                return _around(text, at)
    return ""


def _around(text: str, at: int) -> str:
    """From a little before the place on; whole words, if there is one to begin with."""
    start = text.rfind(" ", 0, max(0, at - _BEFORE)) + 1 if at > _BEFORE else 0
    return ("…" if start else "") + " ".join(text[start : at + _AFTER].split())


def words_in(text: str, query: Query) -> list[tuple[int, int]]:
    """Where the typed words stand in a sentence, letter for letter: (start, length), ordered, not overlapping."""
    lowered = text.lower()
    if len(lowered) != len(text):
        return []
    found: list[tuple[int, int]] = []
    for word in query.words:
        at = lowered.find(word)
        while at >= 0:
            found.append((at, len(word)))
            at = lowered.find(word, at + len(word))
    found.sort()
    return [span for number, span in enumerate(found) if number == 0 or sum(found[number - 1]) <= span[0]]


def finds_tag(tag: str, query: Query) -> bool:
    """Whether a tag is one of the reasons why its tool is shown."""
    lowered = tag.lower()
    wanted = (term.value for term in query.terms if term.kind == "tag" and not term.negated)
    return any(word in lowered for word in query.words) or any(names(value, lowered) for value in wanted)
