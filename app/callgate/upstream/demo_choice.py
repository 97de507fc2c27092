"""Which of the offered tools a text asks for, and with which arguments.

Scores each tool against each clause of the text by shared words; a tool is called only above a clear threshold and
only if the text says what its required arguments are. `#name` forces a tool. Knows no wire and no history.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo_arguments import Filled, fill, free_text
from callgate.upstream.demo_phrases import Phrases
from callgate.upstream.demo_words import Clause, canon, clauses, meaning, name_tokens, text_tokens

THRESHOLD = 0.5
"""About one telling word of the name (with a generic one beside it), or two of the description."""
MOST_CLAUSES = 24
"""Nobody asks for more at once; a pasted text must not hold up the loop."""
_NAMED_OUTRIGHT = 2.0
_FIRST_WORD = 0.2
_READY = 0.15
_COMPARED = 4
_PER_DESCRIPTION_WORD = 0.25
_MOST_FOR_DESCRIPTION = 0.75
_DESCRIPTION_WORDS = 25
"""The head of a description says what a tool is for; the rest says how."""
_GENERIC = frozenset(name_tokens("file text command directory data item current info value name object"))
_WEIGHTLESS = frozenset(name_tokens("get the a of in to for and tool mcp"))
_REFERENCE = re.compile(r"(?<!\w)#([A-Za-z_][\w.:-]*\w|\w)")
_CHATTER = re.compile(
    r"^\s*(?:please|thanks?|thank you|hello|hi|hey|ok|okay|great|then|also|"
    r"(?:and\s+)?(?:tell|explain|summari[sz]e|describe|say|report|let)\b.*)\s*$",
    re.IGNORECASE,
)
_POLITE_OPENING = re.compile(r"^\s*(?:thanks?|thank you|hello|hi|hey|good (?:morning|evening|day))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that the text asks for."""

    tool: ToolSpec
    arguments: dict[str, Json] | str
    """A JSON object, or the free text of a custom tool."""
    step: int = 0
    missing: tuple[str, ...] = ()
    """Required arguments that the text does not say: the call is not worth making."""
    start: int = 0
    end: int = 0


def choose(text: str, tools: Sequence[ToolSpec]) -> list[Ask]:
    """What a text asks for, in order. Asks with `missing` arguments are wishes that need a question first."""
    if not tools:
        return []
    scoring = _Scoring(tools)
    asks: list[Ask] = []
    pending = -1
    for clause in clauses(text)[:MOST_CLAUSES]:
        piece = text[clause.start : clause.end]
        forced = references(piece, tools)
        if forced:
            asks.extend(_forced(tool, piece, text, clause) for tool in forced)
            continue
        if _CHATTER.match(piece):
            continue
        tool = scoring.best(piece)
        start = pending if pending >= 0 else clause.start
        if tool is not None:
            asks.append(_asked(tool, text, start, clause))
            pending = -1
        elif asks:
            _go_on(asks, text, clause)
        elif pending < 0:
            pending = clause.start
    return _sound(asks)


def best_guess(text: str, tools: Sequence[ToolSpec]) -> Ask:
    """For when a call is demanded: the likeliest tool, with whatever arguments can be found."""
    tool = _Scoring(tools).likeliest(text)
    return _asked(tool, text, 0, Clause(0, len(text), 0, 0))


def references(text: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools that a text names with `#`, however it spells them."""
    found: list[ToolSpec] = []
    for name in _REFERENCE.findall(text):
        exact = [tool for tool in tools if tool.name == name]
        alike = exact or [tool for tool in tools if _flat(tool.name) == _flat(name)]
        ending = alike or [tool for tool in tools if _flat(tool.name).endswith(_flat(name))]
        if ending and ending[0] not in found:
            found.append(ending[0])
    return found


class _Scoring:
    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tools
        self._names = {tool.name: _telling(tool.name) for tool in tools}
        described = {tool.name: text_tokens(_head(tool.description)) for tool in tools}
        common = Counter(word for words in described.values() for word in words)
        usual = {word for word, count in common.items() if len(tools) > 2 and count * 2 >= len(tools)}
        self._described = {name: words - usual - _GENERIC for name, words in described.items()}

    def best(self, piece: str) -> ToolSpec | None:
        """The tool that a clause asks for; of about equal ones the one whose arguments the clause gives."""
        if _POLITE_OPENING.match(piece):
            return None
        ranked = self._ranked(piece)
        likely = [(points, tool) for points, tool in ranked if points >= max(THRESHOLD, ranked[0][0] - _READY)]
        for _, tool in likely[:_COMPARED]:
            if tool.variant == "custom" or not fill(tool.schema, piece, tool=tool.name).missing:
                return tool
        return likely[0][1] if likely else None

    def likeliest(self, piece: str) -> ToolSpec:
        return self._ranked(piece)[0][1]

    def _ranked(self, piece: str) -> list[tuple[float, ToolSpec]]:
        said = meaning(piece)
        if Phrases(piece).path(folders=False, files=False):
            said.add(canon("file"))
        first = next((canon(word) for word in re.findall(r"[A-Za-z]+", piece) if canon(word) in said), "")
        outright = set(re.findall(r"(?<![\w#])\w[\w.-]*\w", piece))
        ranked = [(self._score(tool, said, first, outright), tool) for tool in self._tools]
        return sorted(ranked, key=lambda one: -one[0])

    def _score(self, tool: ToolSpec, said: set[str], first: str, outright: set[str]) -> float:
        names = self._names[tool.name]
        whole = sum(names.values())
        covered = sum(weight for word, weight in names.items() if word in said) / whole if whole else 0.0
        about = len((self._described[tool.name] & said) - names.keys()) * _PER_DESCRIPTION_WORD
        points = covered + min(about, _MOST_FOR_DESCRIPTION)
        if tool.name in outright:
            points += _NAMED_OUTRIGHT
        if points and first and first == next(iter(names), None):
            points += _FIRST_WORD
        return points


def _telling(name: str) -> dict[str, float]:
    return {word: 0.5 if word in _GENERIC else 1.0 for word in name_tokens(name) if word not in _WEIGHTLESS}


def _head(description: str) -> str:
    return " ".join(description.split()[:_DESCRIPTION_WORDS])


def _asked(tool: ToolSpec, text: str, start: int, clause: Clause) -> Ask:
    """A call from its clause; what the clause lacks may stand elsewhere in the text."""
    if tool.variant == "custom":
        return Ask(tool, free_text(text[start : clause.end], tool.name), clause.step, (), start, clause.end)
    filled = fill(tool.schema, text[start : clause.end], tool=tool.name, context=text)
    if filled.missing:
        wider = fill(tool.schema, text, tool=tool.name)
        if not wider.missing:
            return Ask(tool, wider.values, clause.step, (), 0, len(text))
    return Ask(tool, filled.values, clause.step, filled.missing, start, clause.end)


def _forced(tool: ToolSpec, piece: str, text: str, clause: Clause) -> Ask:
    words = _REFERENCE.sub(" ", piece).strip()
    if tool.variant == "custom":
        return Ask(tool, free_text(words, tool.name), clause.step, (), clause.start, clause.end)
    filled = fill(tool.schema, words, tool=tool.name, context=text, eager=True)
    if filled.missing:
        filled = _fuller(filled, fill(tool.schema, _REFERENCE.sub(" ", text), tool=tool.name, eager=True))
    return Ask(tool, filled.values, clause.step, filled.missing, clause.start, clause.end)


def _fuller(one: Filled, other: Filled) -> Filled:
    return other if len(other.missing) < len(one.missing) else one


def _go_on(asks: list[Ask], text: str, clause: Clause) -> None:
    """A clause that names no tool: another thing of the same kind ("and b.txt", "and in Rome"), or more of the last."""
    last = asks[-1]
    if last.tool.variant == "custom" or last.end > clause.start:
        return
    filled = fill(last.tool.schema, text[clause.start : clause.end], tool=last.tool.name, context=text)
    required = [name for name in last.arguments if name in _required(last.tool)]
    if required and not filled.missing and all(name in filled.exact for name in required):
        asks.append(Ask(last.tool, filled.values, clause.step, (), clause.start, clause.end))
        return
    between = text[last.end : clause.start]
    if not re.search(r"[.!?;\n]", between):
        asks[-1] = _asked(last.tool, text, last.start, Clause(last.start, clause.end, last.step, 0))


def _required(tool: ToolSpec) -> list[Json]:
    given = (tool.schema or {}).get("required")
    return given if isinstance(given, list) else []


def _sound(asks: list[Ask]) -> list[Ask]:
    """Without repetitions."""
    kept: list[Ask] = []
    for ask in asks:
        if not any(ask.tool == other.tool and ask.arguments == other.arguments for other in kept):
            kept.append(ask)
    return kept


def _flat(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()
