"""Too many tools for one request: those of a source stand behind one tool that opens them.

Calling it does nothing but show what it stands for; from the next round on those tools are offered. What was used last
stays open, the least recently used groups close again when there is no room. Groups that are too large are split, and
groups of groups are made where there are too many.
"""

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from callgate.core.messages import Text
from callgate.core.tool import GROUP_SOURCE, Annotations, Outcome, Tool
from callgate.tools.catalog import fit_name

MOST_CONVERSATIONS = 256
"""Whose open groups are remembered; an older conversation begins with all closed again."""
MOST_OPENED = 32
LEAST_ROOM = 8
"""With less there is nothing to arrange: the first tools are taken and the rest left out."""
_NAMES_TOLD = 40
"""How many tools a group's description names; a model that wants another sees them all once it is open."""
_WORDS_TOLD = 100
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")
_SHOWS = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    """Of the tool that opens it."""
    title: str
    children: tuple["Node", ...]

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All below, however deep."""
        return tuple(tool for child in self.children for tool in ((child,) if isinstance(child, Tool) else child.tools))

    def opener(self) -> Tool:
        below = self.tools
        named = ", ".join(tool.name for tool in below[:_NAMES_TOLD])
        more = f" and {len(below) - _NAMES_TOLD} more" if len(below) > _NAMES_TOLD else ""
        return Tool(
            self.name,
            GROUP_SOURCE,
            f"Call this to be offered the {len(below)} tools of {self.title}: {named}{more}. "
            "It takes no arguments and changes nothing; the tools can be called in your next turn.",
            {"type": "object", "properties": {}, "additionalProperties": False},
            title=f"Tools of {self.title}",
            annotations=_SHOWS,
            private=True,
        )


Node = Tool | Group


@dataclass(slots=True)
class _Thread:
    """What a conversation has open."""

    groups: dict[str, Group] = field(default_factory=dict[str, Group])
    opened: list[str] = field(default_factory=list[str])
    """Names of groups, the last used one last."""

    def touch(self, name: str) -> None:
        if name in self.opened:
            self.opened.remove(name)
        self.opened.append(name)
        del self.opened[:-MOST_OPENED]


class ToolGroups:
    def __init__(self) -> None:
        self._threads: OrderedDict[str, _Thread] = OrderedDict()

    def arrange(
        self, conversation_id: str, tools: Sequence[Tool], room: int, pinned: Collection[str], taken: Collection[str]
    ) -> tuple[Tool, ...]:
        """At most `room` tools that stand for all: themselves, or behind groups.

        `pinned` ones are always themselves; `taken` are names that a group must not have.
        """
        thread = self._thread(conversation_id)
        thread.groups = {}
        if len(tools) <= room:
            return tuple(tools)
        first = {tool.name: tool for tool in [tool for tool in tools if tool.name in pinned][: room // 2]}
        rest = [tool for tool in tools if tool.name not in first]
        left = room - len(first)
        if left < LEAST_ROOM:
            return (*first.values(), *rest[: max(left, 0)])
        roots = group_by_source(rest, left, {*taken, *(tool.name for tool in tools)})
        thread.groups = {group.name: group for group in _all_groups(roots)}
        wanted = [name for name in reversed(thread.opened) if name in thread.groups]
        return (*first.values(), *_shown(roots, left, wanted))

    def find(self, conversation_id: str, name: str) -> Tool | None:
        """The tool that opens a group of a conversation."""
        thread = self._threads.get(conversation_id)
        group = thread.groups.get(name) if thread else None
        return group.opener() if group else None

    def openers(self, conversation_id: str) -> dict[str, Tool]:
        """All of a conversation, also those not shown now: a model may call one that it saw earlier."""
        thread = self._threads.get(conversation_id)
        return {name: group.opener() for name, group in thread.groups.items()} if thread else {}

    def open(self, conversation_id: str, name: str) -> Outcome:
        """What a call of that tool results in."""
        thread = self._thread(conversation_id)
        group = thread.groups.get(name)
        if group is None:
            return Outcome((Text(f"There is no group '{name}' any more."),), is_error=True)
        thread.touch(name)
        nested = any(isinstance(child, Group) for child in group.children)
        head = f"{group.title} has parts; call one to be offered its tools:" if nested else ""
        lines = [head or f"The tools of {group.title} can be called from now on:"]
        lines += [_line(child) for child in group.children]
        return Outcome((Text("\n".join(lines)),))

    def used(self, conversation_id: str, names: Iterable[str]) -> None:
        """Tools that were called keep their group open."""
        thread = self._threads.get(conversation_id)
        called = set(names)
        if thread is None or not called:
            return
        for group in tuple(thread.groups.values()):
            if any(isinstance(child, Tool) and child.name in called for child in group.children):
                thread.touch(group.name)

    def _thread(self, conversation_id: str) -> _Thread:
        thread = self._threads.setdefault(conversation_id, _Thread())
        self._threads.move_to_end(conversation_id)
        while len(self._threads) > MOST_CONVERSATIONS:
            self._threads.popitem(last=False)
        return thread


# ---- the tree ------------------------------------------------------------------------------------------------------


def group_by_source(tools: Sequence[Tool], room: int, taken: Collection[str]) -> tuple[Node, ...]:
    """Few enough nodes for the room, each small enough to be opened in it."""
    names = set(taken)
    by_source: dict[str, list[Tool]] = {}
    for tool in tools:
        by_source.setdefault(tool.source, []).append(tool)
    fan = max(room // 4, 2)
    leaf = room - fan  # so that any group can be opened beside all that stand at the top
    nodes: list[Node] = []
    for source, own in by_source.items():
        nodes.append(own[0] if len(own) == 1 else _split(own, source, leaf, fan, names))
    level = 0
    while len(nodes) > fan:
        level += 1
        title = "several sources" if level == 1 else f"several sources, level {level}"
        nodes = _bundle(nodes, title, fan, names)
    return tuple(nodes)


def _split(tools: Sequence[Node], title: str, leaf: int, fan: int, names: set[str]) -> Group:
    """A group of a source; a large one is a group of groups."""
    children: list[Node] = list(tools)
    while len(children) > leaf:
        children = _bundle(children, title, leaf, names)
        leaf = fan
    return Group(_free_name(title, names), title, tuple(children))


def _bundle(nodes: Sequence[Node], title: str, most: int, names: set[str]) -> list[Node]:
    """Pieces of about the same size."""
    count = -(-len(nodes) // most)
    size = -(-len(nodes) // count)
    pieces = [tuple(nodes[start : start + size]) for start in range(0, len(nodes), size)]
    return [
        Group(_free_name(f"{title} {number}", names), f"{title} (part {number} of {len(pieces)})", piece)
        for number, piece in enumerate(pieces, 1)
    ]


def _free_name(title: str, names: set[str]) -> str:
    plain = fit_name("activate_" + (_UNFIT.sub("_", title).strip("_") or "tools"))
    name, number = plain, 1
    while name in names:
        number += 1
        name = fit_name(f"{plain}_{number}")
    names.add(name)
    return name


def _all_groups(nodes: Iterable[Node]) -> Iterator[Group]:
    for node in nodes:
        if isinstance(node, Group):
            yield node
            yield from _all_groups(node.children)


def _shown(roots: Sequence[Node], room: int, wanted: Sequence[str]) -> tuple[Tool, ...]:
    """The groups used last are open, then the smallest, as far as there is room; the others are their opener."""
    groups = {group.name: group for group in _all_groups(roots)}
    above = {child.name: name for name, group in groups.items() for child in group.children if isinstance(child, Group)}
    by_size = sorted(groups, key=lambda name: (_depth(name, above), len(groups[name].children)))
    opened: set[str] = set()
    apart: list[Group] = []
    """Open although what is above them is not: a path of many steps would take all the room."""
    free = room - len(roots)
    for name in (*wanted, *by_size):
        path = [name] if name not in opened else []
        while path and path[-1] in above and above[path[-1]] not in opened:
            path.append(above[path[-1]])
        cost = sum(len(groups[step].children) - 1 for step in path)
        if cost <= free:
            free -= cost
            opened.update(path)
        elif len(path) > 1 and len(groups[name].children) <= free:
            free -= len(groups[name].children)
            opened.add(name)
            apart.append(groups[name])
    nodes = [*roots, *(child for group in apart for child in group.children)]
    return tuple({tool.name: tool for tool in _visible(nodes, opened)}.values())


def _depth(name: str, above: Mapping[str, str]) -> int:
    depth = 0
    while name in above:
        name, depth = above[name], depth + 1
    return depth


def _visible(nodes: Iterable[Node], opened: set[str]) -> Iterator[Tool]:
    for node in nodes:
        if isinstance(node, Tool):
            yield node
        elif node.name in opened:
            yield from _visible(node.children, opened)
        else:
            yield node.opener()


def _line(node: Node) -> str:
    if isinstance(node, Group):
        return f"- {node.name}: opens the {len(node.tools)} tools of {node.title}"
    first = node.description.strip().partition("\n")[0]
    return f"- {node.name}: {first[:_WORDS_TOLD]}" if first else f"- {node.name}"
