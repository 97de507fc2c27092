"""All tools, prepared to be searched at every keystroke: ten thousand of them between two frames.

Texts are lowered once for each tool. A query that only narrows the one before it looks at that one's matches alone.
What fits is decided here; how it is grouped and shown is not.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from callgate.core.text.fuzzy import EXACT, INSIDE, LOOSE, START, WORD, Fuzzy, initials, spaced
from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.query import ANY_OF, Query, Term, glob_of, has_wildcards, names

_TITLE, _TAG, _DESCRIPTION = 300, 200, 20
"""Any place in the name outweighs every place outside of it."""
_YES: Final = frozenset({"yes", "y", "true", "on", "1"})
_NO: Final = frozenset({"no", "n", "false", "off", "0", "never"})
_NUMBER: Final = re.compile(r"(?P<sign>[<>]=?|=)?(?P<number>\d+)")
_STATEFUL: Final = frozenset({"agent", "enabled", "used", "lint"})
"""Kinds whose answer changes without the tools."""

_SEPARATOR: Final = "\n"
_AT_A_TIME: Final = 100


@dataclass(frozen=True, slots=True)
class _Texts:
    """One tool, lowered."""

    tool: Tool
    name: str
    words: str
    initials: str
    """The first letters of its words."""
    tags: tuple[str, ...]
    title: str
    rest: str
    """Descriptions."""


@dataclass(frozen=True, slots=True)
class Matches:
    positions: Sequence[int]
    """Places in the list of tools, in its order."""
    scores: Sequence[int] | None
    """By place, where words were asked for: the higher the better; None = all fit equally."""


class ToolIndex:
    def __init__(self) -> None:
        self._tools: Sequence[Tool] = ()
        self._texts: list[_Texts] = []
        self._known: dict[int, _Texts] = {}
        self._is_ready = True
        self._names: list[str] = []
        self._words: list[str] = []
        self._rest: list[str] = []
        self._titles: list[str] = []
        self._tags: list[str] = []
        self._known_tags: frozenset[str] = frozenset()
        self._initials: list[str] = []
        self._has_titles = False
        self._last: tuple[Query, Sequence[int]] | None = None

    @property
    def tools(self) -> Sequence[Tool]:
        return self._tools

    def fill(self, tools: Sequence[Tool]) -> None:
        """What is the same object as before is not read again; the rest is read by `prepare`, or when it is needed."""
        self._known = {id(texts.tool): texts for texts in self._texts} | self._known
        self._tools, self._texts, self._is_ready = tools, [], False

    def prepare(self, seconds: float | None = None) -> bool:
        """Reads tools for at most so long, or all of them. True: all are read."""
        if self._is_ready:
            return True
        began = time.perf_counter()
        while len(self._texts) < len(self._tools):
            if seconds is not None and time.perf_counter() - began > seconds:
                return False
            at = len(self._texts)
            self._texts += [self._known.get(id(tool)) or _prepared(tool) for tool in self._tools[at : at + _AT_A_TIME]]
        self._line_up()
        return True

    def _line_up(self) -> None:
        self._is_ready, self._known = True, {}
        self._names = [texts.name for texts in self._texts]
        self._words = [texts.words for texts in self._texts]
        self._rest = [texts.rest for texts in self._texts]
        self._initials = [texts.initials for texts in self._texts]
        self._has_titles = any(texts.title for texts in self._texts)
        self._titles = [texts.title for texts in self._texts]
        self._tags = [_SEPARATOR.join(texts.tags) for texts in self._texts]
        self._known_tags = frozenset(tag for texts in self._texts for tag in texts.tags)
        self._last = None

    def search(self, query: Query, facts: Facts) -> Matches:
        self.prepare()
        positions: Sequence[int] = self._start(query)
        stages = _staged(query)
        for terms in stages:
            positions = self._narrowed(positions, terms, facts)
        words = [term for term in query.terms if term.kind == "word" and not term.negated]
        scores: list[int] | None = None
        if words:
            scores = [0] * len(self._texts)
            for term in words:
                positions = self._scored(Fuzzy.of(term.value), positions, scores)
        self._last = (query, positions)
        return Matches(positions, scores)

    def count(self, query: Query, facts: Facts) -> int:
        """How many would fit; what was last searched stays."""
        last, self._last = self._last, None
        found = len(self.search(query, facts).positions)
        self._last = last
        return found

    # ---- narrowing ---------------------------------------------------------------------------------------------------

    def _start(self, query: Query) -> Sequence[int]:
        if self._last is not None and _narrows(query, self._last[0]):
            return self._last[1]
        return range(len(self._texts))

    def _narrowed(self, positions: Sequence[int], terms: list[Term], facts: Facts) -> list[int]:
        """Of the terms one must hold."""
        tests = [self._test(term, facts) for term in terms]
        if len(tests) == 1:
            test, wanted = tests[0], not terms[0].negated
            return [at for at in positions if test(at) is wanted]
        return [at for at in positions if any(test(at) for test in tests)]

    def _test(self, term: Term, facts: Facts) -> Callable[[int], bool]:
        value, texts = term.value, self._texts
        match term.kind:
            case "word" | "text":
                held, rest, tags, titles = self._names, self._rest, self._tags, self._titles
                return lambda at: value in held[at] or value in rest[at] or value in tags[at] or value in titles[at]
            case "glob":
                fits, held = glob_of(value).match, self._names
                return lambda at: fits(held[at]) is not None
            case "tag":
                fitting = frozenset(tag for tag in self._known_tags if names(value, tag))
                return lambda at: not fitting.isdisjoint(texts[at].tags)
            case "source":
                chosen = {source for source in {t.tool.source for t in texts} if names(value, source.lower())}
                return lambda at: texts[at].tool.source in chosen
            case "agent":
                return _of_agents([agent for agent in facts.agents if names(value, agent.lower())], texts, facts)
            case "readonly":
                wanted = None if value not in _YES | _NO else value in _YES
                return lambda at: (texts[at].tool.annotations.read_only) is wanted
            case "enabled":
                on, yes = facts.on_for(facts.scope), value in _YES
                return lambda at: (texts[at].tool.name in on) is yes
            case "used":
                return _used(value, texts, facts)
            case "lint":
                return _lint(value, texts, facts)

    # ---- words -------------------------------------------------------------------------------------------------------

    def _scored(self, fuzzy: Fuzzy, positions: Sequence[int], scores: list[int]) -> list[int]:
        """Those where the word is found; adds to the scores. Tier by tier, as each is one quick pass."""
        word, held, words = fuzzy.word, self._names, self._words
        inside = [at for at in positions if word in held[at]]
        after_blank, length = f" {word}", len(word)
        for at in inside:
            if after_blank not in words[at]:
                scores[at] += INSIDE
            elif held[at].startswith(word):
                scores[at] += EXACT if len(held[at]) == length else START
            else:
                scores[at] += WORD
        if length == 1 or len(inside) == len(positions):
            return inside  # one letter stands in nearly every description
        found = set(inside)
        firsts = [at for at in positions if word in self._initials[at] and at not in found]
        for at in firsts:
            scores[at] += LOOSE
        found.update(firsts)
        if fuzzy.loose is not None:
            letters, first, initials = fuzzy.loose.search, fuzzy.word[0], self._initials
            # most names have no word that begins like it: that is quicker to see than that the letters don't follow
            for at in [at for at in positions if first in initials[at] and at not in found and letters(words[at])]:
                if points := fuzzy.score(held[at], words[at]):
                    scores[at] += points
                    found.add(at)
        for texts, points in self._elsewhere(word):
            more = [at for at in positions if word in texts[at] and at not in found]
            for at in more:
                scores[at] += points
            found.update(more)
        return inside if len(inside) == len(found) else [at for at in positions if at in found]

    def _elsewhere(self, word: str) -> Iterator[tuple[list[str], int]]:
        """Where else to look, and what it is worth; not where it can't be."""
        if self._has_titles:
            yield self._titles, _TITLE
        if any(word in tag for tag in self._known_tags):
            yield self._tags, _TAG
        yield self._rest, _DESCRIPTION


def _prepared(tool: Tool) -> _Texts:
    tags = tuple(tag.lower() for tag in tool.tags)
    title = tool.title.lower()
    rest = f"{tool.description}{_SEPARATOR}{tool.user_description}".lower()
    words = spaced(tool.name)
    return _Texts(tool, tool.name.lower(), words, initials(words), tags, title, rest)


def _staged(query: Query) -> list[list[Term]]:
    """Every term but the words that rank: alone, or together with those of which one is enough."""
    together: dict[str, list[Term]] = {}
    stages: list[list[Term]] = []
    for term in query.terms:
        if term.kind == "word" and not term.negated:
            continue
        if term.kind in ANY_OF and not term.negated:
            together.setdefault(term.kind, []).append(term)
        else:
            stages.append([term])
    return [*together.values(), *stages]


def _narrows(query: Query, last: Query) -> bool:
    """Whether everything that fits the new query surely fitted the last one."""
    if any(term.kind in _STATEFUL for term in last.terms) or len(query.terms) < len(last.terms):
        return False
    if any(term.kind in ANY_OF for term in query.terms):
        return False
    return all(_implies(new, old) for new, old in zip(query.terms, last.terms, strict=False))


def _implies(new: Term, old: Term) -> bool:
    if new.kind == old.kind and new.value == old.value and new.negated == old.negated:
        return True
    # `rea` after `re`; letters in order stay in order, but a longer word may be looser only if it was loose before
    return new.kind == old.kind == "word" and not new.negated and not old.negated and _longer(new.value, old.value)


def _longer(new: str, old: str) -> bool:
    """One or two letters find no letters in order: from there on a longer word may find more."""
    return new.startswith(old) and Fuzzy.of(old).loose is not None


def _of_agents(agents: Sequence[str], texts: Sequence[_Texts], facts: Facts) -> Callable[[int], bool]:
    """What they get of the catalog, and what they bring along themselves."""
    gets = frozenset[str]().union(*(facts.on_for(agent) for agent in agents))
    own = frozenset(agents)

    def fits(at: int) -> bool:
        tool = texts[at].tool
        return not own.isdisjoint(tool.tags) if tool.source == CLIENT_SOURCE else tool.name in gets

    return fits


def _used(value: str, texts: list[_Texts], facts: Facts) -> Callable[[int], bool]:
    number = _NUMBER.fullmatch(value)
    if value in _YES | _NO or number is None:
        yes = value not in _NO
        return lambda at: (facts.usage(texts[at].tool) is not None) is yes
    bound = int(number["number"])

    def compared(at: int) -> bool:
        usage = facts.usage(texts[at].tool)
        calls = usage.calls if usage is not None else 0
        match number["sign"]:
            case ">":
                return calls > bound
            case ">=" | None:
                return calls >= bound
            case "<":
                return calls < bound
            case "<=":
                return calls <= bound
            case _:
                return calls == bound

    return compared


def _lint(value: str, texts: list[_Texts], facts: Facts) -> Callable[[int], bool]:
    if value in _YES:
        return lambda at: bool(facts.lint(texts[at].tool.name))
    if value in _NO:
        return lambda at: not facts.lint(texts[at].tool.name)
    wild = has_wildcards(value)
    fits = glob_of(value).match

    def has(at: int) -> bool:
        for finding in facts.lint(texts[at].tool.name):
            if finding.severity == value or (fits(finding.code) if wild else finding.code.startswith(value)):
                return True
        return False

    return has
