"""Filling a tool's arguments from a person's words, by the tool's JSON Schema.

Every value found is checked against its schema before it is used; what is required and not found is taken from
defaults, enums and limits, and reported as missing. Knows no wire and no conversation.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from callgate.core.messages import Json
from callgate.core.tool import Schema
from callgate.upstream.demo_phrases import Phrases
from callgate.upstream.demo_schema import DemoSchema
from callgate.upstream.demo_words import name_tokens, stem, text_tokens

_ROLES: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (role, frozenset(name_tokens(names)))
    for role, names in (
        ("url", "url uri link href website"),
        ("email", "email recipient"),
        ("zone", "timezone tz zone"),
        ("path", "path file filename filepath directory root repo repository"),
        ("command", "command script code program sql statement"),
        ("glob", "pattern glob include exclude mask"),
        ("place", "city location place country town region"),
        ("date", "date day deadline"),
    )
)
"""What a text argument is about, told by the words of its name; anything else is free text."""
_COUNTS = frozenset(name_tokens("limit count max maximum number num top first n amount size"))
_COUNT_WORDS = ["first", "top", "last", "limit", "at most", "up to", "result", "item", "match", "entr", "time"]
_FOLDERS = frozenset(name_tokens("directory repo repository"))
_STARTS = frozenset({"start", "from", "begin", "first", "min", "minimum", "offset"})
_ENDS = frozenset({"end", "to", "stop", "last", "until"})
_NO = r"\b(?:no|not|without|don't|do not|never)\s+(?:be\s+)?"


@dataclass(frozen=True, slots=True)
class Filled:
    values: dict[str, Json]
    missing: tuple[str, ...] = ()
    """Required, but the words say nothing of it."""
    exact: tuple[str, ...] = ()
    """Lifted out of the words as they stand, not guessed from free text."""


@dataclass(slots=True)
class _Filling:
    """One run over the properties of an object."""

    phrases: Phrases
    context: str
    """All that the person said: a choice made anywhere counts for every call."""
    purpose: set[str]
    """The words of the tool's name."""
    schema: DemoSchema
    eager: bool
    """The person named the tool: a single word left over is what it is for."""
    values: dict[str, Json] = field(default_factory=dict[str, Json])
    exact: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])


def fill(schema: Schema | None, words: str, *, tool: str = "", context: str = "", eager: bool = False) -> Filled:
    """Arguments for a tool. Optional ones are given only where the words speak of them."""
    root = DemoSchema(schema or {})
    properties = root.properties()
    filling = _Filling(Phrases(words), context or words, set(name_tokens(tool)), root, eager)
    required = [name for name in root.required() if name in properties]
    for name, property_ in properties.items():
        _try(filling, name, filling.phrases.keyed(name), property_)
    passes: tuple[Callable[[_Filling, str, Mapping[str, Json], bool], None], ...] = (_plain, _shaped, _free)
    for fill_some in passes:
        for name in sorted(properties, key=lambda name: name not in required):
            if name not in filling.values:
                fill_some(filling, name, properties[name], name in required)
    for name in root.required():
        if name not in filling.values:
            filling.missing.append(name)
            filling.values[name] = root.assume(properties.get(name, {}))
    _mend(filling)
    missing = [name for name in filling.missing if not _goes_without_saying(properties.get(name, {}))]
    return Filled(filling.values, tuple(missing), tuple(filling.exact))


def free_text(words: str, tool: str = "") -> str:
    """What a custom tool gets: the text that is meant for it."""
    phrases = Phrases(words)
    return phrases.command() or phrases.free(_leading(tool))[0] or words.strip()


def _plain(filling: _Filling, name: str, property_: Mapping[str, Json], required: bool) -> None:
    """Choices, switches and numbers."""
    options = filling.schema.options(property_)
    if options:
        texts = [option for option in options if isinstance(option, str)]
        told = next((text for text in texts if _mentions(filling.context, text)), None)
        if told is not None:
            _try(filling, name, told, property_)
        return
    match filling.schema.kind(property_):
        case "boolean":
            _switch(filling, name, property_)
        case "integer" | "number":
            _try(filling, name, _number(filling, name, required), property_)
        case "object" if required:
            inner = fill(filling.schema.within(property_), filling.phrases.text, context=filling.context)
            filling.values[name] = inner.values
        case _:
            pass


def _switch(filling: _Filling, name: str, property_: Mapping[str, Json]) -> None:
    words = [word for word in name_tokens(name) if word not in ("is", "us", "enabl")]
    if words and all(word in text_tokens(filling.context) for word in words):
        denied = re.search(_NO + re.escape(words[0]), filling.context, re.IGNORECASE)
        _try(filling, name, "false" if denied else "true", property_)


def _number(filling: _Filling, name: str, required: bool) -> str | None:
    tokens = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    if _STARTS & set(tokens[:1]) or _ENDS & set(tokens[:1]):
        end = filling.phrases.range_end(first=bool(_STARTS & set(tokens)))
        if end:
            return end
    beside = [word for word in tokens if len(word) > 2] + (_COUNT_WORDS if _COUNTS & set(name_tokens(name)) else [])
    return filling.phrases.number_beside(beside) or (filling.phrases.number() if required else None)


def _shaped(filling: _Filling, name: str, property_: Mapping[str, Json], required: bool) -> None:
    """Texts that have a shape of their own: paths, commands, places …"""
    kind = filling.schema.kind(property_)
    if kind == "array" and required:
        items = _several(filling, name)
        if items:
            _try(filling, name, items, property_)
    if kind != "string" or filling.schema.options(property_):
        return
    role = _role(name, property_)
    if role == "glob" and not required and filling.phrases.text.count("*") == 0:
        return
    _try(filling, name, _lifted(filling, name, role, property_, required), property_)


def _lifted(
    filling: _Filling, name: str, role: str, property_: Mapping[str, Json], required: bool
) -> str | list[str] | None:
    phrases = filling.phrases
    match role:
        case "url":
            return phrases.url()
        case "email":
            return phrases.email()
        case "zone":
            return phrases.zone()
        case "path":
            about = set(name_tokens(name)) | text_tokens(str(property_.get("description", ""))) | filling.purpose
            folders = bool(_FOLDERS & about) or (not required and stem("file") not in name_tokens(name))
            found = phrases.path(folders=folders, files=stem("file") in about)
            here = required and _FOLDERS & (set(name_tokens(name)) | filling.purpose)
            return found or ("." if here else None)
        case "command":
            return phrases.command(filling.eager)
        case "glob":
            return phrases.glob()
        case "place":
            return phrases.place()
        case "date":
            return phrases.date()
        case _:
            return None


def _several(filling: _Filling, name: str) -> list[str]:
    found = filling.phrases.all_quoted()
    if not found and _role(name, {}) == "path":
        found = filling.phrases.paths()
    return found


def _free(filling: _Filling, name: str, property_: Mapping[str, Json], required: bool) -> None:
    """Whatever the words say beyond that goes to the first free text that is required."""
    if not required or filling.schema.kind(property_) != "string" or filling.schema.options(property_):
        return
    role = _role(name, property_)
    if role not in ("", "glob") and not filling.eager:
        return
    text, announced = filling.phrases.free(_leading(" ".join(filling.purpose)))
    if not text or (" " in text and role not in ("", "command", "place")):
        return
    value = f"**/*{text}*" if role == "glob" else text
    if _try(filling, name, value, property_) and not announced:
        filling.exact.remove(name)


def _leading(tool: str) -> set[str]:
    """Words at the head of a request that only say which tool is meant."""
    verbs = {"search", "find", "look", "grep", "run", "execute", "read", "show", "list", "ask", "query", "write", "up"}
    return verbs | set(re.findall(r"[a-z]+", tool.lower()))


def _role(name: str, property_: Mapping[str, Json]) -> str:
    tokens = name_tokens(name)
    for role, names in _ROLES:
        if names.intersection(tokens):
            return role
    described = str(property_.get("format", ""))
    return {"uri": "url", "email": "email", "date": "date", "date-time": "date"}.get(described, "")


def _mentions(text: str, option: str) -> bool:
    if not option:
        return False
    words = re.escape(option).replace("_", r"[\s_-]").replace(r"\-", r"[\s_-]")
    return re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) is not None


def _try(filling: _Filling, name: str, found: str | list[str] | None, property_: Mapping[str, Json]) -> bool:
    """Uses what was found if it fits the schema."""
    if found is None:
        return False
    for value in filling.schema.readings(found, property_):
        if filling.schema.accepts(value, property_):
            filling.values[name] = value
            filling.exact.append(name)
            return True
    return False


def _goes_without_saying(property_: Mapping[str, Json]) -> bool:
    return any(key in property_ for key in ("default", "const", "enum"))


def _mend(filling: _Filling) -> None:
    """Arguments that do not fit together fall back to what is required, then to what the schema itself suggests."""
    root = filling.schema
    if root.accepts_whole(filling.values):
        return
    needed = {name: filling.values[name] for name in root.required()}
    assumed = root.assume(root.value)
    for values in (needed, {**needed, **assumed} if isinstance(assumed, dict) else needed, assumed):
        if isinstance(values, dict) and root.accepts_whole(values):
            filling.values = values
            filling.exact = [name for name in filling.exact if name in values]
            return
