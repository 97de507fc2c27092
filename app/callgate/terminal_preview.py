"""What a call would do, as lines for a terminal. Their text comes from anyone: the prompt makes it harmless."""

from collections.abc import Iterator
from difflib import unified_diff
from typing import assert_never

from callgate.core.command_risk import outline
from callgate.core.invocation import Invocation
from callgate.core.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.previews_of import previews_of

MOST_LINES = 200
"""Of a difference: the arguments above show all of it, and a screen holds fifty."""


def preview_lines(invocation: Invocation) -> Iterator[str]:
    said = invocation.wording
    if said.title:
        yield said.title
    for preview in previews_of(invocation):
        yield from _lines(preview)
    if said.disclaimer:
        yield said.disclaimer


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
