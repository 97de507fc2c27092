"""A call's time limit, which stands still while a person is asked something on the call's behalf."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType


class TimeLimit:
    """`async with limit:` raises `TimeoutError` when the time is up."""

    def __init__(self, seconds: float) -> None:
        self._scope = asyncio.timeout(seconds)
        self._left = seconds
        self._holds = 0
        self._running = False

    @property
    def expired(self) -> bool:
        return self._scope.expired()

    async def __aenter__(self) -> "TimeLimit":
        await self._scope.__aenter__()
        self._running = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._running = False
        return await self._scope.__aexit__(kind, error, trace)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """May be entered more than once at a time; harmless when the call is over."""
        self._holds += 1
        if self._holds == 1:
            self._stop()
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._go_on()

    def _stop(self) -> None:
        when = self._scope.when()
        if not self._running or when is None or self.expired:
            return
        self._left = when - asyncio.get_running_loop().time()
        self._scope.reschedule(None)

    def _go_on(self) -> None:
        if self._running and not self.expired:
            self._scope.reschedule(asyncio.get_running_loop().time() + max(self._left, 0))
