"""What both ways of running share, with and without a window: the interpreter's settings, and lines for scripts."""

import gc
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from callgate.runtime.runtime import Runtime

Visit = Callable[[Runtime], Coroutine[Any, Any, None]]
"""Something to do once the station is open, such as the demonstration."""


def ready_line(address: str) -> str:
    """Scripts wait for exactly this line."""
    return f"Callgate listening on {address}"


COLLECT_AFTER = (50_000, 20, 100)
"""Allocations, and collections of the younger generation: a request with a hundred thousand messages is no garbage."""


SWITCH_SECONDS = 0.001
"""How long a thread keeps the interpreter while the loop wants it: a turn of the loop asks for it many times."""


def settle_interpreter() -> None:
    """What is there once the program runs stays for good: each search for garbage in it took 100 ms."""
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)


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
