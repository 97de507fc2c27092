"""A conversation as Markdown, for an issue or a note. Pure.

Texts stand as they were said; arguments and results stand in fences that are longer than any fence inside them.
"""

import re
from datetime import UTC, datetime
from typing import Final

import orjson

from callgate.core.messages import File, Image, Opaque, Part, Reasoning, Refusal, Text, ToolResult
from callgate.export.format import ExportAbout
from callgate.export.record import ConversationRecord
from callgate.export.transcript import Call, Remark, Speech, decision_words, transcript

_FENCE: Final = re.compile(r"`{3,}")
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|])")


class MarkdownWriter:
    def __init__(self, about: ExportAbout) -> None:
        self._about = about
        self._first = True

    def begin(self) -> str:
        return ""

    def conversation(self, record: ConversationRecord) -> str:
        summary = record.summary
        facts = [
            _plain(summary.agent),
            _plain(summary.model),
            f"{summary.usage.total:,} tokens" if summary.usage.total else "",
            datetime.fromtimestamp(summary.started_at, UTC).strftime("%Y-%m-%d %H:%M UTC"),
            " ".join(f"`{tag}`" for tag in summary.marks.tags),
        ]
        lines = [] if self._first else ["---", ""]
        self._first = False
        lines += [
            f"# {_plain(summary.shown_title or 'Untitled conversation')}",
            "",
            " · ".join(filter(None, facts)),
            "",
        ]
        if self._about.redacted:
            lines += ["*Keys, tokens and passwords were taken out.*", ""]
        for entry in transcript(record):
            match entry:
                case Speech():
                    lines += _speech(entry)
                case Remark(kind="error"):
                    lines += [f"> **Error:** {_plain(entry.text)}", ""]
                case Remark():
                    lines += [f"*{_plain(entry.text)}*", ""]
        return "\n".join(lines).rstrip() + "\n\n"

    def end(self) -> str:
        return ""


def _speech(speech: Speech) -> list[str]:
    note = f" · {_plain(speech.note)}" if speech.note else ""
    lines = [f"## {_plain(speech.who)}{note}", ""]
    for part in speech.parts:
        lines += [*_piece(part, speech), ""]
    return lines


def _piece(part: Part | Call, speech: Speech) -> list[str]:
    match part:
        case Call():
            return _call(part)
        case Text() if speech.role == "assistant":
            return [_unheaded(part.text)]
        case Text():
            return [_quoted(part.text)]
        case Refusal():
            return [f"> **Refused:** {_plain(part.text)}"]
        case Reasoning():
            return (
                ["<details><summary>Reasoning</summary>", "", *_fence(part.text), "", "</details>"] if part.text else []
            )
        case Image():
            return [f"*Image ({_plain(part.media_type or 'from elsewhere')})*"]
        case File():
            return [f"*Attachment: {_plain(part.name or part.media_type or 'a file')}*"]
        case ToolResult():
            return _fence(part.text)
        case Opaque():
            return _fence(orjson.dumps(part.value, option=orjson.OPT_INDENT_2).decode(), "json")
        case _:
            return []


def _call(call: Call) -> list[str]:
    words = f" ({decision_words(call.invocation)})" if call.invocation is not None else ""
    lines = [f"**Tool call** `{call.tool.replace('`', '')}`{words}", "", *_fence(call.arguments, "json")]
    if call.invocation is not None and call.invocation.explanation:
        lines += ["", f"Reason: {_plain(call.invocation.explanation)}"]
    if call.result is not None:
        lines += ["", "**Error**" if call.result.is_error else "**Result**", "", *_fence(call.result.text)]
    return lines


def _fence(text: str, language: str = "") -> list[str]:
    longest = max((len(found[0]) for found in _FENCE.finditer(text)), default=2)
    marks = "`" * (longest + 1)
    return [f"{marks}{language}", text.rstrip("\n"), marks]


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _unheaded(text: str) -> str:
    """An answer's own headings go two levels down: they must not pass for ours. Fences are left alone."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = re.match(r"\s{0,3}(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        elif not fence and re.match(r"#{1,4}\s", line):
            line = "##" + line
        lines.append(line)
    return "\n".join(lines)


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
