"""Tool permissions of Zed: `agent.tool_permissions` in its `settings.json`.

    {"default": "confirm", "tools": {"terminal": {"default": "allow", "always_allow": [{"pattern": "^cargo "}], …}}}

There, a tool's patterns (deny before confirm before allow) come before its default, and that before the general one.
Patterns look at the command of `terminal`, the path of file tools, the address of `fetch` and the words of
`web_search`. A tool with a pattern that cannot be read is blocked as a whole; some things are refused or asked about
whatever the settings say, and so they are here.
"""

from collections.abc import Iterator, Mapping

from callgate.core.messages import Json
from callgate.core.rules.foreign_pattern import read_pattern
from callgate.core.rules.match import quoted
from callgate.core.rules.policy import VerdictKind
from callgate.core.rules.vscode_patterns import OUTSIDE, spelled_pattern
from callgate.store.rule_import.report import Collecting, ImportReport

PROGRAM = "Zed"
TERMINAL = "terminal"
_VERDICTS: dict[str, VerdictKind] = {"always_allow": "allow", "always_confirm": "ask", "always_deny": "deny"}
_DEFAULTS: dict[str, VerdictKind] = {"allow": "allow", "confirm": "ask", "deny": "deny"}
_PATHS = ("args.path", "args.source_path", "args.destination_path", "args.paths")
_FIELDS: dict[str, tuple[str, ...]] = {
    TERMINAL: ("command",),
    "fetch": ("urls", "args.url"),
    "web_search": ("args.query",),
    "edit_file": ("edits",),
    "write_file": ("edits",),
    "create_directory": ("edits",),
    "delete_path": ("edits",),
    "move_path": ("edits",),
    "copy_path": ("edits",),
    "save_file": ("edits",),
    "restore_file_from_disk": ("edits",),
}
"""What a pattern looks at. Where there are two spellings of the same, what allows must fit both, what restricts one."""
_OWN_FILES = r"(?i)(?:^|/)\.zed(?:/|\Z)|(?:^|/)zed/(?:settings|keymap|tasks|debug)\.json\Z"
_INTERPOLATED = r"[$`]|[<>]\("
_ROOTS = r"(?i)(?:^|\s)(?:\S*/)?rm\s(?s:.*)(?<=\s)(?:/|~/?|\$\{?HOME\}?/?|\.{1,2}/?)\*?(?=\s|\Z)"
"""`rm` of a root, a home, the folder itself or the one above, with whichever options."""


def import_zed(settings: Mapping[str, Json], source: str = "") -> ImportReport:
    collecting = Collecting(PROGRAM, source)
    agent = settings.get("agent")
    if isinstance(agent, Mapping):
        if agent.get("always_allow_tool_actions") is True:
            why = "everything at once is switched on in Callgate's own configuration: chat.tools.global.autoApprove"
            collecting.skip("agent.always_allow_tool_actions", why, at="always_allow_tool_actions")
        permissions = agent.get("tool_permissions")
        if isinstance(permissions, Mapping):
            _permissions(collecting, permissions)
    return collecting.report()


def _permissions(collecting: Collecting, permissions: Mapping[str, Json]) -> None:
    tools = permissions.get("tools")
    general = _verdict(collecting, "default", permissions.get("default", "confirm"))
    named: list[str] = []
    for name, entry in tools.items() if isinstance(tools, Mapping) else ():
        if isinstance(entry, Mapping):
            named += _Tool(collecting, name, entry, general).read()
        else:
            collecting.inexact("ask", _names(name, "ask"), f"tools.{name}", "expected an object", at=name)
    if general != "ask":  # what no rule settles asks anyway
        others = " or ".join(f"tool:{quoted(name)}" for name in named)
        always = [f"not ({others})"] if others else []
        safe = [f"not edits~{spelled_pattern(sign)}" for sign in (OUTSIDE, _OWN_FILES)] if general == "allow" else []
        collecting.add(general, ("*",), " and ".join([*always, *safe]), f"default: {permissions.get('default')}")
    if any(rule.verdict == "allow" and rule.tool in (TERMINAL, "*") for rule in collecting.rules):
        collecting.add("deny", (TERMINAL,), f"command~{spelled_pattern(_ROOTS)}", "a built-in rule against rm -rf /")
        collecting.add("ask", (TERMINAL,), f"line~{spelled_pattern(_INTERPOLATED)}", "a built-in rule on $ and `")
    for key in permissions:
        if key not in ("default", "tools"):
            collecting.skip(f"tool_permissions.{key}", "Callgate has no such setting", at=key)


class _Tool:
    """The permissions of one tool."""

    def __init__(self, collecting: Collecting, name: str, entry: Mapping[str, Json], general: VerdictKind) -> None:
        self._collecting = collecting
        self._name = name
        self._entry = entry
        self._general: VerdictKind = general
        self._conditions: dict[VerdictKind, list[str]] = {"allow": [], "ask": [], "deny": []}

    def read(self) -> Iterator[str]:
        """Yields the names by which the tool may be known."""
        for key, verdict in _VERDICTS.items():
            items = self._entry.get(key, [])
            if not isinstance(items, list):
                self._blocked(verdict, f"{self._name}.{key}", "expected a list", at=key)
                continue
            for item in items:
                self._pattern(key, verdict, item)
        for key in self._entry:
            if key not in _VERDICTS and key != "default":
                self._collecting.skip(f"{self._name}.{key}", "Callgate has no such setting", at=key)
        self._default()
        return iter(_names(self._name, "deny"))

    def _pattern(self, key: str, verdict: VerdictKind, item: Json) -> None:
        pattern = item.get("pattern") if isinstance(item, Mapping) else None
        shown = pattern if isinstance(pattern, str) else item
        text = f"{self._name}.{key}: {shown}"
        try:
            when = self._condition(pattern, item, verdict)
        except ValueError as why:
            at = pattern if isinstance(pattern, str) else key
            if self._name in _FIELDS:
                self._blocked(verdict, text, str(why), at)
            else:
                self._collecting.inexact(verdict, _names(self._name, verdict), text, str(why), at)
            return
        self._conditions[verdict].append(when)
        self._add(verdict, when, text)

    def _blocked(self, verdict: VerdictKind, text: str, why: str, at: str) -> None:
        """Zed runs no tool that has a pattern it can't read; whether it can read this one is not known here."""
        kind: VerdictKind = "deny" if verdict == "deny" else "ask"
        self._collecting.inexact(kind, _names(self._name, kind), text, why, at)

    def _condition(self, pattern: object, item: Json, verdict: VerdictKind) -> str:
        if self._name not in _FIELDS:
            raise ValueError(f"what a pattern means of {self._name} is not known here")
        if not isinstance(pattern, str) or not pattern:
            raise ValueError("it has no pattern")
        sensitive = isinstance(item, Mapping) and item.get("case_sensitive") is True
        spelled = spelled_pattern(read_pattern(pattern, "Rust", "" if sensitive else "i"))
        fields = _FIELDS[self._name]
        if verdict == "allow":
            return " and ".join(f"{field}~{spelled}" for field in fields)
        seen = (*fields, *_PATHS) if "edits" in fields else fields
        return " or ".join(f"{field}~{spelled}" for field in seen)

    def _add(self, verdict: VerdictKind, when: str, text: str) -> None:
        """A rule for the tool; one that allows leaves out what Zed asks about in any case."""
        source = "*"
        if verdict == "allow" and self._name.startswith("mcp:"):
            # by its name alone another server's tool would be allowed too
            source = self._name.split(":")[1]
        if verdict == "allow" and "edits" in _FIELDS.get(self._name, ()):
            safe = [f"not edits~{spelled_pattern(sign)}" for sign in (OUTSIDE, _OWN_FILES)]
            when = " and ".join([f"({when})"] * bool(when) + safe)
        self._collecting.add(verdict, _names(self._name, verdict), when, text, source=source)

    def _default(self) -> None:
        verdict, text = self._general, f"{self._name}: the general default"
        if "default" in self._entry:
            text = f"{self._name}.default: {self._entry['default']}"
            verdict = _verdict(self._collecting, f"{self._name}.default", self._entry["default"])
        elif verdict == "ask":
            return  # what no rule settles asks anyway
        # patterns come before the default there; here a rule that restricts would beat them, so it leaves them out
        allowed, asked = self._conditions["allow"], self._conditions["ask"]
        looser = {"deny": [*asked, *allowed], "ask": allowed, "allow": []}[verdict]
        either = " or ".join(f"({one})" for one in looser)
        self._add(verdict, f"not ({either})" if either else "", text)


def _verdict(collecting: Collecting, what: str, default: Json) -> VerdictKind:
    verdict = _DEFAULTS.get(default) if isinstance(default, str) else None
    if verdict is None:
        collecting.skip(f"{what}: {default}", "expected allow, confirm or deny", at=str(default))
    return verdict or "ask"


def _names(name: str, verdict: VerdictKind) -> tuple[str, ...]:
    """`mcp:server:tool` is offered to models by its own name, with the server's before it where two are alike."""
    if not name.startswith("mcp:"):
        return (name,)
    tool = name.rpartition(":")[2]
    return (tool,) if verdict == "allow" else (tool, f"*_{tool}")
