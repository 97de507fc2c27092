"""What a model is offered: the client's own tools, and the catalog's where they were asked for."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from callgate.core.catalog.left_out import LeftOut
from callgate.core.config.settings import MAX_TOOLS
from callgate.core.errors import BadRequest
from callgate.core.request import ChatRequest
from callgate.core.tool import Tool, ToolSpec
from callgate.core.toolset import Toolset

TOOLS_HEADER = "x-callgate-tools"
LEAST_ROOM = 16
"""Clients that bring many tools of their own still get this many places for others, as far as providers take them."""
_SEARCHED = 50_000
"""Characters at each end of a message in which references are looked for."""
_REFERENCE = re.compile(r"(?<![\w#&/])#([A-Za-z_][\w.-]*)")

Arrange = Callable[[Sequence[Tool], int, Collection[str], Collection[str]], tuple[Tool, ...]]
"""Tools, room for them, those that must not be hidden, names that are taken → as many as fit, standing for all."""


@dataclass(frozen=True, slots=True)
class Offer:
    request: ChatRequest
    """The request with the tools that will really be offered."""
    catalog: dict[str, Tool]
    """What the catalog can run of it, by name; also tools that stand behind a group, as a model may call them too."""
    changed: bool
    """True if the tools are not exactly the client's."""
    available: int = 0
    """How many tools there are, the client's included: more than are offered where some had to be put into groups."""
    left_out: tuple[LeftOut, ...] = ()
    """What the catalog has and the model is not offered, and why."""


@dataclass(frozen=True, slots=True)
class OfferConduct:
    """What is offered where the request itself does not say."""

    tools_enabled: bool = True
    unasked: bool = False
    """The catalog's tools are offered although the client did not ask for them."""
    most: int = MAX_TOOLS
    """More tools than this are arranged in groups; 0 = never, the last are left out."""


def offer(
    request: ChatRequest,
    catalog: Iterable[Tool],
    conduct: OfferConduct = OfferConduct(),  # noqa: B008
    *,
    toolsets: Collection[Toolset] = (),
    arrange: Arrange | None = None,
) -> Offer:
    """Adds the catalog's tools if the client asked for them; a client's own tool wins over one of the same name.

    Raises `BadRequest` where the client names a tool that there is not.
    """
    if not conduct.tools_enabled:
        bare = replace(request, tools=(), tool_choice=None, parallel_calls=None)
        return Offer(bare, {}, changed=bool(request.tools))
    wanted = conduct.unasked if request.gate.use_tools is None else request.gate.use_tools
    own = {tool.name for tool in request.tools if isinstance(tool, ToolSpec)}
    found = _chosen(request.gate.tools, tuple(catalog), toolsets) if wanted else ()
    named = _referenced(request, found, toolsets)
    candidates = sorted((tool for tool in found if tool.name not in own), key=lambda tool: tool.name not in named)
    if not candidates:
        return Offer(request, {}, changed=False, available=len(request.tools))
    added = _fitting(candidates, len(request.tools), conduct.most, named, own, arrange)
    return Offer(
        replace(request, tools=(*request.tools, *(tool.spec for tool in added))),
        {tool.name: tool for tool in (*candidates, *added)},
        changed=bool(added),
        available=len(request.tools) + len(candidates),
    )


def _fitting(
    tools: Sequence[Tool],
    beside: int,
    most: int,
    named: Collection[str],
    taken: Collection[str],
    arrange: Arrange | None,
) -> tuple[Tool, ...]:
    if arrange is None or most == 0:
        return tuple(tools[: max(MAX_TOOLS - beside, 0)])
    if beside + len(tools) <= most:
        return tuple(tools)
    room = max(most - beside, min(LEAST_ROOM, MAX_TOOLS - beside), 0)
    return arrange(tools, room, named, taken)


def _chosen(names: Sequence[str], catalog: Sequence[Tool], toolsets: Collection[Toolset]) -> Sequence[Tool]:
    """The tools that a client names, themselves or by a set; all if it names none."""
    if not names:
        return catalog
    sets = {one.name: one.tools for one in toolsets}
    known = {tool.name for tool in catalog}
    by_reference = {tool.reference: tool.name for tool in catalog}
    chosen: set[str] = set()
    for name in names:
        if name in known or name in by_reference:
            chosen.add(name if name in known else by_reference[name])
        elif name in sets:
            chosen.update(sets[name])
        else:
            raise BadRequest(
                f"There is no tool and no toolset named '{name}': {TOOLS_HEADER} is all, none, or names of those.",
                TOOLS_HEADER,
                code="tool_not_found",
            )
    return [tool for tool in catalog if tool.name in chosen]


def _ends(text: str) -> str:
    """A person's words stand before or after what was pasted."""
    return text if len(text) <= 2 * _SEARCHED else f"{text[:_SEARCHED]} {text[-_SEARCHED:]}"


def named_in(text: str, tools: Iterable[Tool]) -> frozenset[str]:
    """The tools that a text names with `#`, each by itself: a toolset names none."""
    said = {word.rstrip(".-") for word in _REFERENCE.findall(_ends(text))}
    return frozenset(tool.name for tool in tools if tool.referable and (tool.reference in said or tool.name in said))


def _referenced(request: ChatRequest, tools: Iterable[Tool], toolsets: Collection[Toolset]) -> set[str]:
    """`#name` in the person's words puts a tool, or all of a set, first, so that a crowded request keeps them."""
    last = next((message for message in reversed(request.messages) if message.role == "user"), None)
    said = {word.rstrip(".-") for word in _REFERENCE.findall(_ends(last.text))} if last else set[str]()
    if not said:
        return set()
    named = {tool.name for tool in tools if tool.referable and (tool.reference in said or tool.name in said)}
    return named.union(*(one.tools for one in toolsets if one.name in said))
