"""Whether another program had the keyboard, read from the events of an X server."""

import ctypes
import struct

import pytest

from callgate.ui.desktop.x11_focus import X11Focus

IN, OUT, PROPERTY, SENT = 9, 10, 28, 0x80
NORMAL, GRAB, UNGRAB, WHILE_GRABBED = range(4)
NONLINEAR, POINTER = 3, 5


class Server:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.focus = X11Focus(lambda: self.said.append("left"), lambda visited: self.said.append(f"came {visited}"))

    def send(self, code: int, mode: int = NORMAL, detail: int = NONLINEAR) -> None:
        event = ctypes.create_string_buffer(struct.pack("=BBHIB23x", code, detail, 1, 7, mode), 32)
        assert self.focus.nativeEventFilter(b"xcb_generic_event_t", ctypes.addressof(event)) == (False, 0)


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([(OUT,), (IN,)], ["left", "came False"]),
        ([(OUT,), (PROPERTY,), (IN,)], ["left", "came True"]),
        ([(OUT,), (PROPERTY,), (IN,), (OUT,), (IN,)], ["left", "came True", "left", "came False"]),
        ([(PROPERTY,), (OUT,), (IN,), (PROPERTY,)], ["left", "came False"]),
        ([(OUT, WHILE_GRABBED), (PROPERTY,), (IN, WHILE_GRABBED)], ["left", "came True"]),
        ([(OUT, GRAB), (PROPERTY,), (IN, UNGRAB)], []),
        ([(IN, NORMAL, POINTER), (OUT, NORMAL, POINTER)], []),
        ([(OUT,), (IN, NORMAL, POINTER), (PROPERTY,), (IN,)], ["left", "came True"]),
        ([(OUT | SENT,), (IN | SENT,)], []),
    ],
)
def test_a_visit_to_another_program_is_told_from_a_change_of_windows(
    events: list[tuple[int, ...]], said: list[str]
) -> None:
    server = Server()
    for event in events:
        server.send(*event)
    assert server.said == said
