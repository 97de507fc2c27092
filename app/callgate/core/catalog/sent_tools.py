"""What became of the tools of one round: what the client offered, what Callgate added or left out, what the provider
was really told. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.catalog.left_out import LeftOut
from callgate.core.json.diff import Change, diff
from callgate.core.messages import Json
from callgate.core.tool import HostedTool, ToolSpec

Origin = Literal["client", "callgate"]
Fate = Literal["sent", "changed", "dropped"]

_MOST_TOLD: Final = 12
"""Changes of a definition that are put into words; the wire shows the rest."""

AnyTool = ToolSpec | HostedTool


@dataclass(frozen=True, slots=True)
class SentTool:
    name: str
    """As the model's client or the catalog calls it."""
    origin: Origin
    fate: Fate
    sent_as: str = ""
    """Its name at the provider, where that is another."""
    changes: tuple[str, ...] = ()
    """What the provider was told otherwise, in words."""
    definition: Json = None
    """As it was offered."""
    sent: Json = None
    """As the provider got it, read back; None = it got none."""


@dataclass(frozen=True, slots=True)
class SentTools:
    tools: tuple[SentTool, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    is_known: bool = True
    """False: what went to the provider could not be read, so only what was meant to go is told."""

    @property
    def from_client(self) -> tuple[SentTool, ...]:
        return tuple(tool for tool in self.tools if tool.origin == "client")

    @property
    def added(self) -> tuple[SentTool, ...]:
        return tuple(tool for tool in self.tools if tool.origin == "callgate")

    @property
    def reached(self) -> int:
        return sum(tool.fate != "dropped" for tool in self.tools)


def sent_tools(
    client: Sequence[AnyTool],
    offered: Sequence[AnyTool],
    reached: Sequence[AnyTool] | None,
    left_out: tuple[LeftOut, ...] = (),
    warnings: tuple[str, ...] = (),
) -> SentTools:
    """`reached`: what the provider's request holds, read back; None = it can't be read."""
    own = {name_of(tool) for tool in client}
    meant = list(offered)
    missing = [tool for tool in client if name_of(tool) not in {name_of(one) for one in offered}]
    arrived = _matched(meant, reached) if reached is not None else list[AnyTool | None](meant)
    told = [
        _told(tool, "client" if name_of(tool) in own else "callgate", got)
        for tool, got in zip(meant, arrived, strict=True)
    ]
    told += [SentTool(name_of(tool), "client", "dropped", definition=definition_of(tool)) for tool in missing]
    return SentTools(tuple(told), left_out, warnings, reached is not None)


def name_of(tool: AnyTool) -> str:
    if isinstance(tool, ToolSpec):
        return tool.name
    value = tool.value
    if isinstance(value, dict):
        return str(value.get("name") or value.get("type") or next(iter(value), "hosted tool"))
    return "hosted tool"


def definition_of(tool: AnyTool) -> Json:
    if isinstance(tool, HostedTool):
        return tool.value
    said: dict[str, Json] = {"name": tool.name, "description": tool.description, "schema": dict(tool.schema or {})}
    if tool.strict is not None:
        said["strict"] = tool.strict
    if tool.variant != "function":
        said["variant"] = tool.variant
    return said


def _told(tool: AnyTool, origin: Origin, got: AnyTool | None) -> SentTool:
    name, definition = name_of(tool), definition_of(tool)
    if got is None:
        return SentTool(name, origin, "dropped", definition=definition)
    sent = definition_of(got)
    renamed = name_of(got) if name_of(got) != name else ""
    changes = tuple(in_words(change) for change in diff(definition, sent) if change.path[:1] != ("name",))
    more = (f"and {len(changes) - _MOST_TOLD} more",) if len(changes) > _MOST_TOLD else ()
    words = (*((f"renamed to {renamed}",) if renamed else ()), *changes[:_MOST_TOLD], *more)
    return SentTool(name, origin, "changed" if words else "sent", renamed, words, definition, sent)


def in_words(change: Change) -> str:
    """A difference of two definitions, as a person says it."""
    where = change.where.removeprefix("schema.") or "definition"
    match change.kind:
        case "removed":
            return f"dropped {where}"
        case "added":
            return f"added {where}"
        case _:
            return f"changed {where}"


def _matched(offered: Sequence[AnyTool], reached: Iterable[AnyTool]) -> list[AnyTool | None]:
    """Which of the provider's tools is which: by name, else by place among those that no name explains."""
    left: dict[str, AnyTool] = {}
    for tool in reached:
        left.setdefault(name_of(tool), tool)
    found: list[AnyTool | None] = [left.pop(name_of(tool), None) for tool in offered]
    rest = list(left.values())
    unexplained = [index for index, got in enumerate(found) if got is None]
    if len(rest) == len(unexplained):
        for index, tool in zip(unexplained, rest, strict=True):
            found[index] = tool
        return found
    for index in unexplained:
        wanted = offered[index]
        alike = next((tool for tool in rest if _alike(wanted, tool)), None)
        if alike is not None:
            rest.remove(alike)
            found[index] = alike
    return found


def _alike(offered: AnyTool, got: AnyTool) -> bool:
    """A renamed tool keeps what is said of it."""
    if isinstance(offered, HostedTool) or isinstance(got, HostedTool):
        return False
    return bool(offered.description) and offered.description == got.description
