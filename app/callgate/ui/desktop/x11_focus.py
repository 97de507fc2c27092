"""What the X server says of the keyboard's way, at the moment it says so.

Qt waits 100 ms before it reports that no window of the program is active, and reports nothing if one has become active
again by then: a click from a program that had the keyboard for a moment looked like one within this program. Here the
server's own events are read. From one window of the program to another they follow each other without a gap, as one
request moves the keyboard; anything in between (the window manager announcing another active window) shows that another
program had it.
"""

import ctypes
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray

_FOCUS_IN: Final = 9
_FOCUS_OUT: Final = 10
_SENT: Final = 0x80
"""The bit of the code that says that a program made the event, not the server."""
_DETAIL_AT: Final = 1
_MODE_AT: Final = 8
_OF_POINTER: Final = 5
"""Detail: the window is only under the pointer."""
_OF_GRAB: Final = frozenset({1, 2})
"""Modes: a menu or a key of the window manager takes the keyboard for itself, which gives it to no window."""


class X11Focus(QAbstractNativeEventFilter):
    def __init__(self, left: Callable[[], None], came: Callable[[bool], None]) -> None:
        """`left`: no window of the program has the keyboard. `came`: one has; True = another program had it before."""
        super().__init__()
        self._left, self._came = left, came
        self._is_out = self._between = False

    def nativeEventFilter(self, _kind: QByteArray | bytes | bytearray | memoryview, message: int) -> tuple[bool, int]:
        place = int(message)
        code = ctypes.c_uint8.from_address(place).value
        if code & ~_SENT not in (_FOCUS_IN, _FOCUS_OUT):
            self._between = self._is_out
        elif code & _SENT == 0 and not self._is_passing(place):
            self._is_out = code == _FOCUS_OUT
            if self._is_out:
                self._left()
            else:
                self._came(self._between)
            self._between = False
        return False, 0

    @staticmethod
    def _is_passing(place: int) -> bool:
        detail = ctypes.c_uint8.from_address(place + _DETAIL_AT).value
        return detail == _OF_POINTER or ctypes.c_uint8.from_address(place + _MODE_AT).value in _OF_GRAB
