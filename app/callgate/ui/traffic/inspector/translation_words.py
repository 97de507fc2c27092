"""What a difference between two forms of one request means, in words: a tool renamed, a keyword dropped, messages
merged, an id written anew. Pure; what is not recognised is left without words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from callgate.core.json.diff import Change, Place
from callgate.core.messages import Json

TOOLS: Final = frozenset({"tools", "functions", "functionDeclarations", "function_declarations"})
MESSAGES: Final = frozenset({"messages", "input", "contents"})
SCHEMAS: Final = frozenset({"schema", "parameters", "input_schema", "inputSchema", "parametersJsonSchema"})
IDS: Final = frozenset({"id", "call_id", "tool_call_id", "tool_use_id", "item_id"})
NAMES: Final = frozenset({"name"})
SETTINGS: Final = frozenset({"sampling", "generationConfig", "thinking", "reasoning", "extras"})
"""Objects whose fields are settings themselves."""

_RENAMED: Final = "tool renamed"
_KEYWORD: Final = "keyword dropped"
_MERGED: Final = "message merged"
_ID: Final = "id rewritten"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a difference is, and of what."""

    what: str
    of: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.of}" if self.of else self.what


def meanings(changes: Sequence[Change]) -> tuple[Meaning | None, ...]:
    """Of each difference, what it means; None = nothing that is recognised."""
    added = {_print(part) for change in changes if change.kind == "added" for part in _parts(change.after)}
    return tuple(_meaning(change, added) for change in changes)


def summary(found: Sequence[Meaning | None]) -> str:
    """How often each: `1 tool renamed, 3 keywords dropped`."""
    counts = Counter(meaning.what for meaning in found if meaning is not None)
    return ", ".join(f"{count} {_plural(what, count)}" for what, count in counts.items())


def _meaning(change: Change, added: set[bytes]) -> Meaning | None:
    names = [step for step in change.path if isinstance(step, str)]
    roots = set(names)
    if roots & TOOLS:
        return _about_tool(change, names)
    if roots & MESSAGES:
        return _about_message(change, names, added)
    return _about_setting(change, names)


def _about_tool(change: Change, names: list[str]) -> Meaning | None:
    last = change.path[-1]
    if isinstance(last, Place) and not set(names) & SCHEMAS:
        return _whole("tool", change, _name_of(change.after if change.kind == "added" else change.before))
    if change.kind == "changed" and names[-1] in NAMES and not set(names) & SCHEMAS:
        return Meaning(_RENAMED, f"{change.before} → {change.after}")
    inside = next((index for index, name in enumerate(names) if name in SCHEMAS), None)
    if inside is None:
        return Meaning("description changed") if names[-1] == "description" and change.kind == "changed" else None
    where = ".".join(names[inside + 1 :]) or "the whole schema"
    match change.kind:
        case "removed":
            return Meaning(_KEYWORD, where)
        case "added":
            return Meaning("keyword added", where)
        case _:
            return Meaning("keyword changed", where)


def _about_message(change: Change, names: list[str], added: set[bytes]) -> Meaning | None:
    last = change.path[-1]
    if change.kind == "changed" and names[-1] in IDS:
        return Meaning(_ID, f"{change.before} → {change.after}")
    if change.kind == "changed" and names[-1] == "name":
        return Meaning(_RENAMED, f"{change.before} → {change.after}")
    if isinstance(last, Place) and len(names) == 1:
        parts = _parts(change.before)
        if change.kind == "removed" and parts and all(_print(part) in added for part in parts):
            return Meaning(_MERGED, _role_of(change.before))
        return _whole("message", change, _role_of(change.after if change.kind == "added" else change.before))
    if names[-1] == "signature" and change.kind != "changed":
        return Meaning("proof dropped" if change.kind == "removed" else "proof added")
    return None


def _about_setting(change: Change, names: list[str]) -> Meaning | None:
    if not names or (len(names) > 1 and names[0] not in SETTINGS):
        return None
    name = names[-1]
    held = change.after if change.kind == "added" else change.before
    if names == ["extras"] and isinstance(held, dict):
        name = ", ".join(held)  # what a wire says beyond the neutral form goes by its own names
    match change.kind:
        case "removed":
            return Meaning("setting dropped", name)
        case "added":
            return Meaning("setting added", name)
        case _ if name == "model":
            return Meaning("model renamed", f"{change.before} → {change.after}")
        case _:
            return Meaning("setting changed", name)


def _whole(what: str, change: Change, name: str) -> Meaning | None:
    match change.kind:
        case "added":
            return Meaning(f"{what} added", name)
        case "removed":
            return Meaning(f"{what} left out", name)
        case _:
            return None


def _name_of(tool: Json) -> str:
    if not isinstance(tool, dict):
        return ""
    inner = tool.get("function")
    holder = inner if isinstance(inner, dict) else tool
    return str(holder.get("name") or holder.get("type") or "")


def _role_of(message: Json) -> str:
    return str(message.get("role") or message.get("type") or "") if isinstance(message, dict) else ""


def _parts(message: Json) -> list[Json]:
    """What a message holds; a part alone is itself."""
    if not isinstance(message, dict):
        return []
    for field in ("parts", "content"):
        held = message.get(field)
        if isinstance(held, list):
            return held
        if isinstance(held, str):
            return [{"type": "text", "text": held}]
    return [message]


def _print(part: Json) -> bytes:
    """Texts are the same whatever their part is called."""
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"]).encode("utf-8", "replace")
    try:
        return orjson.dumps(part, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # huge integers, half surrogate pairs
        return repr(part).encode("ascii", "backslashreplace")


def _plural(what: str, count: int) -> str:
    noun, _, rest = what.partition(" ")
    return what if count == 1 else f"{noun}s {rest}"
