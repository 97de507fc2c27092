"""Tools whose names are easily taken for one another. Pure: the names of a catalog in, findings by name out."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from callgate.core.catalog.lint import Finding
from callgate.core.rules.lookalike import skeleton
from callgate.core.tool import Tool

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_MOST_NAMED = 3
_STEP = 250
"""Names; a fraction of a millisecond."""


@dataclass(frozen=True, slots=True)
class NameShape:
    """What names are compared by; the slow part, to be kept by whoever asks often."""

    looks: str
    plain: str


def shape_of(tool: Tool) -> NameShape:
    return NameShape(skeleton(tool.name), _plain(tool))


def lint_names(
    tools: Iterable[Tool], shapes: Mapping[str, NameShape] | None = None
) -> Mapping[str, tuple[Finding, ...]]:
    """Only names with findings are in it. `shapes`: those that are known already, by name."""
    *_, found = linting_names(tools, shapes)
    return found or {}


def linting_names(
    tools: Iterable[Tool], shapes: Mapping[str, NameShape] | None = None
) -> Iterator[Mapping[str, tuple[Finding, ...]] | None]:
    """The same in steps, for whoever must not stand still: None until all names are compared."""
    known = shapes or {}
    looks: dict[str, list[Tool]] = {}
    sounds: dict[str, list[Tool]] = {}
    for number, tool in enumerate(tools, start=1):
        shape = known.get(tool.name) or shape_of(tool)
        looks.setdefault(shape.looks, []).append(tool)
        sounds.setdefault(shape.plain, []).append(tool)
        if not number % _STEP:
            yield None
    found: dict[str, list[Finding]] = {}
    for kind, groups in ((_look_alikes, looks), (_collisions, sounds)):
        for number, alike in enumerate(groups.values(), start=1):
            for tool, finding in kind(alike) if len(alike) > 1 else ():
                found.setdefault(tool.name, []).append(finding)
            if not number % _STEP:
                yield None
    yield {name: tuple(findings) for name, findings in found.items()}


def _look_alikes(alike: list[Tool]) -> Iterator[tuple[Tool, Finding]]:
    for tool in alike:
        others = [other for other in alike if other is not tool]
        yield (
            tool,
            Finding(
                "look-alike",
                "error",
                f"Its name looks just like {_listed(others)}.",
                "A person can't tell them apart, and one may be there to be taken for the other. "
                "Keep only the one that you trust.",
            ),
        )


def _collisions(alike: list[Tool]) -> Iterator[tuple[Tool, Finding]]:
    sources = {tool.source for tool in alike}
    for tool in alike if len(sources) > 1 else ():
        others = [other for other in alike if other.source != tool.source]
        yield (
            tool,
            Finding(
                "collision",
                "warning",
                f"Another source has a tool of the same name: {_listed(others)}.",
                "Callgate keeps the names apart by putting the source before one of them. "
                "Models may still mix them up: switch off the one you don't need.",
            ),
        )


def _plain(tool: Tool) -> str:
    """The name without what the catalog puts before it, without case and separators."""
    name = tool.name.removeprefix(f"{tool.source}__")
    return _SEPARATORS.sub("", name.lower())


def _listed(tools: list[Tool]) -> str:
    shown = ", ".join(f"{tool.name} ({tool.source})" for tool in tools[:_MOST_NAMED])
    more = len(tools) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown
