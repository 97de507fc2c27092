"""The program itself, in a process of its own and as a person starts it, with agents that are kept waiting by it."""

import itertools
import json
import sys
from pathlib import Path
from typing import Any

from tests.desktop.agent import Asked, Model
from tests.desktop.screen import SECONDS, Screen, Seen

START_SECONDS = 120.0
"""To start or end a program on a machine with twenty times as much to do as it has cores."""
HAND_SECONDS = 0.3
"""From one act of a person to the next."""
DIALOG, QUEUE, CARD = "approvalDialog", "QueuePanel", "ApprovalCard"
"""What a call can be decided in, by accessible id."""
DIALOG_TITLE = "waits|needs approval"


class Program:
    def __init__(self, screen: Screen, folder: Path, model: Model, config: str = "") -> None:
        self.screen, self.model, self._folder = screen, model, folder
        self.workspace = folder / "work"
        for made in (self.workspace, folder / "home"):
            made.mkdir(exist_ok=True)
        self._config = folder / "my.toml"
        self._config.write_text('[server]\nrate_limit = ""\n\n' + config + model.config, "utf-8")
        self._numbers = itertools.count(1)
        self.agents: list[Asked] = []
        self._queue_open = False
        self._start()

    def _start(self) -> None:
        self.data, home = self._folder / "data", self._folder / "home"
        options = ("--port", "0", "--data", str(self.data))
        self.command = str(Path(sys.executable).with_name("callgate"))
        own = {"HOME": str(home)} | {
            f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "CACHE")
        }
        self._process = self.screen.start(
            [self.command, *options, "--workspace", str(self.workspace), "--config", str(self._config)],
            QT_QPA_PLATFORM="xcb",
            QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
            PYTHONFAULTHANDLER="1",
            **own,
        )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.screen.log("callgate")
        self.address = line.split()[-1]
        self.main = self.screen.until(
            lambda: self.screen.window(self.pid, "Callgate$") or None, "the window", START_SECONDS
        )
        self.bring_to_front()

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        for agent in self.agents:
            agent.hang_up()
        self.screen.end(self._process, START_SECONDS)

    def ended(self) -> int:
        """Waits until the program has gone by itself; its exit code."""
        return self._process.wait(START_SECONDS)

    # ---- agents ----------------------------------------------------------------------------------------------------

    def ask(self, tool: str, *more: dict[str, Any], agent: str = "tester", **arguments: object) -> Asked:
        """An agent makes a call of this tool; `more`: others in the same turn, with the arguments they have."""
        calls = [self._call(tool, each) for each in (arguments, *more)]
        asked = Asked(self.address, self.model, calls, agent)
        self.agents.append(asked)
        return asked

    def write(self, name: str = "", agent: str = "tester") -> tuple[Asked, Path]:
        """A call that would write a new file, and that file."""
        path = self.workspace / (name or f"written-{next(self._numbers)}.txt")
        return self.ask("create_file", agent=agent, path=path.name, content="one\n"), path

    def _call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        function = {"name": tool, "arguments": json.dumps(arguments)}
        return {"id": f"call_{next(self._numbers)}", "type": "function", "function": function}

    # ---- windows ---------------------------------------------------------------------------------------------------

    @property
    def dialog(self) -> str:
        """The window of the dialog, as soon as it is on the screen."""

        def shown() -> str | None:
            titled = self.screen.windows(self.pid, DIALOG_TITLE)
            return titled[0] if titled else None

        return self.screen.until(shown, "the dialog's window")

    def bring_to_front(self) -> None:
        """The main window gets the keyboard, as by a click in the taskbar."""
        self._come_to(self.main, "mainWindow")

    def front_dialog(self) -> None:
        """The dialog gets the keyboard."""
        self._come_to(self.dialog, DIALOG)

    def _come_to(self, window: str, name: str) -> None:
        """Returns when the program knows, and a hand has had the time to get to the next key: the program takes what
        comes at once for something that was on its way to another program."""
        if any(seen.active for seen in self._of_window(name)):
            return
        was_away = not any(seen.active for other in ("mainWindow", DIALOG) for seen in self._of_window(other))
        self.screen.activate(window)
        self.screen.until(lambda: any(seen.active for seen in self._of_window(name)), f"{name} to be active")
        if was_away:
            self.screen.pause(HAND_SECONDS)

    def is_active(self, name: str) -> bool:
        """Whether a window has the keyboard, and the program knows."""
        return any(seen.active for seen in self._of_window(name))

    def _of_window(self, name: str) -> list[Seen]:
        return self.screen.seen(self.pid, within=name, id=name, first=True)

    def see(self, name: str, within: str = "", seconds: float = SECONDS, **wanted: object) -> Seen:
        """A widget by its objectName, in the window or panel `within`, as soon as it shows."""
        inside = {"within": within or name} if within or name == DIALOG else {}
        return self.screen.find(self.pid, seconds, id=name, **inside, **wanted)

    def sees(self, name: str, within: str = "") -> bool:
        return bool(
            self.screen.seen(
                self.pid, id=name, first=True, **({"within": within or name} if within or name == DIALOG else {})
            )
        )

    def ready(self, name: str, within: str) -> Seen:
        """A button, as soon as it can be pressed and has come to rest: what is shown of a call arrives bit by bit."""
        before: list[Seen] = []

        def settled() -> Seen | None:
            nonlocal before
            last, before = before, self.screen.seen(self.pid, id=name, within=within, first=True)
            return before[0] if before and before == last and before[0].enabled else None

        return self.screen.until(settled, f"{name} enabled and at rest in {within}")

    def point_at(self, name: str, within: str) -> Seen:
        """The pointer is on a button that can be pressed."""

        def reached() -> Seen | None:
            button = self.ready(name, within)
            self.screen.move(*button.middle)
            return button if self.ready(name, within) == button else None

        return self.screen.until(reached, f"the pointer to reach {name}")

    def click(self, name: str, within: str, *modifiers: str) -> None:
        self.point_at(name, within)
        self.screen.click_here(*modifiers)

    def activate(self, name: str, within: str, *, ready: bool = False) -> None:
        """Presses a button as a screen reader does; `ready`: as soon as it can be pressed."""
        if ready:
            self.ready(name, within)
        done = self.screen.ask({"pid": self.pid, "within": within, "id": name, "act": "Press"})
        assert done, f"{name} has no such action"

    def queue(self) -> None:
        """Opens the queue by its key and gives it the keyboard."""
        self._queue_open = True
        self.screen.press("ctrl+4")
        self.see(QUEUE)

    def leave_dialog(self) -> None:
        """Puts the dialog away without deciding."""
        self.front_dialog()
        self.screen.press("Escape")
        self.screen.gone(self.pid, within=DIALOG)

    def clear(self) -> None:
        """No agent waits any more: for the next case."""
        for agent in self.agents:
            agent.hang_up()
        self.agents.clear()
        if self._queue_open:
            self.screen.ask({"pid": self.pid, "within": "mainWindow", "name": "Hide approvals", "act": "Press"})
            self.screen.gone(self.pid, within="mainWindow", id=QUEUE)
            self._queue_open = False
        self.screen.gone(self.pid, within=DIALOG)
        self.screen.until(
            lambda: "(" not in self.screen.output("xdotool", "getwindowname", self.main), "nothing waiting"
        )
