"""One voice of a conversation becoming blocks: a message that came whole, or a choice that is still being said.

Pure; puts blocks into a column at places that follow from part and piece, so that whole and said come out the same.
"""

from dataclasses import replace
from typing import assert_never

import orjson

from callgate.core.assembly import disassemble
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.messages import (
    File,
    Image,
    Message,
    Opaque,
    Part,
    Reasoning,
    Refusal,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from callgate.core.request import ChatResponse, Choice
from callgate.ui.conversation.blocks import (
    CallBlock,
    CodeBlock,
    ErrorBlock,
    ImageBlock,
    NoteBlock,
    ReasoningBlock,
    TextBlock,
    Tone,
)
from callgate.ui.conversation.column import LAST, Column, Place
from callgate.ui.conversation.notes import failure
from callgate.ui.conversation.splitter import Splitter


class MessageBlocks:
    """`say` a whole message, or `add` its deltas; then `close`."""

    def __init__(self, column: Column, exchange_id: str, place: Place, role: Role, calls: dict[str, str]) -> None:
        self._column = column
        self._exchange_id = exchange_id
        self._place = place
        self._role: Role = role
        self._calls = calls
        """Call id → block, shared by the whole conversation."""
        self._splitters: dict[int, tuple[Splitter, Tone]] = {}
        self._growing: set[str] = set()
        """Blocks of reasoning and calls that have not ended."""
        self._part = 0
        self.spoken = False
        self.fault: Fault | None = None

    def say(self, message: Message) -> None:
        for delta in disassemble(ChatResponse("", "", (Choice(message, "stop"),))):
            self.add(delta)
        self.close()

    def add(self, delta: Delta) -> None:
        match delta:
            case Started() | UsageReported() | ReasoningSigned() | Cited() | TokensWeighed():
                pass
            case Finished():
                self.close()
            case Failed():
                self._fail(delta.fault)
            case TextDelta():
                self._text(delta.part, delta.text, "plain")
            case RefusalDelta():
                self._text(delta.part, delta.text, "refusal")
            case ReasoningDelta():
                self._enter(delta.part)
                self._reason(delta.part, delta.text)
            case CallStarted():
                self._enter(delta.part)
                self._call(delta.part, delta.id, delta.name)
            case ArgumentsDelta():
                block = self._call(delta.part, "", "")
                self._column.swap(replace(block, written=block.written + delta.text))
            case CallEnded():
                block = self._call(delta.part, "", "")
                self._column.swap(replace(block, written=delta.arguments, whole=True))
            case PartArrived():
                self._enter(delta.part)
                self._whole(delta.part, delta.value)
            case _:
                assert_never(delta)

    def close(self, broken_off: bool = False) -> None:
        """Nothing more comes."""
        for part in tuple(self._splitters):
            self._close_text(part)
        for block_id in tuple(self._growing):
            block = self._column.get(block_id)
            if isinstance(block, ReasoningBlock):
                self._column.swap(replace(block, growing=False))
                self._growing.discard(block_id)
            elif isinstance(block, CallBlock) and (broken_off or block.whole):
                self._column.swap(replace(block, broken_off=not block.whole))
                self._growing.discard(block_id)

    # ---- kinds of parts ----------------------------------------------------------------------------------------------

    def _enter(self, part: int) -> None:
        """A part that starts ends the text before it."""
        self.spoken = True
        if part <= self._part:
            return
        self._part = part
        for earlier in [known for known in self._splitters if known < part]:
            self._close_text(earlier)
        for block_id in tuple(self._growing):
            block = self._column.get(block_id)
            if isinstance(block, ReasoningBlock):
                self._column.swap(replace(block, growing=False))
                self._growing.discard(block_id)

    def _text(self, part: int, text: str, tone: Tone) -> None:
        self._enter(part)
        splitter, tone = self._splitters.setdefault(part, (Splitter(), tone))
        self._show_pieces(part, splitter, tone, splitter.feed(text))

    def _close_text(self, part: int) -> None:
        splitter, tone = self._splitters.pop(part)
        self._show_pieces(part, splitter, tone, splitter.close())

    def _show_pieces(self, part: int, splitter: Splitter, tone: Tone, first: int) -> None:
        for number, piece in enumerate(splitter.pieces[first:], start=first):
            place = self._place._replace(part=part, number=number)
            block_id, exchange = self._id(place), self._exchange_id
            if piece.code:
                block = CodeBlock(
                    id=block_id, exchange_id=exchange, text=piece.text, language=piece.language, role=self._role,
                    growing=piece.growing,
                )  # fmt: skip
            else:
                block = TextBlock(
                    id=block_id, exchange_id=exchange, text=piece.text, role=self._role, tone=tone,
                    growing=piece.growing,
                )  # fmt: skip
            self._column.put(block, place)

    def _reason(self, part: int, text: str, redacted: bool = False, growing: bool = True) -> None:
        place = self._place._replace(part=part)
        block = self._column.get(self._id(place))
        if isinstance(block, ReasoningBlock):
            self._column.swap(replace(block, text=block.text + text))
            return
        block = ReasoningBlock(
            id=self._id(place), exchange_id=self._exchange_id, text=text, redacted=redacted, growing=growing
        )
        self._column.put(block, place)
        if growing:
            self._growing.add(block.id)

    def _call(self, part: int, call_id: str, name: str) -> CallBlock:
        place = self._place._replace(part=part)
        block = self._column.get(self._id(place))
        if isinstance(block, CallBlock):
            return block
        block = CallBlock(id=self._id(place), exchange_id=self._exchange_id, call_id=call_id, tool=name)
        self._column.put(block, place)
        self._growing.add(block.id)
        if call_id:
            self._calls[call_id] = block.id
        return block

    def _whole(self, part: int, value: Part) -> None:
        place = self._place._replace(part=part)
        match value:
            case Text():
                self._text(part, value.text, "plain")
            case Refusal():
                self._text(part, value.text, "refusal")
            case Reasoning():
                self._reason(part, value.text, value.redacted, growing=False)
            case ToolCall():
                block = self._call(part, value.id, value.name)
                self._column.swap(replace(block, written=value.arguments, whole=True))
            case Image() | File():
                self._attachment(place, value)
            case ToolResult() if self._role == "assistant":
                self._note(place, f"Result that the provider itself made ({value.name or value.call_id})", value.text)
            case ToolResult():
                pass  # joined to its call by the transcript
            case Opaque():
                kind = value.value.get("type") if isinstance(value.value, dict) else None
                detail = orjson.dumps(value.value, option=orjson.OPT_INDENT_2).decode()
                self._note(place, f"Something only the provider understands ({kind or value.wire})", detail)
            case _:
                assert_never(value)

    def _attachment(self, place: Place, value: Image | File) -> None:
        media_type, data, url = value.media_type, value.data, value.url
        if url.startswith("data:"):
            head, _, data = url.partition(",")
            media_type, url = media_type or head.removeprefix("data:").split(";")[0], ""
        self._column.put(
            ImageBlock(
                id=self._id(place), exchange_id=self._exchange_id, what=value.kind,
                role=self._role, media_type=media_type,
                bytes=len(data) * 3 // 4, name=value.name if isinstance(value, File) else "",
                reference=url or value.file_id, data=data if isinstance(value, Image) else "",
            ),
            place,
        )  # fmt: skip

    def _note(self, place: Place, text: str, detail: str) -> None:
        self._column.put(
            NoteBlock(id=self._id(place), exchange_id=self._exchange_id, note="other", text=text, detail=detail), place
        )

    def _fail(self, fault: Fault) -> None:
        self.fault = fault
        place = self._place._replace(voice=LAST, part=3)
        title, message, advice = failure(fault)
        self._column.put(
            ErrorBlock(id=self._id(place), exchange_id=self._exchange_id, title=title, message=message, advice=advice),
            place,
        )

    def _id(self, place: Place) -> str:
        return self._column.id_at(self._exchange_id, place)
