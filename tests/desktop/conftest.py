"""One display a worker; the program itself runs in a process of its own, as a person starts it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.desktop.screen import Screen, missing


@pytest.fixture(scope="session")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    lacking = missing()
    if lacking:
        pytest.skip(f"no real desktop here: {lacking} missing")
    stage = Screen(tmp_path_factory.mktemp("desktop"))
    try:
        yield stage
    finally:
        stage.close()


class Program:
    """A running Callgate with its window."""

    def __init__(self, screen: Screen, folder: Path, config: str = "") -> None:
        self.screen = screen
        self.data, self.workspace = folder / "data", folder / "work"
        self.workspace.mkdir(exist_ok=True)
        path = folder / "my.toml"
        path.write_text(config, "utf-8")
        command = [str(Path(sys.executable).with_name("callgate"))]
        options = ["--port", "0", "--data", str(self.data), "--workspace", str(self.workspace), "--config", str(path)]
        self._process = screen.start([*command, *options], QT_QPA_PLATFORM="xcb", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
        self.pid = self._process.pid
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().split()[-1]
        screen.find(self.pid, 60, id="mainWindow")

    def end(self) -> int:
        self._process.terminate()
        return self._process.wait(20)


@pytest.fixture
def program(screen: Screen, tmp_path: Path) -> Iterator[Program]:
    running = Program(screen, tmp_path)
    try:
        yield running
    finally:
        running.end()
