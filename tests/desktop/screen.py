"""A real X server with a window manager, a real pointer and keyboard, and a screen reader's view of the program.

Events take the road that a person's take: X server, window manager, activation, focus.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from tests.desktop import frame_buffer

T = TypeVar("T")
SECONDS = float(os.environ.get("CALLGATE_DESKTOP_SECONDS", "20"))
"""Bound of every wait; a busy machine takes its time to map a window."""
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
PANELS = frozenset({"QueuePanel", "ApprovalCard"})
"""What things are looked for in that is no window: found by going through the windows."""
PROGRAMS = ("Xvfb", "openbox", "xdotool", "xprop", "dbus-daemon")


def missing() -> str:
    """What a desktop test needs and this machine lacks; empty = nothing."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    if not LAUNCHER.exists():
        lacking.append("at-spi2-core")
    gi = ["/usr/bin/python3", "-c", "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"]
    if not Path(gi[0]).exists() or subprocess.run(gi, capture_output=True, check=False).returncode:
        lacking.append("gir1.2-atspi-2.0")
    return ", ".join(lacking)


@dataclass(frozen=True, slots=True)
class Seen:
    """A widget as a screen reader describes it."""

    id: str
    name: str
    role: str
    text: str
    box: tuple[int, int, int, int]
    enabled: bool
    focused: bool
    focusable: bool
    active: bool

    @property
    def middle(self) -> tuple[int, int]:
        x, y, width, height = self.box
        return x + width // 2, y + height // 2


class Screen:
    """One display with everything on it; `close` ends what it started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: list[subprocess.Popen[str]] = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
        self.environment |= {"HOME": str(folder / "home"), "XDG_RUNTIME_DIR": str(folder / "run")}
        for name in ("home", "run"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        self.environment["DISPLAY"] = f":{self._display()}"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._bus()
        self.start([str(LAUNCHER), "--launch-immediately"])
        self.start(["openbox", "--sm-disable"])
        self.environment["XDG_SESSION_TYPE"] = "x11"
        self.until(lambda: "window id" in self.output("xprop", "-root", "_NET_SUPPORTING_WM_CHECK") or None)
        self._reader: subprocess.Popen[str] | None = None

    def close(self) -> None:
        for child in reversed(self._children.copy()):
            self.end(child)  # one after the other: a program must not lose its display while it ends

    def start(self, argv: list[str], **more: str) -> subprocess.Popen[str]:
        """Starts a program on this display."""
        with (self._folder / f"{Path(argv[0]).name}.log").open("ab") as log:
            child = subprocess.Popen(
                argv,
                env=self.environment | more,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._children.append(child)
        return child

    def end(self, child: subprocess.Popen[str], seconds: float = 5) -> None:
        """Ends a program of this display, if it has not ended, and forgets it."""
        self._children.remove(child)
        child.terminate()
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait(seconds)
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                stream.close()

    def log(self, program: str) -> str:
        """What a program has written to stderr."""
        return (self._folder / f"{program}.log").read_text("utf-8", "replace")[-3000:]

    def output(self, *argv: str, seconds: float = SECONDS) -> str:
        done = subprocess.run(argv, env=self.environment, capture_output=True, text=True, timeout=seconds, check=False)
        return done.stdout

    def until(
        self, found: Callable[[], T | None], what: str = "it", seconds: float = SECONDS, *, picture: bool = True
    ) -> T:
        """Asks again until there is an answer; the X server tells no test when a window manager has done its work."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = found()
            if value is not None and value is not False:
                return value
            time.sleep(0.05)
        shown = ""
        if picture:
            path = self._folder / f"missed-{len(list(self._folder.glob('missed-*')))}.png"
            self.picture(path)
            shown = f"; the screen then: {path}"
        raise AssertionError(f"waited {seconds:g} s for {what} in vain{shown}")

    # ---- hand ------------------------------------------------------------------------------------------------------

    def wander(self, seen: Seen) -> None:
        """The pointer leaves a widget and comes back, at the pace of a hand: slower than a double click."""
        x, y = seen.middle
        steps = [(x, y - 8 * step) for step in (1, 3, 5, 7, 7, 5, 3, 1)]
        self.output("xdotool", *(word for a, b in steps for word in ("mousemove", str(a), str(b), "sleep", "0.06")))

    def pause(self, seconds: float) -> None:
        """As long as a hand takes; nothing is waited for."""
        self.output("xdotool", "sleep", str(seconds))

    def move(self, x: int, y: int) -> None:
        # without --sync, which waits for the pointer to move and so hangs where it is there already
        self.output("xdotool", "mousemove", str(x), str(y))

    def click(self, seen: Seen, button: int = 1) -> None:
        """Moves there first, as a hand does."""
        self.move(*seen.middle)
        self.output("xdotool", "click", str(button))

    def double_click(self, seen: Seen) -> None:
        self.move(*seen.middle)
        self.output("xdotool", "click", "--repeat", "2", "--delay", "40", "1")

    def click_here(self, *modifiers: str) -> None:
        """Where the pointer is."""
        keys = [part for key in modifiers for part in ("keydown", key)]
        up = [part for key in modifiers for part in ("keyup", key)]
        self.output("xdotool", *keys, "click", "1", *up)

    def click_after(self, window: str, milliseconds: int) -> None:
        """Where the pointer is, so soon after that window has come to the front."""
        self.output("xdotool", "windowactivate", "--sync", window, "sleep", str(milliseconds / 1000), "click", "1")

    def press(self, *chords: str) -> None:
        self.output("xdotool", "key", "--clearmodifiers", *chords)

    def type(self, text: str) -> None:
        """At the pace of a fast hand: keys that come sooner may be taken for keys that were under way."""
        self.output("xdotool", "type", "--clearmodifiers", "--delay", "40", text)

    # ---- windows ---------------------------------------------------------------------------------------------------

    def active_window(self) -> str:
        """The title of the window that has the keyboard."""
        return self.output("xdotool", "getactivewindow", "getwindowname").strip()

    def windows(self, pid: int, title: str = ".") -> list[str]:
        """Ids of the visible windows of a program, by a pattern of their titles."""
        return self.output("xdotool", "search", "--all", "--onlyvisible", "--pid", str(pid), "--name", title).split()

    def window(self, pid: int, title: str) -> str:
        """The id of a window by a piece of its title, visible or not; empty if there is none."""
        return next(iter(self.output("xdotool", "search", "--all", "--pid", str(pid), "--name", title).split()), "")

    def properties(self, window: str, *names: str) -> str:
        return self.output("xprop", "-id", window, *names)

    def activate(self, window: str) -> None:
        """As a taskbar does; waits until the window manager has done it."""
        self.output("xdotool", "windowactivate", window)
        self.until(lambda: self.output("xdotool", "getactivewindow").strip() == window, f"window {window} in front")

    def minimize(self, window: str) -> None:
        self.output("xdotool", "windowminimize", window)
        self.until(lambda: "Iconic" in self.properties(window, "WM_STATE"), f"window {window} minimised")

    def close_window(self, window: str) -> None:
        """As the title bar's button does: the window manager asks it to close."""
        self.activate(window)
        self.press("alt+F4")

    def go_to_workspace(self, number: int) -> None:
        self.output("xdotool", "set_desktop", str(number))
        self.until(lambda: self.output("xdotool", "get_desktop").strip() == str(number), f"workspace {number}")

    # ---- eye -------------------------------------------------------------------------------------------------------

    def picture(self, path: Path) -> None:
        """What is on the screen now, as a PNG."""
        assert frame_buffer.read(self._folder / "Xvfb_screen0").save(str(path))

    def seen(self, pid: int, **wanted: object) -> list[Seen]:
        """What shows now, by `id` (objectName), `role` or a piece of its `name`, in the widget called `within`."""
        rows = self.ask({"pid": pid, **wanted})
        return [
            Seen(**{field: row[field] for field in Seen.__dataclass_fields__} | {"box": tuple(row["box"])})
            for row in rows
            if row["box"] is not None and row["box"][2] > 0
        ]

    def forget_heard(self) -> None:
        """From here on, only what is announced anew counts."""
        self.ask({"forget": True})

    def hear(self, words: str) -> None:
        """A screen reader is given exactly these words to say."""
        self.until(
            lambda: any(
                each["said"] == words for each in self.ask({"heard": True}) if each["kind"].startswith("object:ann")
            ),
            f"{words!r} to be announced",
        )

    def ask(self, request: dict[str, Any]) -> Any:
        """A request to the screen reader's process: see there."""
        if self._reader is None:
            server = Path(__file__).with_name("atspi_server.py")
            self._reader = self.start(["/usr/bin/python3", str(server)])
        asking, telling = _streams(self._reader)
        asking.write(json.dumps(request | {"panel": request.get("within") in PANELS}) + "\n")
        asking.flush()
        line = telling.readline()
        assert line, f"the screen reader ended: {self.log('python3')}"
        return json.loads(line)

    def find(self, pid: int, seconds: float = SECONDS, **wanted: object) -> Seen:
        """The first that shows, waited for."""
        return self.until(lambda: next(iter(self.seen(pid, first=True, **wanted)), None), str(wanted), seconds)

    def gone(self, pid: int, **wanted: object) -> None:
        self.until(lambda: not self.seen(pid, **wanted) or None, f"{wanted} to go")

    # ---- the stage -------------------------------------------------------------------------------------------------

    def _display(self) -> str:
        drawn = ["-screen", "0", "1600x1200x24", "-fbdir", str(self._folder)]
        server = self.start(["Xvfb", "-displayfd", "1", *drawn, "-nolisten", "tcp", "-noreset"])
        _, telling = _streams(server)
        return telling.readline().strip()

    def _bus(self) -> str:
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
        _, telling = _streams(bus)
        return telling.readline().strip()


def _streams(child: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert child.stdin is not None and child.stdout is not None
    return child.stdin, child.stdout
