"""What one source has said lately: its log and its messages, numbered, within bounds."""

import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from callgate.core.events import LONGEST_FRAME, FrameCaptured
from callgate.engine.sources.source_service import LogLine, WireFrame

Said = TypeVar("Said", LogLine, WireFrame)

MOST_LINES = 2000
MOST_FRAMES = 1000
MOST_FRAME_CHARS = 8_000_000
"""All kept messages of a source together: enough for a long debugging session, little beside the window."""


class SourceLog:
    def __init__(self, on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)
        self._frames: deque[WireFrame] = deque(maxlen=MOST_FRAMES)
        self._chars = 0
        self._spoken = 0

    def add_line(self, text: str) -> None:
        self._lines.append(LogLine(self._next(), time.time(), text))
        self._on_news()

    def add_frame(self, frame: FrameCaptured) -> None:
        text = f"{frame.text}… ({frame.size - LONGEST_FRAME:,} more bytes)" if frame.is_cut else frame.text
        if len(self._frames) == MOST_FRAMES:
            self._drop()
        self._frames.append(WireFrame(self._next(), frame.at, frame.direction, text))
        self._chars += len(text)
        while self._chars > MOST_FRAME_CHARS and len(self._frames) > 1:
            self._drop()
        self._on_news()

    def lines(self, after: int) -> tuple[LogLine, ...]:
        return _newer(self._lines, after)

    def frames(self, after: int) -> tuple[WireFrame, ...]:
        return _newer(self._frames, after)

    def clear(self) -> None:
        """Numbers go on: who asks for what came after one gets only what is new."""
        self._lines.clear()
        self._frames.clear()
        self._chars = 0
        self._on_news()

    def _drop(self) -> None:
        self._chars -= len(self._frames.popleft().text)

    def _next(self) -> int:
        self._spoken += 1
        return self._spoken


def _newer(said: "deque[Said]", after: int) -> tuple[Said, ...]:
    newer: list[Said] = []
    for one in reversed(said):
        if one.number <= after:
            break
        newer.append(one)
    return tuple(reversed(newer))
