"""What a tool's definition costs a model to read, in tokens. Always an estimate, and to be shown as one ("about").

The tokenizers themselves are downloads of many megabytes, and two of the three are not public. So a text is cut the way
`o200k` cuts it before it looks anything up (words with the sign before them, digits in threes, runs of signs), and each
piece is counted as common words are. How a service turns a definition into text differs:

    openai      as its cookbook counts tools for gpt-4o: so many for each function, property and choice
    anthropic   as JSON, without what its short form saves; the instructions around all tools are not part of it
    gemini      names, types and descriptions; nothing is published, so this is the roughest of the three

Measured against the published counts (see the tests) openai's is within a tenth, anthropic's within a quarter.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.messages import Json
from callgate.core.tool import Tool, ToolSpec

Family = Literal["openai", "anthropic", "gemini"]
FAMILIES: Final[tuple[Family, ...]] = ("openai", "anthropic", "gemini")

_PIECES: Final = re.compile(
    r"(?P<word>[^\r\nA-Za-z0-9\x80-\U0010ffff]?(?:[A-Z]?[a-z]+|[A-Z]+))"
    r"|(?P<digits>[0-9]{1,3})|(?P<far>[^\x00-\x7f]+)|(?P<signs> ?[^\sA-Za-z0-9\x80-\U0010ffff]+)|(?P<blank>\s+)"
)
_WHOLE_WORD: Final = 10
"""Words up to this length are mostly one token."""
_WORD_STEP: Final = 4
_SIGNS_STEP: Final = 3
_FIRST_DENSE: Final = 0x2E80
"""From here on scripts write a word in a sign or two."""
_DENSE, _SPARSE = 0.85, 0.4
"""Tokens for each sign of dense scripts, and of other alphabets than Latin."""

_FUNCTION, _FUNCTION_END, _OBJECT, _PROPERTY, _ENUM, _CHOICE = 7, 12, 3, 3, -3, 3
_JSON_SHARE: Final = 0.8
_DEEPEST: Final = 12
_MOST_NODES: Final = 5000
"""What lies beyond costs too, but counting it is not worth a stall; it is told from the size of the whole."""

_MOST_LETTERS: Final = 40_000
_LINES_A_STEP: Final = 200
_PIECES_A_STEP: Final = 3000


@dataclass(frozen=True, slots=True)
class TokenCost:
    openai: int = 0
    anthropic: int = 0
    gemini: int = 0

    @property
    def typical(self) -> int:
        """One number, where there is room for one: the middle of the three."""
        return sorted((self.openai, self.anthropic, self.gemini))[1]

    def of(self, family: Family) -> int:
        return {"openai": self.openai, "anthropic": self.anthropic, "gemini": self.gemini}[family]

    def __add__(self, other: "TokenCost") -> "TokenCost":
        return TokenCost(self.openai + other.openai, self.anthropic + other.anthropic, self.gemini + other.gemini)


def text_tokens(text: str) -> int:
    """About how many tokens a text is; of a very long one the rest is taken to be like its beginning."""
    return next(total for total in _counting_text(text) if total is not None)


def _counting_text(text: str) -> Iterator[int | None]:
    """The same in steps: None as long as there is more to count."""
    total, share = 0.0, max(1.0, len(text) / _MOST_LETTERS)
    for number, piece in enumerate(_PIECES.finditer(text, 0, _MOST_LETTERS), 1):
        length = piece.end() - piece.start()
        match piece.lastgroup:
            case "word":
                total += 1 if length <= _WHOLE_WORD else 1 + math.ceil((length - _WHOLE_WORD) / _WORD_STEP)
            case "signs":
                total += 1 if length <= _SIGNS_STEP else math.ceil(length / _SIGNS_STEP)
            case "far":
                total += sum(_DENSE if ord(sign) >= _FIRST_DENSE else _SPARSE for sign in piece.group())
            case _:
                total += 1
        if number % _PIECES_A_STEP == 0:
            yield None
    yield math.ceil(math.ceil(total) * share)


def token_cost(tool: Tool | ToolSpec) -> TokenCost:
    return next(cost for cost in counting(tool) if cost is not None)


def counting(tool: Tool | ToolSpec) -> Iterator[TokenCost | None]:
    """The same in steps, for whoever must not stand still: None as long as there is more to count, then the cost."""
    schema: Mapping[str, Json] = tool.schema or {}
    lines: list[_Line] = []
    for line in _lines(schema):
        lines.append(line)
        if len(lines) % _LINES_A_STEP == 0:
            yield None
    head = text_tokens(f"{tool.name}:{tool.description.rstrip('.')}")
    inner = sum(line.tokens for line in lines)
    named = sum(1 for line in lines if line.is_property)
    openai = _FUNCTION + head + inner + _FUNCTION_END + sum(line.overhead for line in lines)
    spoken: dict[str, Json] = {"name": tool.name, "description": tool.description, "input_schema": dict(schema)}
    as_json = 0
    for counted in _counting_text(_json(spoken)):
        as_json = counted or 0
        yield None
    anthropic = math.ceil(as_json * _JSON_SHARE)
    gemini = head + inner + 2 * named + 4
    yield TokenCost(openai, anthropic, gemini)


def total_cost(tools: Iterable[Tool]) -> TokenCost:
    whole = TokenCost()
    for tool in tools:
        whole += token_cost(tool)
    return whole


@dataclass(frozen=True, slots=True)
class _Line:
    tokens: int
    overhead: int
    is_property: bool = True


def _lines(schema: Mapping[str, Json]) -> Iterator[_Line]:
    """One for each property or choice, however deep."""
    waiting: list[tuple[Mapping[str, Json], int]] = [(schema, 0)]
    nodes = 0
    while waiting and nodes < _MOST_NODES:
        given, depth = waiting.pop()
        nodes += 1
        properties = given.get("properties")
        if isinstance(properties, Mapping) and properties:
            yield _Line(0, _OBJECT, is_property=False)
            for name, inner in properties.items():
                nodes += 1
                prop = inner if isinstance(inner, Mapping) else {}
                yield _property(str(name), prop)
                if depth < _DEEPEST:
                    waiting.append((prop, depth + 1))
        if depth < _DEEPEST:
            waiting.extend((below, depth + 1) for below in _below(given))


def _property(name: str, schema: Mapping[str, Json]) -> _Line:
    kind = schema.get("type", "any")
    said = schema.get("description")
    about = said.rstrip(".") if isinstance(said, str) else ""
    spelled = kind if isinstance(kind, str) else _json(kind)
    tokens, overhead = text_tokens(f"{name}:{spelled}:{about}"), _PROPERTY
    enum = schema.get("enum")
    if isinstance(enum, list) and enum:
        tokens += sum(text_tokens(str(value)) for value in enum)
        overhead += _ENUM + _CHOICE * len(enum)
    return _Line(tokens, overhead)


def _below(schema: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    items = schema.get("items")
    if isinstance(items, Mapping):
        yield items
    for key in ("anyOf", "oneOf", "allOf"):
        options = schema.get(key)
        for option in options if isinstance(options, list) else ():
            if isinstance(option, Mapping):
                yield option
    for key in ("$defs", "definitions"):
        named = schema.get(key)
        for inner in named.values() if isinstance(named, Mapping) else ():
            if isinstance(inner, Mapping):
                yield inner


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
