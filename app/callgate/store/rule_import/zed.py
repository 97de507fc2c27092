"""Tool permissions of Zed: `agent.tool_permissions` in its `settings.json`.

    {"default": "confirm", "tools": {"terminal": {"default": "allow", "always_allow": [{"pattern": "^cargo "}], …}}}

There, a tool's patterns (deny before confirm before allow) come before its default, and that before the general one.
Patterns look at the command of `terminal`, the path of file tools and the address of `fetch`.
"""

from collections.abc import Iterator, Mapping

from callgate.core.match import quoted
from callgate.core.messages import Json
from callgate.core.policy import VerdictKind
from callgate.core.vscode_patterns import spelled_pattern
from callgate.store.rule_import.report import Collecting, ImportReport

PROGRAM = "Zed"
_VERDICTS: dict[str, VerdictKind] = {"always_allow": "allow", "always_confirm": "ask", "always_deny": "deny"}
_DEFAULTS: dict[str, VerdictKind] = {"allow": "allow", "confirm": "ask", "deny": "deny"}
_FIELDS = {
    "terminal": "command",
    "fetch": "urls",
    "edit_file": "edits",
    "write_file": "edits",
    "create_directory": "edits",
    "delete_path": "edits",
    "move_path": "edits",
    "copy_path": "edits",
    "save_file": "edits",
    "restore_file_from_disk": "edits",
}


def import_zed(settings: Mapping[str, Json]) -> ImportReport:
    collecting = Collecting(PROGRAM)
    agent = settings.get("agent")
    permissions = agent.get("tool_permissions") if isinstance(agent, Mapping) else None
    if not isinstance(permissions, Mapping):
        return collecting.report()
    tools = permissions.get("tools")
    own_default: list[str] = []
    for name, entry in tools.items() if isinstance(tools, Mapping) else ():
        if isinstance(entry, Mapping):
            own_default += _tool(collecting, name, entry)
        else:
            collecting.skipped.append((f"tools.{name}", "expected an object"))
    _general(collecting, permissions.get("default", "confirm"), own_default)
    for key in permissions:
        if key not in ("default", "tools"):
            collecting.skipped.append((f"tool_permissions.{key}", "Callgate has no such setting"))
    return collecting.report()


def _tool(collecting: Collecting, name: str, entry: Mapping[str, Json]) -> Iterator[str]:
    """Yields the names that have a default of their own."""
    conditions: dict[VerdictKind, list[str]] = {"allow": [], "ask": [], "deny": []}
    for key, verdict in _VERDICTS.items():
        items = entry.get(key, [])
        for item in items if isinstance(items, list) else ():
            when = _pattern(collecting, name, key, verdict, item)
            if when:
                conditions[verdict].append(when)
    for key in entry:
        if key not in _VERDICTS and key != "default":
            collecting.skipped.append((f"{name}.{key}", "Callgate has no such setting"))
    if "default" in entry:
        yield from _own_default(collecting, name, entry["default"], conditions)


def _pattern(collecting: Collecting, name: str, key: str, verdict: VerdictKind, item: Json) -> str:
    """Adds the rule of one pattern; its condition, if it could be said."""
    text = f"{name}.{key}: {item.get('pattern') if isinstance(item, Mapping) else item}"
    tools = _names(name, verdict)
    try:
        when = _condition(name, item)
    except ValueError as why:
        collecting.inexact(verdict, tools, text, str(why))
        return ""
    collecting.add(verdict, tools, when, text)
    return when


def _condition(name: str, item: Json) -> str:
    if name not in _FIELDS:
        raise ValueError(f"what a pattern means of {name} is not known here")
    pattern = item.get("pattern") if isinstance(item, Mapping) else None
    if not isinstance(pattern, str) or not pattern:
        raise ValueError("it has no pattern")
    sensitive = isinstance(item, Mapping) and item.get("case_sensitive") is True
    body = pattern if sensitive else f"(?i){pattern}"
    return f"{_FIELDS[name]}~{spelled_pattern(body)}"


def _own_default(
    collecting: Collecting, name: str, default: Json, conditions: Mapping[VerdictKind, list[str]]
) -> Iterator[str]:
    verdict = _DEFAULTS.get(default) if isinstance(default, str) else None
    text = f"{name}.default: {default}"
    if verdict is None:
        collecting.skipped.append((text, "expected allow, confirm or deny"))
        return
    # patterns come before the default there; here a rule that restricts would beat them, so it leaves them out
    looser = {"deny": [*conditions["ask"], *conditions["allow"]], "ask": conditions["allow"], "allow": []}[verdict]
    when = f"not ({' or '.join(looser)})" if looser else ""
    names = _names(name, verdict)
    collecting.add(verdict, names, when, text)
    yield from names


def _general(collecting: Collecting, default: Json, own_default: list[str]) -> None:
    verdict = _DEFAULTS.get(default) if isinstance(default, str) else None
    if verdict is None:
        collecting.skipped.append((f"default: {default}", "expected allow, confirm or deny"))
    elif verdict != "ask":  # what no rule settles asks anyway
        others = " or ".join(f"tool:{quoted(name)}" for name in own_default)
        collecting.add(verdict, ("*",), f"not ({others})" if others else "", f"default: {default}")


def _names(name: str, verdict: VerdictKind) -> tuple[str, ...]:
    """`mcp:server:tool` is offered to models by its own name, with the server's before it where two are alike."""
    if not name.startswith("mcp:"):
        return (name,)
    tool = name.rpartition(":")[2]
    return (tool,) if verdict == "allow" else (tool, f"*_{tool}")
