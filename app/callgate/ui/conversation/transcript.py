"""A conversation's events folded into blocks. Pure: the same events give the same blocks, live, merged or read back.

Knows what each event means for the eye; which widget shows a block is no concern of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from callgate.core.calls.invocation import Invocation
from callgate.core.deltas import Delta, Failed, Started, UsageReported
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.messages import Message, ToolResult
from callgate.core.tool import HostedTool, ToolSpec
from callgate.ui.conversation.blocks import (
    Block,
    BranchBlock,
    CallBlock,
    ErrorBlock,
    NoteBlock,
    SpeakerBlock,
    UsageBlock,
)
from callgate.ui.conversation.column import FIRST, LAST, Change, Column, Place
from callgate.ui.conversation.message_blocks import MessageBlocks
from callgate.ui.conversation.notes import (
    Remark,
    failure,
    on_decision,
    on_finish,
    on_repairs,
    on_review,
    on_stopped,
    on_tools,
    on_trimmed,
    on_unheard,
    on_warnings,
)
from callgate.ui.conversation.turns import OWN_AGENT, Turns

_TITLE = 120
_OUTPUT_KEPT = 64_000
"""How much of a running tool's output is shown; the result, once it is there, is shown whole."""


@dataclass(slots=True)
class _Round:
    started: float
    endpoint: str
    model: str = ""
    voices: dict[int, MessageBlocks] = field(default_factory=dict[int, MessageBlocks])


@dataclass(slots=True)
class _Exchange:
    agent: str = ""
    tools: tuple[ToolSpec | HostedTool, ...] = ()
    rounds: dict[int, _Round] = field(default_factory=dict[int, _Round])
    failures: set[str] = field(default_factory=set[str])
    tools_said: str = ""
    warnings: tuple[str, ...] = ()


class Transcript:
    def __init__(self) -> None:
        self._column = Column()
        self._exchanges: dict[str, _Exchange] = {}
        self.turns = Turns()
        self._calls: dict[str, str] = {}
        """Call id → its latest block."""
        self._invocations: dict[str, str] = {}
        self._waiting: dict[str, None] = {}
        self._running: set[str] = set()

    @property
    def blocks(self) -> Sequence[Block]:
        return self._column.blocks

    def block(self, block_id: str) -> Block | None:
        """One that is shown."""
        return self._column.get(block_id) if self._column.is_shown(block_id) else None

    def index(self, block_id: str) -> int:
        return self._column.index(block_id)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Blocks of calls that wait for a person, in their order."""
        return tuple(sorted(filter(self._column.is_shown, self._waiting), key=self._column.index))

    @property
    def running(self) -> bool:
        return bool(self._running)

    def block_of_invocation(self, invocation_id: str) -> str | None:
        return self._invocations.get(invocation_id)

    # ---- tries of the same turn --------------------------------------------------------------------------------------

    def choose(self, exchange_id: str, *, all_of_them: bool = False) -> Change:
        """Shows one try of a turn and folds the others, or shows all."""
        branches = self.turns.branches
        if all_of_them:
            branches.choose_all(exchange_id)
        else:
            branches.choose(exchange_id)
        self._name_tries(branches.tries(exchange_id))
        return self._column.take_change()

    def restore(self, chosen: dict[str, str]) -> None:
        """Shows the tries that were shown before the same conversation was read again."""
        branches = self.turns.branches
        branches.restore(chosen)
        self._name_tries(tuple(one for first in branches.chosen.values() for one in branches.tries(first)))
        self._column.take_change()

    def _name_tries(self, tries: tuple[str, ...]) -> None:
        branches, place = self.turns.branches, Place(0, FIRST)
        for exchange_id in tries:
            kin = branches.tries(exchange_id)
            self._column.put(
                BranchBlock(
                    id=self._column.id_at(exchange_id, place), exchange_id=exchange_id,
                    number=kin.index(exchange_id) + 1, count=len(kin),
                    title=self.turns.title(exchange_id)[:_TITLE], shown=branches.is_chosen(exchange_id),
                    alone=branches.is_alone(exchange_id),
                ),
                place,
            )  # fmt: skip
        self._column.hide(*branches.folded())

    # ---- events ------------------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> Change:
        match event:
            case ExchangeStarted():
                self._start(event)
            case RoundStarted():
                self._start_round(event)
            case DeltaArrived():
                self._exchange(event.exchange_id)
                self._voice(event.exchange_id, event.round, _choice(event.delta)).add(event.delta)
            case RoundEnded():
                self._end_round(event)
            case InvocationChanged():
                self._invocation(event.invocation)
            case ToolOutput():
                self._output(event)
            case ExchangeEnded():
                self._end(event)
            case _:
                pass
        return self._column.take_change()

    def apply_all(self, events: Iterable[Event]) -> None:
        """For a conversation that is read back: nobody watches, so nobody needs the changes."""
        for event in events:
            self.apply(event)

    # ---- what the client sent ------------------------------------------------------------------------------------

    def _exchange(self, exchange_id: str) -> _Exchange:
        self._column.open(exchange_id)
        return self._exchanges.setdefault(exchange_id, _Exchange())

    def _start(self, event: ExchangeStarted) -> None:
        exchange = self._exchange(event.exchange_id)
        exchange.agent, exchange.tools = event.agent, event.tools
        self._running.add(event.exchange_id)
        self._name_tries(self.turns.add(event))
        for number, message in enumerate(event.fresh):
            self._message(event, number, message)

    def _message(self, event: ExchangeStarted, number: int, message: Message) -> None:
        if message.role in ("system", "developer"):
            title = "System prompt" if message.role == "system" else "Developer message"
            self._note(event.exchange_id, Place(0, number), Remark("system", title, message.text))
            return
        for order, result in enumerate(message.results):
            self._join(event.exchange_id, Place(0, number, FIRST, order), result)
        if len(message.results) == len(message.parts):
            return
        own = event.agent == OWN_AGENT
        who = "Assistant" if message.role == "assistant" else "You" if own else "User"
        self._speaker(
            event.exchange_id,
            Place(0, number, FIRST, LAST),
            SpeakerBlock(
                id="", exchange_id=event.exchange_id, role=message.role, who=who, via="" if own else event.agent,
                at=event.at,
            ),
        )  # fmt: skip
        MessageBlocks(self._column, event.exchange_id, Place(0, number), message.role, self._calls).say(message)

    def _join(self, exchange_id: str, place: Place, result: ToolResult) -> None:
        """A result that the client brings goes to the call that asked for it."""
        block = self._column.get(self._calls.get(result.call_id, ""))
        if isinstance(block, CallBlock):
            self._column.swap(replace(block, returned=result))
            return
        what = result.name or result.call_id
        self._note(exchange_id, place, Remark("other", f"Result of an earlier call ({what})", result.text))

    # ---- rounds ----------------------------------------------------------------------------------------------------

    def _start_round(self, event: RoundStarted) -> None:
        exchange = self._exchange(event.exchange_id)
        self._round(event.exchange_id, event.round, event.at, event.endpoint).model = event.model
        remark = on_tools(exchange.tools, event.tools)
        said = remark.text + remark.detail if remark else ""
        if remark is not None and said != exchange.tools_said:
            self._note(event.exchange_id, Place(event.round, FIRST), remark)
        exchange.tools_said = said
        if event.warnings != exchange.warnings:
            self._note(event.exchange_id, Place(event.round, FIRST, 0, 1), on_warnings(event.warnings))
        exchange.warnings = event.warnings
        self._speaker(
            event.exchange_id,
            Place(event.round, FIRST, 1),
            SpeakerBlock(
                id="", exchange_id=event.exchange_id, role="assistant", who="Assistant", model=event.model,
                round=event.round, at=event.at,
            ),
        )  # fmt: skip

    def _round(self, exchange_id: str, number: int, at: float = 0.0, endpoint: str = "") -> _Round:
        return self._exchanges[exchange_id].rounds.setdefault(number, _Round(at, endpoint))

    def _voice(self, exchange_id: str, number: int, choice: int) -> MessageBlocks:
        voices = self._round(exchange_id, number).voices
        if choice not in voices:
            if choice:
                self._note(exchange_id, Place(number, choice, FIRST), Remark("other", f"Choice {choice + 1}"))
            voices[choice] = MessageBlocks(self._column, exchange_id, Place(number, choice), "assistant", self._calls)
        return voices[choice]

    def _end_round(self, event: RoundEnded) -> None:
        self._exchange(event.exchange_id)
        ended = self._round(event.exchange_id, event.round, event.at)
        voice = self._voice(event.exchange_id, event.round, 0)
        if not any(voice.spoken for voice in ended.voices.values()):
            voice.say(event.message)  # a plain answer, or a journal that keeps no deltas
        for voice in ended.voices.values():
            voice.close()
        for part, remark in enumerate((on_finish(event.finish), on_repairs(event.repairs))):
            self._note(event.exchange_id, Place(event.round, LAST, part), remark)
        place = Place(event.round, LAST, 2)
        first = None if event.first_token_at is None else max(0.0, event.first_token_at - ended.started)
        self._column.put(
            UsageBlock(
                id=self._column.id_at(event.exchange_id, place), exchange_id=event.exchange_id, round=event.round,
                usage=event.usage, seconds=max(0.0, event.at - ended.started), first_token=first,
                endpoint=ended.endpoint, model=ended.model,
            ),
            place,
        )  # fmt: skip

    def _end(self, event: ExchangeEnded) -> None:
        exchange = self._exchange(event.exchange_id)
        self._running.discard(event.exchange_id)
        self.turns.end(event.exchange_id, event.outcome == "completed")
        for ended in exchange.rounds.values():
            for voice in ended.voices.values():
                voice.close(broken_off=True)
                if voice.fault is not None:
                    exchange.failures.add(voice.fault.message)
        self._note(event.exchange_id, Place(LAST, 2), on_unheard(event.unheard))
        if event.outcome == "cancelled":
            self._note(event.exchange_id, Place(LAST, 1), on_stopped(event.fault))
        elif event.fault is not None and event.fault.message not in exchange.failures:
            place = Place(LAST)
            title, message, advice = failure(event.fault)
            block_id = self._column.id_at(event.exchange_id, place)
            self._column.put(
                ErrorBlock(id=block_id, exchange_id=event.exchange_id, title=title, message=message, advice=advice),
                place,
            )

    # ---- calls -----------------------------------------------------------------------------------------------------

    def _invocation(self, invocation: Invocation) -> None:
        block = self._call_of(invocation)
        over = invocation.result is not None and not invocation.is_live
        self._column.swap(
            replace(block, invocation=invocation, output="" if over else block.output,
                    progress=None if over else block.progress, total=None if over else block.total)
        )  # fmt: skip
        self._invocations[invocation.id] = block.id
        if invocation.is_waiting:
            self._waiting[block.id] = None
        else:
            self._waiting.pop(block.id, None)
        place = self._column.place(block.id)
        remarks = (on_decision(invocation), on_review(invocation), on_trimmed(invocation))
        for after, remark in enumerate(remarks, start=1):
            self._note(invocation.exchange_id, place._replace(after=after), remark)

    def _call_of(self, invocation: Invocation) -> CallBlock:
        exchange = self._exchange(invocation.exchange_id)
        place = Place(invocation.round, 0, invocation.part)
        here = self._column.id_at(invocation.exchange_id, place)
        for block_id in (self._invocations.get(invocation.id, ""), self._calls.get(invocation.call_id, ""), here):
            block = self._column.get(block_id)
            if isinstance(block, CallBlock) and _fits(block, invocation):
                return block
        if not exchange.rounds:
            speaker = SpeakerBlock(
                id="", exchange_id=invocation.exchange_id, role="user", who=invocation.agent or "Agent",
                at=invocation.started,
            )  # fmt: skip
            self._speaker(invocation.exchange_id, Place(invocation.round, FIRST, 1), speaker)
        if self._column.get(here) is not None:
            place = place._replace(number=len(self._invocations) + 1)
        block = CallBlock(
            id=self._column.id_at(invocation.exchange_id, place), exchange_id=invocation.exchange_id,
            call_id=invocation.call_id, tool=invocation.tool, whole=True,
        )  # fmt: skip
        self._column.put(block, place)
        self._calls[invocation.call_id] = block.id
        return block

    def _output(self, event: ToolOutput) -> None:
        block = self._column.get(self._invocations.get(event.invocation_id, ""))
        if isinstance(block, CallBlock) and (block.invocation is None or block.invocation.is_live):
            output = (block.output + event.text)[-_OUTPUT_KEPT:]
            self._column.swap(replace(block, output=output, progress=event.progress, total=event.total))

    # ---- putting ---------------------------------------------------------------------------------------------------

    def _speaker(self, exchange_id: str, place: Place, block: SpeakerBlock) -> None:
        self._column.put(replace(block, id=self._column.id_at(exchange_id, place)), place)

    def _note(self, exchange_id: str, place: Place, remark: Remark | None) -> None:
        if remark is None:
            return
        self._column.put(
            NoteBlock(
                id=self._column.id_at(exchange_id, place), exchange_id=exchange_id,
                note=remark.note, text=remark.text, detail=remark.detail,
            ),
            place,
        )  # fmt: skip


def _choice(delta: Delta) -> int:
    return 0 if isinstance(delta, Started | UsageReported | Failed) else delta.choice


def _fits(block: CallBlock, invocation: Invocation) -> bool:
    """Whether a block is this invocation's: its own, or the one of the same exchange that has none yet."""
    if block.invocation is not None:
        return block.invocation.id == invocation.id
    return block.exchange_id == invocation.exchange_id
