"""The messages of an MCP call as a part of an HTML page: folded, each with its time, its id and what it says. Pure."""

from collections.abc import Sequence
from html import escape
from typing import Final

from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.core.export_html_result import json_html

_MOST: Final = 100
"""Messages of one call that are shown: a page is for reading."""
_WAYS: Final = {"out": ("→", "to the server"), "in": ("←", "from the server")}


def messages_html(frames: Sequence[FrameCaptured]) -> str:
    """Empty = there are none."""
    if not frames:
        return ""
    shown, began = frames[:_MOST], frames[0].at
    rest = f"<p>And {len(frames) - _MOST:,} more.</p>" if len(frames) > _MOST else ""
    count = f"{len(frames):,} message{'' if len(frames) == 1 else 's'}"
    rows = "".join(_row(frame, began) for frame in shown)
    about = escape(f"{count} with the MCP server {frames[0].source}")
    return f'<details class="messages"><summary>{about}</summary>{rows}{rest}</details>'


def _row(frame: FrameCaptured, began: float) -> str:
    arrow, way = _WAYS[frame.direction]
    what = {"response": "answer to ", "error": "error to "}.get(frame.role, "") + (frame.method or "a request")
    facts = [f"+{(frame.at - began) * 1000:,.0f} ms", f"id {frame.rpc_id}" if frame.rpc_id else "", f"{frame.size:,} B"]
    said = escape(" · ".join(filter(None, facts)))
    cut = f"<p>The first {LONGEST_FRAME:,} bytes of it.</p>" if frame.is_cut else ""
    body = f"{cut}{json_html(frame.text)}" if frame.text else "<p>What it says was not kept.</p>"
    bad = ' class="c-denied"' if frame.role == "error" else ""
    return (
        f'<details class="message"><summary><span title="{way}">{arrow}</span> <code{bad}>{escape(what)}</code>'
        f' <span class="c-text3">{said}</span></summary>{body}</details>'
    )
