"""Callgate without a window, on a plain asyncio loop: proof that everything but `ui` is free of Qt."""

import asyncio
import gc
import signal
import sys
from functools import partial

from callgate.cli.accept_command import described
from callgate.cli.terminal import TerminalPrompt, stdin_lines
from callgate.core.events import Event, FaultRaised, FileChangesFound, JournalChanged
from callgate.runtime.process import COLLECT_AFTER, Visit, ready_line, say, settle_interpreter
from callgate.runtime.runtime import Launch, Runtime


def serve(launch: Launch, *, prompt: bool = False, visit: Visit | None = None) -> int:
    """Serves until Ctrl+C or SIGTERM."""
    return asyncio.run(_serve(launch, prompt, visit))


async def _serve(launch: Launch, prompt: bool, visit: Visit | None) -> int:
    runtime = Runtime(launch)
    runtime.bus.subscribe(_complain)
    runtime.bus.subscribe(partial(_say_changed, runtime))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await runtime.open()
        settle_interpreter()
        gc.set_threshold(*COLLECT_AFTER)
        if runtime.server.note:
            say(runtime.server.note)
        say(ready_line(runtime.address))
        if prompt:
            # only a person at a terminal may accept a change; lines from a pipe may come from anywhere
            changes = runtime.changes if sys.stdin.isatty() else None
            lines = await stdin_lines(say)
            asker = TerminalPrompt(runtime.console, runtime.tasks, lines.read, say, changes, lines.discard)
            runtime.tasks.start(asker.run(), "terminal prompt")
        if visit is not None:
            await visit(runtime)
        await stop.wait()
    finally:
        await runtime.close()
    return 0


def _complain(event: Event) -> None:
    """What the window shows in its banner: a server that can't be started, a rule that can't be read."""
    if isinstance(event, FaultRaised):
        print(f"callgate: {event.where}: {event.message}", file=sys.stderr, flush=True)
    if isinstance(event, JournalChanged):
        print(f"callgate: journal: {event.words}", file=sys.stderr, flush=True)


def _say_changed(runtime: Runtime, event: Event) -> None:
    """What the window shows as a line with a way to review it."""
    if isinstance(event, FileChangesFound) and event.files:
        print(f"callgate: {described(runtime.changes.changes(), runtime.changes.problem)}", file=sys.stderr)
        print("It counts once you accept it: callgate accept", file=sys.stderr, flush=True)
