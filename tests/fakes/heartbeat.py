"""How long a loop stands still at a stretch: what a key that is pressed meanwhile would have to wait."""

import asyncio
import time
from collections.abc import Callable

from PySide6.QtCore import QTimer
from qasync import QEventLoop

TURNS_AFTER = 10
"""What follows from it is drawn in the next turns."""
_LONGEST = 30.0


class Heartbeat:
    """Beats once in every turn of Qt's loop; in seconds of the processor: what others do is not the loop's fault."""

    def __init__(self, loop: QEventLoop) -> None:
        self._loop = loop
        self._beats: list[float] = []
        self._timer = QTimer()
        self._timer.timeout.connect(lambda: self._beats.append(time.process_time()))

    @property
    def turns(self) -> int:
        """Since the work that is followed was begun."""
        return len(self._beats)

    def longest(self, work: Callable[[], object], done: Callable[[], bool] = lambda: True) -> float:
        """Milliseconds of the longest turn, from the work's own until it is done and drawn."""
        self._loop.run_until_complete(asyncio.wait_for(self._follow(work, done), _LONGEST))
        return 1000 * max(later - earlier for earlier, later in zip(self._beats, self._beats[1:], strict=False))

    async def _follow(self, work: Callable[[], object], done: Callable[[], bool]) -> None:
        self._timer.start(0)
        await self._turns(2)
        self._beats[:] = [time.process_time()]
        work()
        while not done():
            await self._turns(1)
        await self._turns(TURNS_AFTER)
        self._timer.stop()

    async def _turns(self, count: int) -> None:
        wanted = len(self._beats) + count
        while len(self._beats) < wanted:
            await asyncio.sleep(0)
