"""Waiting on the loop for a job that lives in a thread, with its newest lines reported on the way."""

import asyncio
import signal
from collections.abc import Callable

from callgate.tools.process.job import Job
from callgate.tools.source import CallContext

REPORT_SECONDS = 0.2
"""Between two live reports: as often as a person can follow."""
MOST_REPORTED = 512 * 1024
"""A viewer of one call gets no more than this live; the result and the saved file have the rest."""
_SIGNALS = {one.value: one.name for one in signal.Signals}

Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Event]
"""Who waits for the end of a job: an event, and the loop that it belongs to."""


def waker(waiter: Waiter | None) -> Callable[[], None] | None:
    """Called by the job's thread when it is over."""
    if waiter is None:
        return None
    loop, ended = waiter

    def wake() -> None:
        if not loop.is_closed():  # the waiter was cancelled and the program has ended meanwhile
            loop.call_soon_threadsafe(ended.set)

    return wake


async def watch(job: Job, ended: asyncio.Event, context: CallContext) -> None:
    """Reports new lines now and then until the job has ended; a cancellation stops the job."""
    try:
        await _report(job, ended, context)
    except asyncio.CancelledError:
        job.stop()
        raise


async def _report(job: Job, ended: asyncio.Event, context: CallContext) -> None:
    reported = 0
    while not ended.is_set():
        try:
            async with asyncio.timeout(REPORT_SECONDS):
                await ended.wait()
        except TimeoutError:
            pass  # time for the next report
        fresh = job.output.take_fresh(all_of_it=ended.is_set())
        if fresh and reported < MOST_REPORTED:
            context.report(fresh, None, None)
            reported += len(fresh)
            if reported >= MOST_REPORTED:
                context.report("[… more output than can be followed live …]\n", None, None)


def exit_words(job: Job) -> str:
    code = job.exit_code
    if code is not None and code < 0:
        return f"ended by {_SIGNALS.get(-code, f'signal {-code}')}"
    return f"exit code {code}"
