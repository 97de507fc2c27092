"""In which groups tools stand: by source, tag, toolset or agent. Pure: tools in, groups of their places out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.core.toolset import Toolset

Grouping = Literal["source", "tag", "toolset", "agent"]
GROUPINGS: Final[tuple[tuple[str, Grouping], ...]] = (
    ("By source", "source"),
    ("By tag", "tag"),
    ("By toolset", "toolset"),
    ("By agent", "agent"),
)


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    """Tells it from others, also over changes."""
    title: str
    positions: tuple[int, ...] | range
    kind: Grouping
    agent: str = ""
    """Whose switches its boxes are; empty = those of the scope that is being edited."""
    source: str = ""
    """The source that it is all of, if it is."""
    switchable: bool = True
    """False: its tools belong to an agent, and nobody here can switch them."""


@dataclass(frozen=True, slots=True)
class Stock:
    """All tools in one list: the catalog's first, then those that agents bring along."""

    tools: Sequence[Tool]
    catalog: int
    """How many are of the catalog."""
    owners: Sequence[str] = ()
    """The agent of each of the others."""
    toolsets: Sequence[Toolset] = ()
    agents: Sequence[str] = ()
    sources: Sequence[str] = ()
    """All that are known, also those without any tool now."""


def grouped(stock: Stock, by: Grouping) -> list[Group]:
    match by:
        case "source":
            return _by_source(stock)
        case "tag":
            return _by_tag(stock)
        case "toolset":
            return _by_toolset(stock)
        case "agent":
            return _by_agent(stock)


def _by_source(stock: Stock) -> list[Group]:
    """Sources in the order in which they first come."""
    found: dict[str, list[int]] = {}
    for at in range(stock.catalog):
        found.setdefault(stock.tools[at].source, []).append(at)
    for name in stock.sources:
        found.setdefault(name, [])
    groups = [Group(f"source:{name}", name, tuple(places), "source", source=name) for name, places in found.items()]
    own = range(stock.catalog, len(stock.tools))
    if own:
        groups.append(Group("client", "Client tools", own, "source", source=CLIENT_SOURCE, switchable=False))
    return groups


def _by_tag(stock: Stock) -> list[Group]:
    found: dict[str, list[int]] = {}
    without: list[int] = []
    for at in range(stock.catalog):
        for tag in dict.fromkeys(stock.tools[at].tags):
            found.setdefault(tag, []).append(at)
        if not stock.tools[at].tags:
            without.append(at)
    groups = [Group(f"tag:{tag}", tag, tuple(found[tag]), "tag") for tag in sorted(found, key=str.casefold)]
    return [*groups, *_rest("tag:", "Without a tag", without, "tag")]


def _by_toolset(stock: Stock) -> list[Group]:
    places = {stock.tools[at].name: at for at in range(stock.catalog)}
    groups: list[Group] = []
    held: set[int] = set()
    for toolset in sorted(stock.toolsets, key=lambda one: one.name.casefold()):
        members = tuple(places[name] for name in toolset.tools if name in places)
        held.update(members)
        groups.append(Group(f"toolset:{toolset.name}", toolset.name, members, "toolset"))
    without = [at for at in range(stock.catalog) if at not in held]
    return [*groups, *_rest("toolset:", "In no toolset", without, "toolset")]


def _by_agent(stock: Stock) -> list[Group]:
    """The whole catalog under each agent, as each has boxes of its own; then what it brings along."""
    groups: list[Group] = []
    for agent in stock.agents:
        groups.append(Group(f"agent:{agent}", agent, range(stock.catalog), "agent", agent))
        own = tuple(stock.catalog + at for at, owner in enumerate(stock.owners) if owner == agent)
        if own:
            groups.append(Group(f"own:{agent}", f"{agent}: its own", own, "agent", agent, switchable=False))
    return groups


def _rest(key: str, title: str, places: Iterable[int], kind: Grouping) -> list[Group]:
    left = tuple(places)
    return [Group(key, title, left, kind)] if left else []
