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
from typing import IO, TypeVar

T = TypeVar("T")
SECONDS = 20.0
"""Bound of every wait; a busy machine takes its time to map a window."""
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
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
    """A widget as a screen reader tells it."""

    id: str
    name: str
    role: str
    text: str
    box: tuple[int, int, int, int]
    enabled: bool
    focused: bool
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
        self.until(lambda: "window id" in self.output("xprop", "-root", "_NET_SUPPORTING_WM_CHECK") or None)
        self._reader: subprocess.Popen[str] | None = None

    def close(self) -> None:
        for child in reversed(self._children):
            child.terminate()  # one after the other: a program must not lose its display while it ends
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(5)
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    stream.close()

    def start(self, argv: list[str], **more: str) -> subprocess.Popen[str]:
        """Starts a program on this display."""
        child = subprocess.Popen(
            argv,
            env=self.environment | more,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self._folder / f"{Path(argv[0]).name}.log").open("ab"),
            text=True,
        )
        self._children.append(child)
        return child

    def output(self, *argv: str) -> str:
        done = subprocess.run(argv, env=self.environment, capture_output=True, text=True, timeout=SECONDS, check=False)
        return done.stdout

    def until(self, found: Callable[[], T | None], what: str = "it", seconds: float = SECONDS) -> T:
        """Asks again until there is an answer; the X server tells no test when a window manager has done its work."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = found()
            if value is not None and value is not False:
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds:g} s for {what} in vain")

    # ---- hand ------------------------------------------------------------------------------------------------------

    def move(self, x: int, y: int) -> None:
        self.output("xdotool", "mousemove", "--sync", str(x), str(y))

    def click(self, seen: Seen, *modifiers: str) -> None:
        """Moves there first, as a hand does."""
        self.move(*seen.middle)
        keys = [part for key in modifiers for part in ("keydown", key)]
        up = [part for key in modifiers for part in ("keyup", key)]
        self.output("xdotool", *keys, "click", "1", *up)

    def press(self, *chords: str) -> None:
        self.output("xdotool", "key", "--clearmodifiers", *chords)

    def type(self, text: str) -> None:
        self.output("xdotool", "type", "--clearmodifiers", "--delay", "15", text)

    # ---- eye -------------------------------------------------------------------------------------------------------

    def active_window(self) -> str:
        return self.output("xdotool", "getactivewindow", "getwindowname").strip()

    def windows(self, pid: int) -> list[str]:
        """Ids of the visible windows of a program."""
        return self.output("xdotool", "search", "--onlyvisible", "--pid", str(pid)).split()

    def picture(self, path: Path) -> None:
        self.output("import", "-window", "root", str(path))

    def seen(self, pid: int, **wanted: str) -> list[Seen]:
        """The widgets that show now, by `id` (objectName) or a piece of their `name`."""
        if self._reader is None:
            server = Path(__file__).with_name("atspi_server.py")
            self._reader = self.start(["/usr/bin/python3", str(server)])
        asking, telling = _streams(self._reader)
        asking.write(json.dumps({"pid": pid, **wanted}) + "\n")
        asking.flush()
        rows = json.loads(telling.readline())
        return [
            Seen(
                row["id"],
                row["name"],
                row["role"],
                row["text"],
                tuple(row["box"]),
                row["enabled"],
                row["focused"],
                row["active"],
            )
            for row in rows
            if row["box"] is not None and row["box"][2] > 0
        ]

    def find(self, pid: int, seconds: float = SECONDS, **wanted: str) -> Seen:
        """The first that shows, waited for."""
        return self.until(lambda: next(iter(self.seen(pid, **wanted)), None), str(wanted), seconds)

    def gone(self, pid: int, **wanted: str) -> None:
        self.until(lambda: not self.seen(pid, **wanted) or None, f"{wanted} to go")

    # ---- the stage -------------------------------------------------------------------------------------------------

    def _display(self) -> str:
        server = self.start(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"])
        _, telling = _streams(server)
        return telling.readline().strip()

    def _bus(self) -> str:
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
        _, telling = _streams(bus)
        return telling.readline().strip()


def _streams(child: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert child.stdin is not None and child.stdout is not None
    return child.stdin, child.stdout
