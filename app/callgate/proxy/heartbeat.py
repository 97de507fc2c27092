"""Progress for a client whose call takes its time: the tool's own words, and a sign of life while there are none."""

import asyncio
from collections.abc import Awaitable, Callable

SECONDS = 5.0
"""Clients give up after 60 s of silence and more; five seconds outlive any proxy in between."""
_STEP = 1e-6
"""Progress must grow; steps this small leave room for what the tool itself will report."""

Send = Callable[[float, float | None, str | None], Awaitable[None]]
"""Done, total, message."""


class Heartbeat:
    def __init__(self, send: Send, seconds: float = SECONDS) -> None:
        self._send = send
        self._seconds = seconds
        self._reports: asyncio.Queue[tuple[str, float | None, float | None] | None] = asyncio.Queue()
        self._done = 0.0
        self._total: float | None = None
        self._text = ""

    def report(self, text: str, done: float | None, total: float | None) -> None:
        self._reports.put_nowait((text, done, total))

    def end(self) -> None:
        """No more reports: `beat` returns once those before have been sent."""
        self._reports.put_nowait(None)

    async def beat(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._seconds):
                    report = await self._reports.get()
            except TimeoutError:
                await self._tell(None)
                continue
            if report is None:
                return
            text, done, self._total = report
            self._text = text or self._text
            await self._tell(done)

    async def _tell(self, done: float | None) -> None:
        self._done = done if done is not None and done > self._done else self._done + _STEP
        await self._send(self._done, self._total, self._text or None)
