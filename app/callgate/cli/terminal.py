"""Deciding in the terminal: `callgate serve --on-ask prompt`. The same verbs as in the window, one thing after another.

Input is read by the loop, never by a blocked thread, so that a call decided elsewhere or withdrawn ends its question.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

import orjson

from callgate.cli.accept_command import described, is_yes
from callgate.cli.terminal_decision import TerminalDecisions
from callgate.cli.terminal_preview import binding_lines, change_lines, fact_lines, preview_lines
from callgate.cli.terminal_questions import TerminalQuestions
from callgate.core.calls.invocation import Invocation, shown_hash
from callgate.core.calls.tool_facts import ToolFacts, facts_of, tool_of
from callgate.core.config.widening import Widening
from callgate.core.errors import UserFault
from callgate.core.events import Event, FileChangesFound, InvocationChanged, QuestionAnswered, QuestionAsked
from callgate.core.question import OpenQuestion
from callgate.core.tool import PERSON_SOURCE
from callgate.engine.console.change_service import ChangeService
from callgate.engine.console.console import Console
from callgate.engine.tasks import Tasks

try:
    import termios
except ImportError:  # Windows: a line that was begun there stays
    termios = None

ReadLine = Callable[[], Awaitable[str]]
"""One line without its end; raises EOFError when there is no more."""
Write = Callable[[str], None]
_UNREAD_SECONDS = 0.4
"""Nobody has read a question that replaced another one sooner: as long as the buttons of the window take to arm."""


class TerminalPrompt:
    """Asks about each waiting call, oldest first, and puts the questions of tool servers."""

    def __init__(
        self,
        console: Console,
        tasks: Tasks,
        read_line: ReadLine,
        write: Write,
        changes: ChangeService | None = None,
        discard: Callable[[], None] = lambda: None,
    ) -> None:
        """`changes`: files that were changed outside Callgate; None = they cannot be accepted here. `discard` drops
        what was typed for a question that is withdrawn."""
        self._changes = changes
        self._discard = discard
        self._refused: set[str] = set()
        """Changes that the person does not want to accept now."""
        self._console = console
        self._tasks = tasks
        self._read_line = read_line
        self._write = write
        self._questions = TerminalQuestions(console, read_line, write, _harmless)
        self._decisions = TerminalDecisions(console, read_line, write, _harmless)
        self._later: set[str] = set()
        """Calls that the person does not want to decide now; they go on waiting."""
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Lives until cancelled, or until the terminal is gone."""
        subscription = self._console.bus.subscribe(self._heard)
        try:
            while True:
                waiting, questions = self._waiting(), self._console.questions.waiting()
                if waiting:
                    await self._decide_first(waiting)
                elif self._changes_wait():
                    await self._ask_or_withdraw(self._review(), self._changes_wait)
                elif questions:
                    await self._put_first(questions)
                elif self._left_over():
                    await self._offer_again()
                else:
                    self._changed.clear()
                    await self._changed.wait()
        except EOFError:
            self._write("No terminal to ask in any more; waiting calls run into their deadline.")
        finally:
            subscription.close()

    def _heard(self, event: Event) -> None:
        if isinstance(event, InvocationChanged | QuestionAsked | QuestionAnswered | FileChangesFound):
            self._changed.set()

    def _waiting(self) -> tuple[Invocation, ...]:
        return tuple(call for call in self._console.waiting() if call.id not in self._later)

    def _left_over(self) -> bool:
        """Whether nothing is to be asked now but calls that were left for later."""
        return not self._waiting() and not self._console.questions.waiting() and bool(self._console.waiting())

    def _changes_wait(self) -> bool:
        return any(one.id not in self._refused for one in self._widenings())

    def _widenings(self) -> list[Widening]:
        changes = self._changes.changes() if self._changes is not None else ()
        return [one for change in changes for one in change.widenings]

    async def _review(self) -> None:
        if self._changes is None:
            return
        shown = self._widenings()
        self._write(
            f"\n{_harmless(described(self._changes.changes(), self._changes.problem))}\nAccept all of it? [y/N]  > "
        )
        answer = await self._read_line()
        if not is_yes(answer):
            self._refused |= {one.id for one in shown}
            self._write("Left as it was accepted before. Accept it later with: callgate accept")
            return
        try:
            await self._changes.accept(shown)
        except UserFault as fault:
            self._refused |= {one.id for one in shown}
            self._write(_harmless(str(fault)))
        else:
            self._write("Accepted.")

    async def _offer_again(self) -> None:
        await self._ask_or_withdraw(self._look_again(), self._left_over)

    async def _decide_first(self, waiting: tuple[Invocation, ...]) -> None:
        first = waiting[0]
        await self._ask_or_withdraw(
            self._ask(first, len(waiting)),
            lambda: any(_same(other, first) for other in self._console.waiting()),
            f"{first.tool} was decided elsewhere, was withdrawn or has changed.",
        )

    async def _put_first(self, questions: tuple[OpenQuestion, ...]) -> None:
        first = questions[0]
        await self._ask_or_withdraw(
            self._questions.ask(first),
            lambda: any(other.id == first.id for other in self._console.questions.waiting()),
            f"The question of {first.question.source} was decided elsewhere or withdrawn.",
        )

    async def _ask_or_withdraw(
        self, question: Coroutine[Any, Any, None], is_open: Callable[[], bool], farewell: str = ""
    ) -> None:
        asking = self._tasks.start(question, "prompt")
        try:
            while not asking.done():
                self._changed.clear()
                changed = self._tasks.start(self._wait_for_change(), "prompt change")
                await asyncio.wait({asking, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if not asking.done() and not is_open():
                    self._write(f"\n{_harmless(farewell)}")
                    self._discard()  # else it would answer the next question, which nobody has read yet
                    return
            await asking
        finally:
            asking.cancel()

    async def _wait_for_change(self) -> None:
        await self._changed.wait()

    async def _ask(self, invocation: Invocation, count: int) -> None:
        self._write(self._described(invocation, count) + await self._changed_tool(invocation))
        self._console.seen(invocation.id)
        if not await self._decisions.ask(invocation):
            self._later.add(invocation.id)

    async def _changed_tool(self, invocation: Invocation) -> str:
        """How the tool differs from what was allowed; it is shown before anything can be decided."""
        if invocation.ran_result is not None or invocation.verdict is None or not invocation.verdict.suspends:
            return ""
        change = (await self._console.rule_service.background(invocation)).change
        return "" if change is None else "\n" + _marked(change_lines(change)).rstrip("\n")

    async def _look_again(self) -> None:
        self._write("Press Enter to see what you left for later  > ")
        await self._read_line()
        self._later.clear()

    def _described(self, invocation: Invocation, count: int) -> str:
        more = f" (1 of {count} waiting)" if count > 1 else ""
        why = _harmless(_why(invocation))
        named = f"{_harmless(invocation.tool)} ({_harmless(invocation.source)})"
        if invocation.ran_result is not None:
            return (
                f"\n{named} has run; its result needs review{more}\n{_indented(invocation.ran_result.text)}\n"
                f"  why: {why}"
            )
        return (
            f"\n{_harmless(invocation.agent)} wants to run {named}{more}\n"
            f"{_changed(invocation)}{_runs(invocation)}{_indented(invocation.effective_arguments)}\n"
            f"{self._would(invocation)}  why: {why}{_unrecorded(invocation)}"
        )

    def _would(self, invocation: Invocation) -> str:
        """What the call would do, under its arguments, what is known of its tool, and what confines it."""
        tool = tool_of(invocation, self._console.tools())
        known = ToolFacts()
        if invocation.source != PERSON_SOURCE:
            known = facts_of(invocation, tool, None, invocation.preview)
        wall = f"  {_harmless(invocation.wall)}\n" if invocation.wall else ""
        return _marked(preview_lines(invocation, tool)) + _facts(known) + wall


def _why(invocation: Invocation) -> str:
    verdict = invocation.verdict
    if verdict is None or verdict.reason in ("", "no rule matched"):
        return "no rule matches, so you decide"
    return verdict.reason


def _facts(known: ToolFacts) -> str:
    return "".join(f"  {_harmless(line)}\n" for line in fact_lines(known))


def _same(now: Invocation, shown: Invocation) -> bool:
    return now.id == shown.id and shown_hash(now) == shown_hash(shown)


def _changed(invocation: Invocation) -> str:
    return "" if invocation.change is None else _marked(binding_lines(invocation.change))


def _runs(invocation: Invocation) -> str:
    """What would run it, where its source alone does not say."""
    lines = invocation.executor_lines[1:]
    return f"  {_harmless(' · '.join(lines))}\n" if lines else ""


def _unrecorded(invocation: Invocation) -> str:
    if invocation.verdict is None or not invocation.verdict.unrecorded:
        return ""
    return "\n  ! The journal cannot be written: this call would leave no record"


def _marked(texts: Iterable[str]) -> str:
    lines = (line for text in texts for line in _harmless(text).splitlines())
    return "".join(f"  │ {line}\n" for line in lines)


def _indented(arguments: str) -> str:
    try:
        shown = orjson.dumps(orjson.loads(arguments), option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONDecodeError:
        shown = arguments
    return "\n".join(f"  {line}" for line in _harmless(shown).splitlines())


def _harmless(text: str) -> str:
    """What a model or a client wrote must not drive the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else f"\\x{ord(char):02x}" for char in text)


class StdinLines:
    """Lines of standard input, read by the running loop."""

    def __init__(self, reader: asyncio.StreamReader, write: Write, clock: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._write = write
        self._clock = clock
        self._deaf_until = 0.0

    async def read(self) -> str:
        while True:
            line = await self._reader.readline()
            if not line:
                raise EOFError
            if self._clock() >= self._deaf_until:
                return line.decode("utf-8", "replace").rstrip("\r\n")
            self._write("That was typed before the question could be read; type it again  > ")

    def discard(self) -> None:
        """What was typed up to now, and in the next moment, is no answer. A pipe has nobody who types."""
        if termios is not None and sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
            self._deaf_until = self._clock() + _UNREAD_SECONDS


async def stdin_lines(write: Write) -> StdinLines:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return StdinLines(reader, write)
