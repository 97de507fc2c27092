"""A tool's arguments, lifted from a person's words by the tool's JSON Schema.

What one argument has taken, another does not get; what does not fit the schema is left out.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from callgate.core.json.text import parse
from callgate.core.messages import Json
from callgate.core.schema.form_schema import Schemas, Undescribed, merge, types_of
from callgate.core.schema.json_schema import compiled
from callgate.core.tool import Schema

QUOTED = r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)"
FILE = (
    r"(?<![\w@.+/\\*~-])(?:[A-Za-z]:\\[\w\\.@+-]+|(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@+-]*[\w/]|/[\w.@+-]+"
    r"|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}|\.[A-Za-z][\w-]+)(?![\w*/])"
)
BARE_COMMAND = r"^\s*([a-z][\w.+-]*\s+-{1,2}\w.*|(?:ls|pwd|make|pytest)|(?:git|npm|pip|echo)\s\S.*)$"
_RUN = r"\b(?:run|execute|launch|start)\s+(?:the\s+)?(?:shell\s+)?(?:command:?\s+)?(?!(?:the|my|all|an?|it|tests?)\b)"
_NAME = (  # not every word next to "folder" is its name
    r"(?<![\w.@+/-])(?!(?:an?|all|and|the|this|that|my|our|your|it|its|here|each|me|about|for|in|of|on|with|files?|folders?|directory|"
    r"which|contents?|everything|code|text|detail|workspace|project|current|working)\b)((?-i:[a-z0-9._@/~])[\w.@+/-]*\w)"
)
_PROPER = r"((?-i:[A-ZÀ-Þ][\w'’-]*(?:\s(?:de\s|do\s)?[A-ZÀ-Þ][\w'’-]*)*))"
_NUMBER = r"(?<![\w./])-?\d+(?:\.\d+)?(?![\w/]|\.\d)"
_ABOUT = r"\b(?:for|about|saying|titled|named|called|containing|says|where is|translate|echo)\s+(\S.*)"
_REST = r"^(.+)$"
_TO = r"\s*(?:-|–|to|through|until)\s*"
_CITIES = (
    "Europe/Paris Europe/London Europe/Berlin Europe/Rome Asia/Tokyo Asia/Kolkata Australia/Sydney America/New_York"
)
_ENDINGS = "python py, markdown md, javascript js, typescript ts, rust rs, java java, json json, yaml yaml, toml toml"
_COURTESY = re.compile(r"(?:[\s,]*\b(?:please|for me|now|thanks|thank you))+[\s.!?]*$|(?<=[^\s.!?])[.!?]+$", re.I)
_LOOSE = re.compile(
    r"(?:\s+(?:in|at|from|to|under|of|on|with|and|as|the|my|code|project|workspace|defined|used|file|folder))+\s*$",
    re.I,
)
_OPENING = re.compile(
    r"please|can|could|would|you|i|want|need|to|now|just|also|and|then|the|an?|some|any|all|me|my|us|use|with|it|of|that|"
    r"ask|search|find|look|run|read|show|list|write|create|save|put|tell",
    re.I,
)


class Kind(NamedTuple):
    names: str
    """Words in the names of such arguments."""
    patterns: tuple[str | tuple[str, str], ...] = ()
    """Where the value stands, the surest first, and what is made of it if not itself: `{}` is what was found."""
    optional: int = 99
    """So many of the patterns count where the argument is not required."""
    assumed: Json = None
    """Of a required one that the words do not say; None = the person is asked."""
    choices: tuple[tuple[str, Json], ...] = ()
    """Where it is one of a few: how each is said."""


URL = Kind("url uri link href website", (r"https?://[^\s<>\"'`)]*[^\s<>\"'`).,;!?]",))
EMAIL = Kind("email recipient to", (r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+",))
ZONE_NAMES = tuple((rf"\b{zone.split('/')[1].replace('_', ' ')}\b", zone) for zone in _CITIES.split())
ZONE = Kind("timezone tz zone", (r"\b(?-i:[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+)+|UTC|GMT)\b", *ZONE_NAMES))
DATE = Kind("date day deadline", (r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?\b",))
TIME = Kind("time", (r"\b\d{1,2}:\d\d\b",))
LANGUAGE = Kind("language lang", (rf"\b(?:in)?to\s+{_PROPER}",))
WHY = Kind("explanation description reason purpose goal", assumed="What the person asked for.")
COMMAND = Kind(
    "command cmd script code", (r"`([^`\n]+)`", rf"{_RUN}(?:{QUOTED})\s*$", rf"{_RUN}(\S.*)$", BARE_COMMAND), optional=0
)
GLOB_NAMES = tuple((rf"\b{one.split()[0]}\b", f"**/*.{one.split()[1]}") for one in _ENDINGS.split(", "))
GLOB_FILES = (
    (r"\.(\w{1,8})(?=\s+files?\b|\s*$)", "**/*.{}"),
    (rf"{QUOTED}|\bnamed\s+(\S+)", "**/*{}*"),
    (FILE, "**/{}"),
)
GLOB = Kind("glob", (r"(?<![\w*./\[\]{},-])[\w./\[\]{},-]*\*[\w./*\[\]{},-]*", *GLOB_FILES, *GLOB_NAMES), optional=1)
FOLDER = Kind(
    "directory dir folder root repo repository cwd",
    (
        rf"\b{_NAME}/?\s+(?:folder|directory|dir)\b|\b(?:folder|directory|dir)\s+(?:named\s+|called\s+)?{_NAME}",
        rf"\b(?:in|inside|under|within|below|ls)\s+(?:the\s+)?{_NAME}",
        (r"\b(?:this|the|current|working|my)\s+(?:folder|directory|workspace|project|repo\w*)\b|\bhere\b", "."),
        FILE,
        rf"\blist\s+(?:the\s+)?{_NAME}\s*$",
    ),
    assumed=".",
)
PROSE = Kind("content text string body message title subject", (QUOTED, _ABOUT, _REST), optional=1)
KNOWN_FILES = ((r"\breadme\b", "README.md"), (r"\bchangelog\b", "CHANGELOG.md"), (r"\blicen[sc]e\b", "LICENSE"))
NAMED_FILES = (
    r"\bfile\s+(?:(?:named|called)\s+)?(?!(?:in|and|for|to|of|the|with|that)\b)([\w.@+-]*\w)",
    r"[`\"'](\S+)[`\"']",
)
PATH = Kind("path file filename filepath", (FILE, *KNOWN_FILES, *NAMED_FILES))
PLACE = Kind(
    "city location place country town region room area",
    (
        rf"\b(?:in|for|at|near|of|to|from)\s+(?:the\s+)?{_PROPER}",
        rf"(?:(?<=\w\s)|^\s*)(?!(?:What|How|Is|The|Will|Does|Show|Tell|Get|Find|And)\b){_PROPER}",
        r"\b(?:in|for|at|near)\s+(?:the\s+)?(?!(?:celsius|fahrenheit|today|tomorrow|now|me|my|this)\b)"
        r"((?:(?:new|san|los|rio|sao|cape|hong|tel)\s(?:de\s)?)?[a-zà-ÿ][\w'’-]{2,})",
    ),
)
START = Kind("start offset", (rf"(\d+)(?={_TO}\d)",), assumed=1)
END = Kind("end", (rf"{_TO}(\d+)|\bfirst\s+(\d+)",), assumed=200)
COUNT = Kind(
    "limit count max top amount", (r"\b(?:first|last|top|limit|most)\s+(\d+)|(\d+)\s+(?:results|items|commits)",)
)
KINDS = (URL, EMAIL, ZONE, DATE, TIME, LANGUAGE, WHY, COMMAND, GLOB, FOLDER, PROSE, PATH, PLACE, START, END, COUNT)
FREE = Kind("", PROSE.patterns, optional=0)
"""All others take what is quoted, what follows "for" or "about", or the words that are left."""


class Filled(NamedTuple):
    values: dict[str, Json]
    missing: tuple[str, ...]
    """Required, but neither said nor to be assumed."""
    exact: set[str]
    """Lifted out of the words as they stand, not just what was left of them."""


class Words:
    """What was asked of one tool, less what its arguments have taken."""

    def __init__(
        self, left: str, tool: str = "", context: str = "", *, forced: bool = False, filler: Json = None, depth: int = 0
    ) -> None:
        """`context` is all that the person said; `forced`: the tool was named, so a single word left over is for it;
        `filler` is said where nothing is known, if a call is due whatever its arguments."""
        self._left, self._context, self._forced, self._filler = left, context or left, forced, filler
        self._tool, self._exact, self._depth = {*stems(tool)}, set[str](), depth

    def fill(self, schema: Schema) -> Filled:
        """Optional arguments are given only where the words speak of them."""
        schemas = Schemas(schema)
        root = _flat(schemas, dict(schema))
        required, given = [str(name) for name in _list(root.get("required"))], root.get("properties")
        named = given if isinstance(given, dict) else {}
        parts = {name: _flat(schemas, named.get(name, {})) for name in (*named, *required)}
        kinds = {name: self._kind(name, part, name in required) for name, part in parts.items()}
        values: dict[str, Json] = {}
        for name in sorted(kinds, key=lambda name: (kinds[name] in (FREE, PROSE), name not in required)):
            value = self._lift(name, {"$defs": schema.get("$defs", {}), **parts[name]}, kinds[name], name in required)
            value = self._assume(parts[name], kinds[name]) if value is None and name in required else value
            values |= {} if value is None else {name: value}
        try:
            validator = compiled(schema)
        except ValueError:  # it refers elsewhere: anything goes, the tool will say so
            validator = compiled({})
        while wrong := {str(one.instance_path[0]) for one in validator.iter_errors(values) if one.instance_path}:
            values = {name: value for name, value in values.items() if name not in wrong}
        values = values if validator.is_valid(values) else {name: values[name] for name in required if name in values}
        return Filled(values, tuple(name for name in required if name not in values), self._exact & values.keys())

    def _lift(self, name: str, part: Schema, kind: Kind, required: bool) -> Json:
        rows = kind.patterns if required else kind.patterns[: kind.optional]
        match part.get("type", "string"):
            case "object" if required and self._depth < 4:  # a schema may contain itself
                inner = Words(self._left, context=self._context, filler=self._filler, depth=self._depth + 1).fill(part)
                return None if inner.missing else inner.values
            case "array":
                return [*iter(lambda: self._first(name, rows), None)] or None if required and kind is not FREE else None
            case _ if kind.choices:  # made anywhere, it counts for every call
                said = (one for pattern, one in kind.choices if re.search(pattern, self._context, re.I))
                return next(said, None)
            case "string":
                return self._first(name, rows)
            case _:
                found = self._first(name, rows)
                return parse(found) if found and re.fullmatch(_NUMBER, found) else None

    def _assume(self, part: Schema, kind: Kind) -> Json:
        """What goes without saying; at any price if there is a filler."""
        least = {"string": self._filler, "array": []}.get(str(part.get("type", "string")), part.get("minimum", 0))
        acts = kind is FOLDER and self._tool & {*stems("create make delete remove move")}
        known = (part.get("default"), None if acts else kind.assumed, None if self._filler is None else least)
        return next((one for one in known if one is not None), None)

    def _kind(self, name: str, part: Schema, required: bool) -> Kind:
        """By its type and the words of its name; its description tells a folder from a file, a glob from a regex."""
        words, about = {*stems(name)}, str(part.get("description")).lower()
        label = r"\W+".join(rf"\b{word}\w*" for word in stems(name)) or "=="
        if options := [part["const"]] if "const" in part else _list(part.get("enum")):
            said = tuple((rf"(?<!\w){re.escape(str(one))}(?!\w)", one) for one in options if one not in (None, ""))
            return Kind("", assumed=options[0], choices=said)
        if part.get("type") == "boolean":
            label_off = rf"\b(?:no|not|without)\s+{label}"
            return Kind("", assumed=False, choices=((label_off, False), (label, True)))
        if "glob" in about or ("pattern" in words and self._tool & {*stems("find file glob")}):
            return GLOB
        kind = next((kind for kind in KINDS if words & {*stems(kind.names)}), FREE)
        if part.get("type") in ("integer", "number") and kind not in (START, END, COUNT):
            return Kind("number", (rf"{label}\s+(?:of\s)?(\d+)|(\d+)\s+{label}", _NUMBER), optional=1)
        folders = "direct" in about or self._tool & {*stems(FOLDER.names)}
        if kind is PATH and folders and not (required and "file" in about):
            return FOLDER
        word = r"^\s*(\S.*)$" if kind is COMMAND else r"^\s*(\S+)\s*$"
        free = kind in (FREE, PROSE) or not self._forced
        return kind if free else kind._replace(patterns=(*kind.patterns, word))

    def _first(self, name: str, patterns: tuple[str | tuple[str, str], ...]) -> str | None:
        """Lifts the first match, rather from outside of quotes than from inside."""
        for row in patterns:
            pattern, template = (row, "{}") if isinstance(row, str) else row
            left = " ".join(self._left.split()) if row in (_ABOUT, _REST) else self._left
            unquoted = re.sub(QUOTED, lambda quoted: "\n" * len(quoted[0]), left)
            if found := re.search(pattern, unquoted, re.I) or (unquoted != left and re.search(pattern, left, re.I)):
                value = _COURTESY.sub("", next((group for group in found.groups() if group), found[0]).strip())
                words = value.split() if row in (_ABOUT, _REST) else []
                while row == _REST and words and (_OPENING.fullmatch(words[0]) or {*stems(words[0])} & self._tool):
                    words.pop(0)
                value = _LOOSE.sub("", " ".join(words)).strip(" ,;:?!") if row in (_ABOUT, _REST) else value
                if value and not {*stems(value)} <= self._tool:  # "Weather?" is no city
                    self._left = f"{_LOOSE.sub('', left[: found.start()])}\n{left[found.end() :]}"
                    self._exact |= set() if row == _REST else {name}
                    return template.replace("{}", value)
        return None


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """The words of a text or an identifier without their endings: `readFiles` and `fs.read_file` have read and file."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    words = (word.lower() for word in re.findall(r"[A-Za-zÀ-ÿ]+|\d+", spaced))
    bare = (re.sub(r"(?:ies|ing|ed|es|s|e|y)$", "", word) if len(word) > 3 else word for word in words)
    return tuple(re.sub(r"([^l])\1$", r"\1", word) for word in bare)


def _flat(schemas: Schemas, part: Json) -> dict[str, Json]:
    """A part with its references followed and the first alternative that is not null merged in."""
    try:
        flat = schemas.flat(part)
        inner = (schemas.flat(one) for key in ("anyOf", "oneOf") for one in _list(flat.get(key)))
        flat = merge(next((one for one in inner if "null" not in types_of(one)), {}), flat)
    except Undescribed:
        return {}
    return {**flat, "type": next((kind for kind in types_of(flat) if kind != "null"), "string")}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
