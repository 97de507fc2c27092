"""A conversation as one HTML page that needs nothing else: no script, no picture or font from elsewhere. Pure.

Everything that somebody said is escaped; what was Markdown becomes HTML by a reader that takes no HTML in it. A
content policy in the page forbids what could slip through all the same.
"""

import base64
import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final

import orjson
from markdown_it import MarkdownIt

from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.core.messages import File, Image, Opaque, Part, Reasoning, Refusal, Text, ToolResult
from callgate.export.format import ExportAbout
from callgate.export.html_result import code_html, json_html, picture_html, result_html
from callgate.export.html_style import STYLE
from callgate.export.record import ConversationRecord
from callgate.export.transcript import Call, Remark, Speech, decision_words, transcript

# The messages of an MCP call as a part of an HTML page: folded, each with its time, its id and what it says. Pure.
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


def policy() -> str:
    """What the page may do: show itself, with this very style sheet."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


class HtmlWriter:
    def __init__(self, about: ExportAbout, title: str = "Conversations") -> None:
        self._about, self._title = about, title
        self._markdown = _reader()
        self._as_typed = _reader(breaks=True)
        self._frames: dict[str, list[FrameCaptured]] = {}
        """By call: what it caused at an MCP server."""

    def begin(self) -> str:
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy())}">'
            '<meta name="referrer" content="no-referrer">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(self._title)}</title><style>{STYLE}</style></head><body><main>\n"
        )

    def conversation(self, record: ConversationRecord) -> str:
        self._frames = {}
        for frame in record.frames:
            self._frames.setdefault(frame.invocation_id, []).append(frame)
        lines = ["<section>", self._head(record)]
        for entry in transcript(record):
            match entry:
                case Speech():
                    lines.append(self._speech(entry))
                case Remark():
                    lines.append(f'<div class="remark {entry.kind}">{escape(entry.text)}</div>')
        lines.append("</section>\n")
        return "\n".join(lines)

    def end(self) -> str:
        said = f"Exported by Callgate {escape(self._about.version)} on {_day(self._about.at)}."
        return f"<footer>{said}</footer></main></body></html>\n"

    def _head(self, record: ConversationRecord) -> str:
        summary = record.summary
        facts = [
            escape(summary.agent),
            escape(summary.model),
            f"{summary.usage.total:,} tokens" if summary.usage.total else "",
            f"{summary.calls} tool call{'' if summary.calls == 1 else 's'}" if summary.calls else "",
            _moment(summary.started_at),
            *(f'<span class="tag">{escape(tag)}</span>' for tag in summary.marks.tags),
        ]
        shown = "".join(f"<span>{fact}</span>" for fact in facts if fact)
        note = (
            '<div class="hidden-note">Keys, tokens and passwords were taken out.</div>' if self._about.redacted else ""
        )
        title = escape(summary.shown_title or "Untitled conversation")
        return f'<header class="conversation"><h1>{title}</h1><div class="facts">{shown}</div>{note}</header>'

    def _speech(self, speech: Speech) -> str:
        body = "".join(self._piece(part, speech) for part in speech.parts)
        if speech.role in ("system", "developer"):
            folded = f"<details><summary>{escape(speech.who)}</summary>{body}</details>"
            return f'<article class="{speech.role}">{folded}</article>'
        note = f"<span>{escape(speech.note)}</span>" if speech.note else ""
        when = f"<time>{_clock(speech.at)}</time>" if speech.at else ""
        return (
            f'<article class="{speech.role}"><div class="who"><b>{escape(speech.who)}</b>{note}{when}</div>'
            f'<div class="body">{body}</div></article>'
        )

    def _piece(self, part: Part | Call, speech: Speech) -> str:
        match part:
            case Call():
                return self._call(part)
            case Text():
                return (self._markdown if speech.role == "assistant" else self._as_typed)(part.text)
            case Refusal():
                return f'<div class="remark error">{escape(part.text)}</div>'
            case Reasoning():
                return self._reasoning(part)
            case Image():
                return picture_html(part.media_type, part.data, part.url)
            case File():
                return f"<p>Attachment: {escape(part.name or part.media_type or 'a file')}</p>"
            case ToolResult():
                return result_html(part.parts, self._markdown, is_error=part.is_error)
            case Opaque():
                return json_html(orjson.dumps(part.value).decode())
            case _:
                return ""

    def _call(self, call: Call) -> str:
        invocation = call.invocation
        words = decision_words(invocation) if invocation is not None else "not judged"
        failed = call.result is not None and call.result.is_error
        kind = "bad" if failed or (invocation is not None and invocation.refused) else "done" if call.result else ""
        if invocation is not None and invocation.state == "Released" and not failed:
            kind = "released"
        pieces = [f'<div class="label">Arguments</div>{json_html(call.arguments)}']
        if invocation is not None and invocation.edited_arguments is not None:
            pieces.append(f'<div class="label">As the model wrote them</div>{json_html(invocation.arguments)}')
        if invocation is not None and invocation.explanation:
            pieces.append(f'<div class="label">Reason</div>{_prose(invocation.explanation)}')
        if call.result is not None:
            shown = result_html(call.result.parts, self._markdown, is_error=failed)
            pieces.append(f'<div class="label">{"Error" if failed else "Result"}</div>{shown}')
        if invocation is not None:
            pieces.append(messages_html(self._frames.get(invocation.id, ())))
        return (
            f'<details class="call {kind}" open><summary><code>{escape(call.tool)}</code>'
            f'<span class="state">{escape(words)}</span></summary><div class="inside">{"".join(pieces)}</div></details>'
        )

    def _reasoning(self, part: Reasoning) -> str:
        if not part.text.strip():
            return ""
        shown = self._as_typed(part.text)
        return f'<details class="reasoning"><summary>Reasoning</summary>{shown}</details>'


def _prose(text: str) -> str:
    return "".join(f"<p>{escape(block).replace(chr(10), '<br>')}</p>" for block in text.split("\n\n") if block.strip())


def _reader(*, breaks: bool = False) -> Callable[[str], str]:
    """Markdown to HTML: no HTML of its own, no pictures, links that tell nobody where the reader came from."""
    options = {"html": False, "linkify": False, "breaks": breaks, "highlight": _fence}
    markdown = MarkdownIt("commonmark", options).enable("table").enable("strikethrough")
    markdown.disable("image")

    def render(text: str) -> str:
        tokens = markdown.parse(text)
        for inline in (child for token in tokens for child in token.children or ()):
            if inline.type == "link_open":
                inline.attrSet("rel", "noreferrer noopener")
        for token in tokens:
            if token.type in ("th_open", "td_open") and "right" in str(token.attrs.pop("style", "")):
                token.attrSet("class", "number")  # a style of its own is what the page forbids
        return str(markdown.renderer.render(tokens, markdown.options, {}))

    return render


def _fence(code: str, language: str, _attributes: str) -> str:
    return code_html(code, language)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC") if at else ""


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
