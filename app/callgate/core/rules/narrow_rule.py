"""The narrowest useful rule for a call: each of its arguments as a condition that can be taken in or left out.

    path="src/app/main.py"      args.path:src/app/**        other files of the same folder
    command="git log | head"    command:'git log *' or …    the same commands, each judged by itself
    force=true, mode="fast"     args.force=true and …       exactly this

Narrow unless it is known that an argument differs with every call. Whatever is built holds for the call it was built
from; an argument that the language of rules cannot name is told apart, never left out in silence. Pure.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson
import regex

from callgate.core.calls.targets import Targets, targets_of
from callgate.core.messages import Json
from callgate.core.rules.glob import collapsed
from callgate.core.shell.wrappers import is_wrapper
from callgate.core.tool import Schema, Tool

MOST_CONDITIONS = 12
"""More cannot be looked through in the moment of a decision; what is deeper or further is compared as a whole."""
_MOST_KEYS = 40
"""Past this, arguments are told as what no rule can speak of."""
_LONGEST = 2000
"""Characters of a text that a rule can ask for; a longer one can be read by nobody."""
_DEEPEST = 2
"""Steps into nested objects."""

_PATHS = re.compile(
    r"(^|_)(path|paths|file|files|filename|filepath|dir|dirs|directory|folder|folders|cwd|root|src|dest)$"
)
_COMMANDS = re.compile(r"(^|_)(command|cmd|commandline|command_line|shell)$")
_FREE_TEXT = re.compile(
    r"(^|_)(content|contents|text|body|message|description|query|prompt|question|title|summary|reason|explanation"
    r"|comment|note|pattern|replacement|old_string|new_string|old_str|new_str|todos)$"
)
"""Differs with every call, and runs nothing by itself."""
_PAGING = re.compile(
    r"(^|_)(limit|offset|start|end|line|lines|column|page|count|depth|timeout|max|first|last|from_line|to_line"
    r"|max_results|context|height|width)$"
)
_SPEAKABLE = re.compile(r"[^\s()\"':=~<>.]+")
"""A key that can stand in a field's name."""
_BARE = re.compile(r"[\w./*@%+,:=\\-]+")
_PLAIN_WORD = re.compile(r"[A-Za-z0-9][\w.-]*")
_HARMLESS = r"[\w ./=:@%+,-]*"
"""What may follow a command's prefix: nothing by which a shell could be made to do more."""
_RUNS_ANYTHING = re.compile(
    r"(ba|z|da|fi|k)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|sudo|doas|su|env|xargs|ssh|eval|exec|find|awk|sed"
    r"|make|npx|uvx|pipx|docker|podman|kubectl|curl|wget|rm|dd|chmod|chown|nohup|time|watch"
)
"""Programs for which their name says nothing of what will happen."""


_LASTING_EFFECT = re.compile(
    r"push|reset|clean|checkout|switch|rebase|restore|merge|rm|remove|delete|destroy|drop|prune|publish|release|deploy"
    r"|apply|install|uninstall|add|upgrade|exec|run|x|eval|start|stop|kill|config"
)
"""Sub-commands for which it matters what follows them."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One argument, as a condition of a rule."""

    name: str
    """Its path: `path`, `options.force`."""
    when: str
    """The expression, such as `args.path:src/**`."""
    words: str
    """What it asks for, short: `src/**`, `= true`."""
    chosen: bool = True
    """Part of the narrowest useful rule; else it differs with every call."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    conditions: tuple[Condition, ...] = ()
    unspeakable: tuple[str, ...] = ()
    """Arguments that no rule can speak of: it will hold whatever they are."""

    @property
    def when(self) -> str:
        return joined(condition for condition in self.conditions if condition.chosen)


@dataclass(slots=True)
class _Found:
    conditions: list[Condition] = field(default_factory=list[Condition])
    unspeakable: list[str] = field(default_factory=list[str])


def narrow(arguments: str, schema: Schema | None = None, *, tool: str = "", tags: Collection[str] = ()) -> Narrowing:
    """All that can be asked of a call's arguments. `tool` and its tags say whether they hold a shell line."""
    targets = targets_of(tool, arguments, tags) if tool else Targets()
    found = _Found()
    if targets.commands:
        found.conditions.append(_commands(targets))
    value = _loaded(arguments)
    if isinstance(value, dict):
        _object(found, {key: item for key, item in value.items() if key != targets.argument}, (), schema or {})
    elif arguments.strip() and not targets.commands:
        found.unspeakable.append("the arguments")
    if targets.edits and not any(_PATHS.search(_snake(one.name.split(".")[-1])) for one in found.conditions):
        found.conditions.append(_edits(targets.edits))
    return Narrowing(tuple(found.conditions), tuple(found.unspeakable))


def narrow_for(arguments: str, tool: Tool | None, name: str) -> Narrowing:
    """The same for a call of a tool that the catalog may know."""
    if tool is None:
        return narrow(arguments, tool=name)
    return narrow(arguments, tool.schema, tool=name, tags=tool.tags)


def joined(conditions: Iterator[Condition] | Sequence[Condition]) -> str:
    """The conditions as one expression; empty = always."""
    return " and ".join(condition.when for condition in conditions)


# ---- what a call reaches: judged part by part, so that each part needs to fit one of the alternatives ---------------


def _commands(targets: Targets) -> Condition:
    alternatives: list[str] = []
    words: list[str] = []
    for number, command in enumerate(targets.commands):
        # what it runs or writes besides must be named: a prefix would not
        prefix = "" if any(targets.inner[number : number + 1]) else _prefix(command)
        if prefix:
            alternatives += [f"command={_quoted(prefix)}", f"command:{_quoted(f'{prefix} *')}"]
            words.append(f"{prefix} …")
        else:
            alternatives.append(_exactly("command", command))
            words.append(command)
    return Condition(targets.argument or "command", _either(alternatives), _short(", ".join(words)))


def _edits(paths: Sequence[str]) -> Condition:
    """Files that are named deep inside of the arguments, where no other condition reaches them."""
    fits: list[str] = []
    words: list[str] = []
    for path in paths:
        folder = _folder(path, named=True)
        words.append(f"{folder}/**" if folder else path)
        fits.append(f"edits:{_quoted(words[-1])}" if folder else _exactly("edits", path))
    return Condition("files", _either(fits), _short(", ".join(dict.fromkeys(words))))


def _either(alternatives: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(alternatives))
    return distinct[0] if len(distinct) == 1 else f"({' or '.join(distinct)})"


# ---- walking -------------------------------------------------------------------------------------------------------


def _object(found: _Found, value: Mapping[str, Json], path: tuple[str, ...], schema: Mapping[str, Json]) -> None:
    for key, item in value.items():
        here = (*path, key)
        too_long = isinstance(item, str) and len(item) > _LONGEST and not _FREE_TEXT.search(_snake(key))
        if not _SPEAKABLE.fullmatch(key) or too_long or len(found.conditions) >= _MOST_KEYS:
            found.unspeakable.append(".".join(here))
            continue
        if isinstance(item, str) and len(item) > _LONGEST:
            continue  # free text: it would not be asked for anyway
        below = _schema_of(schema, key)
        roomy = len(found.conditions) + len(value) <= MOST_CONDITIONS
        if isinstance(item, dict) and item and len(here) < _DEEPEST and roomy:
            _object(found, item, here, below)
        elif isinstance(item, list):
            _list(found, item, here)
        else:
            found.conditions.append(_condition(here, item, "enum" in below or "const" in below))


def _list(found: _Found, items: list[Json], path: tuple[str, ...]) -> None:
    """A rule sees the items one by one, and holds if any of them fits; so it must say that no other one is there."""
    name = ".".join(path)
    if not items:
        found.conditions.append(Condition(name, f"not args.{name}:*", "is empty"))
    elif all(not isinstance(item, dict | list) for item in items) and sum(map(len, map(str, items))) <= _LONGEST:
        texts = [_plain(item) for item in items]
        either = "|".join(_escaped(text) for text in dict.fromkeys(texts))
        words = "only " + ", ".join(_short(text) for text in dict.fromkeys(texts))
        chosen = not _FREE_TEXT.search(path[-1].lower())
        another = r"\A(?!(?:" + either + r")\Z)"
        found.conditions.append(Condition(name, f"not args.{name}~{_quoted(another)}", _short(words), chosen))
    else:
        found.unspeakable.append(name)


def _condition(path: tuple[str, ...], value: Json, is_enum: bool) -> Condition:
    name, last = ".".join(path), _snake(path[-1])
    if isinstance(value, str) and not is_enum:
        return _text(name, last, value)
    if isinstance(value, dict):
        return _equal(name, orjson.dumps(value).decode(), chosen=True)
    paged = isinstance(value, int | float) and not isinstance(value, bool) and bool(_PAGING.search(last))
    return _equal(name, _plain(value), chosen=is_enum or not paged)


def _text(name: str, last: str, value: str) -> Condition:
    if _COMMANDS.search(last):
        return _command(name, value)
    folder = _folder(value, named=bool(_PATHS.search(last)))
    if folder:
        glob = f"{folder}/**"
        return Condition(name, f"args.{name}:{_quoted(glob)}", _short(glob))
    return _equal(name, value, chosen=not _FREE_TEXT.search(last))


# ---- kinds of text -------------------------------------------------------------------------------------------------


def _folder(value: str, *, named: bool) -> str:
    """The folder of a path, or the host of an address, within which a rule may hold; empty = it must be exact."""
    address = re.match(r"https?://[^/\s?#*]+(?=/)", value)
    if address:
        return address[0]
    looks_like_one = named or re.fullmatch(r"(?:\.{0,2}/)?(?:[\w.@ -]+/)+[\w.@ -]+", value) is not None
    folder, slash, _ = value.rpartition("/")
    if not looks_like_one or not slash or "*" in folder or "?" in folder or not value.isprintable():
        return ""
    if collapsed(value) != value or folder.strip("/") in ("", ".", "..", "~") or "://" in value:
        return ""
    return folder


def _command(name: str, value: str) -> Condition:
    """A command of a tool that is no known shell: it is not taken apart, so nothing may be chained to its prefix."""
    prefix = _prefix(value) if re.fullmatch(_HARMLESS, value) else ""
    if not prefix:
        return _equal(name, value, chosen=True)
    pattern = f"^{_escaped(prefix)}( {_HARMLESS})?$"
    return Condition(name, f"args.{name}~{_quoted(pattern)}", f"{prefix} …")


def _prefix(command: str) -> str:
    """The program and its sub-command; empty where they say too little of what will happen."""
    words = command.split(" ")
    if len(words) < 2 or _RUNS_ANYTHING.fullmatch(words[0]) or is_wrapper(words[0]) or "." in words[1]:
        return ""
    if not _PLAIN_WORD.fullmatch(words[0]) or not _PLAIN_WORD.fullmatch(words[1]):
        return ""
    if _LASTING_EFFECT.fullmatch(words[1]):
        return ""
    return " ".join(words[:2])


def _equal(name: str, text: str, *, chosen: bool) -> Condition:
    return Condition(name, _exactly(f"args.{name}", text), f"= {_short(text)}", chosen)


def _exactly(field_name: str, text: str) -> str:
    if text.isprintable() and not (text.endswith("\\") and not _BARE.fullmatch(text)):
        return f"{field_name}={_quoted(text)}"
    # a quoted text can't end with a backslash, and line breaks would be lost in a field of one line
    exactly = r"\A" + _escaped(text) + r"\Z"
    return f"{field_name}~{_quoted(exactly)}"


# ---- spelling ------------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    """A value as the language reads it: bare where it can be, else in the quotes that need less escaping."""
    if _BARE.fullmatch(text):
        return text
    quote = '"' if "'" in text and '"' not in text else "'"
    return quote + text.replace(quote, "\\" + quote) + quote


def _escaped(text: str) -> str:
    """A text as a pattern for itself, on one line and with nothing invisible in it."""
    return "".join(
        regex.escape(sign, special_only=True) if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in text
    )


def _plain(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).replace("-", "_").lower()


def _schema_of(schema: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    properties = schema.get("properties")
    below = properties.get(key) if isinstance(properties, dict) else None
    return below if isinstance(below, dict) else {}


def _loaded(arguments: str) -> Json:
    try:
        return orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return None
