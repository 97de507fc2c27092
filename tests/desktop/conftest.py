"""One display a worker, with one program on it that several cases share; a failed case leaves a new one to the next."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.desktop.agent import Model
from tests.desktop.program import Program
from tests.desktop.screen import Screen, missing

TIMEOUT = 240
"""Of one case, in seconds: every wait in it has a bound of its own, and the first one starts the whole program."""
REPEATS = int(os.environ.get("CALLGATE_DESKTOP_REPEATS", "1"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """CALLGATE_DESKTOP_REPEATS=20: every case so often, to find those that fail now and then."""
    if REPEATS > 1:
        metafunc.fixturenames.append("turn")
        metafunc.parametrize("turn", range(REPEATS))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Before cases are chosen by their marks."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("desktop")
            item.add_marker(pytest.mark.timeout(TIMEOUT))


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


@pytest.fixture(scope="session")
def model() -> Iterator[Model]:
    played = Model()
    try:
        yield played
    finally:
        played.end()


class Other:
    """A program that is not ours, with a field that has the keyboard while its window is in front."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._text = screen, ""
        self._process = screen.start([sys.executable, str(Path(__file__).with_name("other_program.py"))])
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self.window = screen.until(
            lambda: screen.window(self._process.pid, "Other program") or None, "the other program"
        )

    def bring_to_front(self) -> None:
        self._screen.activate(self.window)

    def type(self, text: str) -> None:
        """Types there, which must arrive there."""
        assert self._process.stdout is not None
        self._screen.type(text)
        self._text += text
        said = ""
        while said != self._text:
            said = self._process.stdout.readline().rstrip("\n")
            assert self._text.startswith(said), f"{said!r} arrived of {self._text!r}"


@pytest.fixture(scope="session")
def other(screen: Screen) -> Other:
    return Other(screen)


class Shared:
    """The program that cases share while none of them fails or ends it."""

    def __init__(self, screen: Screen, model: Model, folder: Path) -> None:
        self._screen, self._model, self._folder = screen, model, folder
        self._count = 0
        self._program: Program | None = None

    def take(self) -> Program:
        if self._program is None or not self._program.runs:
            self._count += 1
            folder = self._folder / f"program-{self._count}"
            folder.mkdir()
            self._program = Program(self._screen, folder, self._model)
        return self._program

    def put_back(self, *, reusable: bool) -> None:
        assert self._program is not None
        if reusable:
            self._program.clear()
        else:
            self.end()

    def end(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


@pytest.fixture(scope="session")
def shared(screen: Screen, model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    one = Shared(screen, model, tmp_path_factory.mktemp("programs"))
    try:
        yield one
    finally:
        one.end()


@pytest.fixture
def program(shared: Shared, request: pytest.FixtureRequest) -> Iterator[Program]:
    """In front, with nothing waiting."""
    running = shared.take()
    running.bring_to_front()
    failed = request.session.testsfailed
    yield running
    passed = request.session.testsfailed == failed
    assert running.runs or not passed, running.screen.log("callgate")
    shared.put_back(reusable=passed)


@pytest.fixture
def last_program(shared: Shared) -> Iterator[Program]:
    """The shared one too, which the case ends."""
    yield shared.take()
    shared.end()


@pytest.fixture
def own_program(shared: Shared) -> Iterator[Program]:
    """One that has just started, and that the case may end or change for good."""
    shared.end()
    yield shared.take()
    shared.end()
