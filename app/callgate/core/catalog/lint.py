"""What is doubtful about a tool's definition, told to the person who chooses tools: pure, and never a refusal.

Each finding says what is wrong, and what to do or what Callgate does about it. `lint` looks at one tool alone; what is
doubtful only beside other tools is found by `tool_lint_names`. Schemas come from strangers: looking at one is bounded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.schema.json_schema import schema_problem
from callgate.core.tool import Tool

Severity = Literal["error", "warning", "hint"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "hint")


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    """What kind of finding: `no-description`."""
    severity: Severity
    words: str
    """What is wrong, as a sentence."""
    advice: str
    """What to do about it, or what Callgate does, as a sentence."""
    where: str = ""
    """The parameter, as a path; empty = the tool as a whole."""


LONGEST_DESCRIPTION: Final = 1024
"""Some services of OpenAI refuse a longer one."""
_SHORTEST_DESCRIPTION: Final = 15
_LONGEST_NAME: Final = 64
_FIT_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_GEMINI_START: Final = re.compile(r"[A-Za-z_]")
_RENAMED: Final = re.compile(r".*_[0-9a-f]{8}")

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_CHANGING: Final = frozenset(
    [
        "add",
        "append",
        "apply",
        "cancel",
        "clear",
        "close",
        "commit",
        "create",
        "delete",
        "destroy",
        "disable",
        "drop",
        "edit",
        "enable",
        "erase",
        "execute",
        "exec",
        "insert",
        "install",
        "kill",
        "merge",
        "modify",
        "move",
        "overwrite",
        "patch",
        "post",
        "publish",
        "purge",
        "push",
        "put",
        "remove",
        "rename",
        "replace",
        "reset",
        "restart",
        "run",
        "save",
        "send",
        "set",
        "shutdown",
        "stop",
        "submit",
        "terminate",
        "truncate",
        "uninstall",
        "update",
        "upload",
        "write",
    ]
)
_DESTROYING: Final = frozenset(
    ["delete", "destroy", "drop", "erase", "kill", "overwrite", "purge", "remove", "truncate", "uninstall", "wipe"]
)
_READING: Final = frozenset(
    ["count", "describe", "find", "get", "list", "look", "lookup", "read", "search", "show", "status", "view"]
)


def lint(tool: Tool) -> tuple[Finding, ...]:
    """What can be seen of one tool alone, without its schema's keywords; the gravest first."""
    *_, found = linting(tool)
    return found


def linting(tool: Tool) -> Iterator[tuple[Finding, ...]]:
    """The same in steps, for whoever must not stand still: each time all that was found so far."""
    found = [*_of_description(tool), *_of_name(tool), *_of_hints(tool)]
    yield by_severity(found)
    yield by_severity([*found, *_of_schema(tool)])  # checking a schema of thousands of properties takes a frame


def by_severity(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def _of_description(tool: Tool) -> Iterator[Finding]:
    said = tool.description.strip()
    if not said:
        yield Finding(
            "no-description",
            "error",
            "It has no description for the model.",
            "The model can only guess from the name when to call it. Add a sentence on what it does and returns.",
        )
        return
    if len(said) < _SHORTEST_DESCRIPTION or _same_words(said, tool.name):
        yield Finding(
            "unclear-description",
            "warning",
            "Its description says little more than its name.",
            "Say what it does, when to use it and what it returns.",
        )
    if len(said) > LONGEST_DESCRIPTION:
        yield Finding(
            "long-description",
            "hint",
            f"Its description has {len(said):,} characters.",
            f"Some services refuse more than {LONGEST_DESCRIPTION:,}, and every request pays for it. "
            "Callgate sends it as it is.",
        )


def _same_words(description: str, name: str) -> bool:
    plain = [word.lower() for word in _WORDS.findall(description)]
    return plain == [word.lower() for word in _WORDS.findall(name)]


def _of_name(tool: Tool) -> Iterator[Finding]:
    name = tool.name
    if len(name) > _LONGEST_NAME:
        yield Finding(
            "name-refused",
            "warning",
            f"Its name has {len(name)} characters; OpenAI takes {_LONGEST_NAME}.",
            "Callgate shortens it for the services that need it, and restores it in what comes back.",
        )
    elif not _FIT_NAME.fullmatch(name):
        yield Finding(
            "name-refused",
            "warning",
            "Its name has signs that providers refuse.",
            "Callgate replaces them on the way out and restores the name in what comes back.",
        )
    elif not _GEMINI_START.match(name):
        yield Finding(
            "name-refused",
            "hint",
            "Gemini takes no name that begins with a digit or a dash.",
            "Callgate puts a _ before it for Gemini, and takes it away in what comes back.",
        )
    elif _RENAMED.fullmatch(name):
        yield Finding(
            "renamed",
            "hint",
            "Its name ends like one that Callgate had to make fit.",
            "The source's own name was too long or had signs that providers refuse; the ending keeps it unique.",
        )


def _of_hints(tool: Tool) -> Iterator[Finding]:
    words = [word.lower() for word in _WORDS.findall(tool.name)]
    said = tool.annotations
    doing = next((word for word in words[:2] if word in _CHANGING), "")
    reading = bool(words) and words[0] in _READING
    if said.read_only is True and doing and not reading:
        yield Finding(
            "contradiction",
            "error",
            f"It says that it only reads, but its name says “{doing}”.",
            "A rule that trusts the hint would let it through. Look at what it does before you allow it.",
        )
    elif said.destructive is False and any(word in _DESTROYING for word in words[:2]):
        yield Finding(
            "contradiction",
            "error",
            "It says that it destroys nothing, but its name says otherwise.",
            "Look at what it does before you allow it.",
        )
    elif said.destructive is True and said.read_only is not True and reading and not doing:
        yield Finding(
            "contradiction",
            "warning",
            f"It says that it may destroy something, but its name says “{words[0]}”.",
            "The name may make a model call it lightly.",
        )
    if said.read_only is True and said.destructive is True:
        yield Finding(
            "contradiction",
            "error",
            "It says both that it only reads and that it may destroy something.",
            "Callgate goes by the worse of the two.",
        )


def _of_schema(tool: Tool) -> Iterator[Finding]:
    problem = schema_problem(tool.schema) if tool.schema else ""
    if problem:
        yield Finding(
            "broken-schema",
            "error",
            f"Its schema can't be used: {problem}.",
            "Its arguments can't be checked, and providers may refuse every request that offers it.",
        )
