"""Long work on large requests, done beside the loop, so that the window and the other exchanges go on meanwhile.

A thread shares the interpreter with the loop: it helps only as far as the work is made of many short steps. One call
into C that takes a second holds up everything, wherever it is made.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LARGE_BYTES = 256 * 1024
"""From here on reading or writing a request can take longer than a frame of the window."""


async def off_the_loop(work: Callable[[], T], size: int) -> T:
    """What pure work on a request of so many bytes gives."""
    return work() if size < LARGE_BYTES else await asyncio.to_thread(work)
