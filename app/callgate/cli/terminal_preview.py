"""What a call would do, as lines for a terminal. Their text comes from anyone: the prompt makes it harmless."""

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import assert_never

import orjson

from callgate.core.calls.binding import BindingChange
from callgate.core.calls.command_risk import outline
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.calls.previews import previews_of
from callgate.core.calls.tool_facts import ToolFacts
from callgate.core.messages import Json
from callgate.core.tool import Tool
from callgate.engine.console.rule_service import DefinitionChange

MOST_LINES = 200
"""Of a difference: the arguments above show all of it, and a screen holds fifty."""


def preview_lines(invocation: Invocation, tool: Tool | None = None) -> Iterator[str]:
    """`tool`: as the catalog has it, if it runs the call."""
    said = invocation.wording
    if said.title:
        yield said.title
    for preview in previews_of(invocation, tool):
        yield from _lines(preview)
    if said.disclaimer:
        yield said.disclaimer


def fact_lines(known: ToolFacts) -> Iterator[str]:
    """What is known of the tool, by how it is known; the wall has a line of its own."""
    for kind, facts in (("declared", known.declared), ("observed", known.observed), ("unknown", known.unknown)):
        words = "; ".join(fact.words for fact in facts if fact.kind != "wall")
        if words:
            yield f"{kind}: {words}"


def binding_lines(change: BindingChange) -> Iterator[str]:
    """How a call is not any more what was offered, shown or decided."""
    yield change.words
    if change.executor_changed and not change.gone:
        yield from _lines(DiffPreview("what runs it", "\n".join(change.before), "\n".join(change.after)))
    yield from (f"* {found.words}" for found in change.definition)
    long = [found for found in change.definition if isinstance(found.before, str) and isinstance(found.after, str)]
    for found in long:
        yield from _lines(DiffPreview(found.path, str(found.before), str(found.after)))


def change_lines(change: DefinitionChange) -> Iterator[str]:
    """How a tool is defined otherwise than it was when it was allowed."""
    yield f"The definition of {change.tool} has changed since you last approved it."
    if change.before is None:
        yield "The earlier definition is no longer known; treat it as a new tool."
        return
    yield from (f"* {found.words}" for found in change.changes)
    name = f"definition of {change.tool}"
    yield from _lines(DiffPreview(name, _spelled(change.before), _spelled(change.after)))


def _spelled(definition: Mapping[str, Json]) -> str:
    return orjson.dumps(definition, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()


def _lines(preview: Preview) -> Iterator[str]:
    match preview:
        case DiffPreview():
            before, after = preview.before.splitlines(), preview.after.splitlines()
            lines = list(unified_diff(before, after, preview.path, preview.path, lineterm=""))
            yield from lines[:MOST_LINES]
            if len(lines) > MOST_LINES:
                yield f"… and {len(lines) - MOST_LINES} lines more"
        case CommandPreview():
            taken_apart = outline(preview.command, preview.folder)
            for number, step in enumerate(taken_apart.steps, start=1):
                risks = "; ".join(risk.words for risk in step.risks)
                yield f"{number}. {step.text}" + (f"   ! {risks}" if risks else "")
            for concern in taken_apart.concerns:
                yield f"! {concern}"
        case UrlPreview():
            yield f"{preview.method} {preview.host}: {preview.url}"
        case _:
            assert_never(preview)
