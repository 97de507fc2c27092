"""Callgate without a window, on a plain asyncio loop: proof that everything but `ui` is free of Qt."""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from callgate.accept_command import described
from callgate.core.events import Event, FaultRaised, FileChangesFound, JournalChanged
from callgate.station import Launch, Station
from callgate.terminal import TerminalPrompt, stdin_lines

Visit = Callable[[Station], Coroutine[Any, Any, None]]
"""Something to do once the station is open, such as the demonstration."""


def ready_line(address: str) -> str:
    """Scripts wait for exactly this line."""
    return f"Callgate listening on {address}"


def serve(launch: Launch, *, prompt: bool = False, visit: Visit | None = None) -> int:
    """Serves until Ctrl+C or SIGTERM."""
    return asyncio.run(_serve(launch, prompt, visit))


async def _serve(launch: Launch, prompt: bool, visit: Visit | None) -> int:
    station = Station(launch)
    station.bus.subscribe(_complain)
    station.bus.subscribe(partial(_say_changed, station))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await station.open()
        settle_interpreter()
        gc.set_threshold(*COLLECT_AFTER)
        if station.server.note:
            say(station.server.note)
        say(ready_line(station.address))
        if prompt:
            # only a person at a terminal may accept a change; lines from a pipe may come from anywhere
            changes = station.changes if sys.stdin.isatty() else None
            asker = TerminalPrompt(station.console, station.tasks, await stdin_lines(), say, changes)
            station.tasks.start(asker.run(), "terminal prompt")
        if visit is not None:
            await visit(station)
        await stop.wait()
    finally:
        await station.close()
    return 0


COLLECT_AFTER = (50_000, 20, 100)
"""Allocations, and collections of the younger generation: a request with a hundred thousand messages is no garbage."""


SWITCH_SECONDS = 0.001
"""How long a thread keeps the interpreter while the loop wants it: a turn of the loop asks for it many times."""


def settle_interpreter() -> None:
    """What is there once the program runs stays for good: each search for garbage in it took 100 ms."""
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)


def _complain(event: Event) -> None:
    """What the window shows in its banner: a server that can't be started, a rule that can't be read."""
    if isinstance(event, FaultRaised):
        print(f"callgate: {event.where}: {event.message}", file=sys.stderr, flush=True)
    if isinstance(event, JournalChanged):
        print(f"callgate: journal: {event.words}", file=sys.stderr, flush=True)


def _say_changed(station: Station, event: Event) -> None:
    """What the window shows as a line with a way to review it."""
    if isinstance(event, FileChangesFound) and event.files:
        print(f"callgate: {described(station.changes.changes(), station.changes.problem)}", file=sys.stderr)
        print("It counts once you accept it: callgate accept", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """One line on standard output, seen at once also through a pipe; a server goes on when nobody reads it any more."""
    try:
        print(text, file=sys.stdout, flush=True)
    except BrokenPipeError:
        fall_silent()


def fall_silent() -> None:
    """Whoever read the output has left, as `head` does; Python would complain again when it flushes at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
