"""What a person may ask of the demo model, and which of the offered tools does it. Knows no wire and no history.

`INTENTS` is all that it understands by itself; other tools are found by the words of their names and descriptions.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from callgate.core.json.text import dump_text
from callgate.core.tool import ToolSpec
from callgate.upstream.demo.arguments import BARE_COMMAND, FILE, QUOTED, Words, stems


class Intent(NamedTuple):
    example: str
    """What a newcomer may try."""
    said: str
    """How a request for it is known."""
    tools: str
    """Words in the names of tools that do it."""


_A_FILE = rf".*(?:{FILE}|\b(?:readme|changelog|licen[sc]e)\b)"
_READ = rf"\b(?:read|open|show|view|cat)\b|\b(?:what|look|summari[sz]e|explain|describe)\b{_A_FILE}"
_LIST = r"\b(?:list|ls(?!\s+-)|(?:what|which) files)\b|\b(?:what|show|see|look|browse)\b.*\b(?:folder|directory|dir)\b"
_SEARCH = r"\b(?:search|grep(?!\s+-)|look for|where (?:is|are|do|does)|mentions?)\b|\bfind\b.*\bin\b"
_RUN = rf"`[^`]+`|\b(?:run|execute)\b|{BARE_COMMAND}"
INTENTS = (
    Intent("What does README.md say?", _READ, "read view open cat file"),
    Intent("List the files here", _LIST, "list ls directory dir folder"),
    Intent("Find all python files", rf"\bfind\b(?:{_A_FILE}|.*\bfiles?\b)|\*\.\w|\*\*/", "find glob file search"),
    Intent("Search for TODO in src", _SEARCH, "search grep text find"),
    Intent("Run `ls -la`", _RUN, "run execute exec command cmd bash shell terminal"),
    Intent('Write "hello" to hello.txt', r"\b(?:write|save|put)\b", "write save file"),
    Intent("Create hello.txt", rf"\b(?:create|make)\b{_A_FILE}", "create write file"),
    Intent("Create the folder docs", r"\b(?:create|make)\b.*\b(?:folder|directory)\b", "create make directory folder"),
    Intent('Replace "a" with "b" in app.py', r"\b(?:replace|edit|change|modify)\b", "edit replace file"),
    Intent("Delete old.log", r"\b(?:delete|remove|erase)\b", "delete remove file"),
    Intent("Move a.txt to b.txt", r"\b(?:move|rename)\b", "move rename file"),
    Intent("Show the last 5 commits", r"\bcommits?\b", "git log"),
    Intent("Where is main defined?", r"\bwhere\b.*\bdefined\b|\bdefinition\b", "find definition"),
    Intent("What's the weather in Paris and in Rome?", r"\b(?:weather|forecast|temperature)\b", "weather forecast"),
    Intent("What time is it in Tokyo?", r"\b(?:time|clock)\b", "time clock current now"),
    Intent("What is 3 + 4?", r"\d\s*[-+*/×]\s*\d|\bcalculate\b", "calculate calculator add math"),
    Intent("Fetch https://example.com", r"https?://\S", "fetch url web page get"),
)

_THRESHOLD, _CLOSE = 0.5, 0.15
"""About one telling word of the name, or two of the description; tools within so much are about equal."""
_MEANT = 0.8
"""What a word counts that is not said but meant."""
_MOST_CLAUSES = 24
"""Nobody asks for more at once; a pasted text must not hold up the loop."""
_SHORT = 400
"""What a clause lacks may stand elsewhere in a text, but nobody looks for it in a book."""
_GENERIC = frozenset(stems("file text command directory data item current info value name object"))
_WEIGHTLESS = frozenset(stems("get the a of in to for and tool mcp"))
_STOP_WORDS = frozenset(
    stems(
        "a an are as at be by can could do does for from get give go has have how i in is it its let me my of on or "
        "our so some that the their them there these they this to tool try use want was we what when which will with "
        "would you your all any now just then about if not where who why long many big"
    )
)
_CLAUSE_END = re.compile(
    r"(?<=\S)[.!?;]+(?=\s|$)|\n+|(?P<later>,?\s+(?:(?:and\s+)?then|after\s+that)\b)|\s*,\s*(?:and\b)?|\s+(?:and|plus)(?=\s)",
    re.I,
)
_CHATTER = re.compile(
    r"^\s*(?:(?:please|okay|great|also)\s*$|(?:thanks?|thank you|hello|hi|hey|good (?:morning|day))\b"
    rf"|(?:and\s+)?(?:tell|say|report|let|explain|summari[sz]e|describe)\b(?!{_A_FILE}))",
    re.I,
)
_REFERENCE = re.compile(r"(?<!\w)#([A-Za-z_](?:[\w.:-]*\w)?)")


class Ask(NamedTuple):
    """One call that a text asks for."""

    tool: ToolSpec
    text: str
    """Its arguments as JSON, or the free text of a custom tool."""
    missing: tuple[str, ...] = ()
    """Required arguments that are not said: the person has to be asked."""
    exact: frozenset[str] = frozenset()
    step: int = 0
    """Counts what comes after a "then": later steps wait for the results of earlier ones."""
    span: tuple[int, int] | None = None
    """Where it is said; None = the tool was named, and what follows is not for it."""


def choose(text: str, tools: Sequence[ToolSpec]) -> list[Ask]:
    """What a text asks for, in order, each thing once."""
    asks: list[Ask] = []
    for start, end, step in _clauses(text)[:_MOST_CLAUSES] if tools else ():
        piece, last = text[start:end], asks[-1] if asks else None
        if named := references(piece, tools):
            bare, whole = _REFERENCE.sub(" ", piece), _REFERENCE.sub(" ", text)
            asks += [ask_of(tool, bare, whole, forced=True)._replace(step=step) for tool in named]
        elif _CHATTER.match(piece):
            continue
        elif tool := _best(piece, tools):
            asks.append(ask_of(tool, piece, text)._replace(step=step, span=(start, end)))
        elif last and last.span and last.tool.variant != "custom":
            more = ask_of(last.tool, piece, text)._replace(step=step, span=(start, end))
            if more.exact and more.exact == last.exact:  # another thing of the same kind: "and b.txt", "and in Rome"
                asks.append(more)
            elif not re.search(r"[.!?;\n]", text[last.span[1] : start]):  # more of the last: "cats and dogs"
                whole = ask_of(last.tool, text[last.span[0] : end], text)
                asks[-1] = whole._replace(step=last.step, span=(last.span[0], end))
    return [*{(ask.tool.name, ask.text): ask for ask in reversed(asks)}.values()][::-1]


def demand(text: str, tools: Sequence[ToolSpec]) -> Ask | None:
    """For when a call is due: the likeliest tool, with whatever arguments it takes. None = none can be thought of."""
    ask = ask_of(max(_scored(text, tools), key=lambda one: one[0])[1], text, text, forced=True, filler=text)
    return None if ask.missing else ask


def references(text: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools that a text names with `#`, however it joins their words."""
    found: list[ToolSpec] = []
    for name in map(_bare, _REFERENCE.findall(text)):
        alike = sorted((tool for tool in tools if _bare(tool.name).endswith(name)), key=lambda tool: len(tool.name))
        found += [tool for tool in alike[:1] if tool not in found]
    return found


def examples(tools: Sequence[ToolSpec]) -> list[str]:
    """What to try with these tools: three at most."""
    known = (one.example for one in INTENTS if any(not ask.missing for ask in choose(one.example, tools)))
    return [*islice(known, 3)] or [f"#{tool.name} …" for tool in tools[:3]]


def ask_of(tool: ToolSpec, words: str, text: str, *, forced: bool = False, filler: str | None = None) -> Ask:
    """A call from its clause; what the clause lacks may stand elsewhere in the text."""
    if tool.variant == "custom":
        code = re.search(r"`([^`\n]+)`", words)
        return Ask(tool, code[1] if code else words.strip())
    filled = Words(words, tool.name, text, forced=forced, filler=filler).fill(tool.schema or {})
    if filled.missing and words != text and len(text) <= _SHORT:
        wider = Words(text, tool.name, text, forced=forced).fill(tool.schema or {})
        filled = filled if wider.missing else wider._replace(exact=set())
    return Ask(tool, dump_text(filled.values), filled.missing, frozenset(filled.exact))


def _best(piece: str, tools: Sequence[ToolSpec]) -> ToolSpec | None:
    """The tool that a clause asks for; of about equal ones the first whose arguments the clause gives."""
    ranked = sorted(_scored(piece, tools), key=lambda one: -one[0])
    likely = [tool for points, tool in ranked if points >= max(_THRESHOLD, ranked[0][0] - _CLOSE)][:4]
    return next((tool for tool in likely if not ask_of(tool, piece, piece).missing), likely[0] if likely else None)


def _scored(piece: str, tools: Sequence[ToolSpec]) -> list[tuple[float, ToolSpec]]:
    """By the share of a name's words that were said or meant, and the words of the description that were said."""
    bare = re.sub(QUOTED, lambda found: "` `" if found[1] else " ", piece)
    said = set(stems(bare)) - _STOP_WORDS
    meant = {word for intent in INTENTS if re.search(intent.said, bare, re.I) for word in stems(intent.tools)}
    heads = [set(stems(" ".join(tool.description.split()[:25]))) for tool in tools]  # what it is for; the rest says how
    common = Counter(word for words in heads for word in words)
    usual = {word for word, count in common.items() if len(tools) > 2 and count * 2 >= len(tools)} | _GENERIC
    scored: list[tuple[float, ToolSpec]] = []
    for tool, head in zip(tools, heads, strict=True):
        weights = {word: 0.5 if word in _GENERIC else 1.0 for word in stems(tool.name) if word not in _WEIGHTLESS}
        points = sum(weight * (word in said or _MEANT * (word in meant)) for word, weight in weights.items())
        named = not tool.name.isalpha() and re.search(rf"(?<![\w#]){re.escape(tool.name)}(?!\w)", piece) is not None
        described = min(0.25 * len((head - usual - weights.keys()) & said), 0.75)
        score = points / (sum(weights.values()) or 1.0) + 0.1 * len(weights.keys() & said) + described + 2 * named
        scored.append((score, tool))
    return scored


def _clauses(text: str) -> list[tuple[int, int, int]]:
    """Start, end and step of each piece that may ask for one thing; what is quoted is never cut."""
    quoted = [found.span() for found in re.finditer(QUOTED, text)]
    found: list[tuple[int, int, int]] = []
    start = step = 0
    for cut in _CLAUSE_END.finditer(text):
        if not any(begin < cut.start() < end for begin, end in quoted):
            found.append((start, cut.start(), step))
            start, step = cut.end(), step + (cut["later"] is not None)
    return [clause for clause in (*found, (start, len(text), step)) if text[clause[0] : clause[1]].strip()]


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()
