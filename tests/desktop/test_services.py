"""What other parts of the desktop do: its shortcut portal, its notifications, its lock, its end of the session."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.desktop.agent import Model
from tests.desktop.program import DIALOG, DIALOG_TITLE, Program
from tests.desktop.screen import Screen
from tests.fakes.desktop_bus import Service

Serve = Callable[..., Service]


@pytest.fixture
def serve(screen: Screen) -> Iterator[Serve]:
    served: list[Service] = []

    def make(kind: str, how: str = "") -> Service:
        service = Service(screen.environment["DBUS_SESSION_BUS_ADDRESS"], kind, how)
        served.append(service)
        return service

    yield make
    for service in served:
        service.end()


@pytest.fixture
def hurried(screen: Screen, model: Model, tmp_path: Path) -> Iterator[Program]:
    """One whose calls wait three seconds for a person who has seen them."""
    program = Program(screen, tmp_path, model, "[gate]\ndeadline_seconds = 3\n\n")
    yield program
    program.end()


def entries(program: Program) -> list[dict[str, object]]:
    command = str(Path(program.command).resolve())
    told = program.screen.output(command, "audit", "export", "--data", str(program.data))
    return [json.loads(line) for line in told.splitlines() if '"decided_by"' in line]


def patience(program: Program) -> list[str]:
    return [seen.text or seen.name for seen in program.screen.seen(program.pid, id="patienceWords", within=DIALOG)]


def test_the_shortcut_brings_a_call_up_from_another_program_and_decides_nothing(
    serve: Serve, own_program: Program, other: object
) -> None:
    portal = serve("portal")
    portal.read_until("method", "BindShortcuts")
    asked, path = own_program.write()
    own_program.ready("approveButton", DIALOG)
    own_program.leave_dialog()
    own_program.screen.minimize(own_program.main)
    other.bring_to_front()  # type: ignore[attr-defined]
    portal.do("press")
    own_program.screen.until(lambda: bool(own_program.screen.windows(own_program.pid, DIALOG_TITLE)), "the dialog")
    assert asked.waits and not path.exists()


def test_a_call_is_notified_with_its_tool_while_another_program_is_in_front(
    serve: Serve, own_program: Program, other: object
) -> None:
    notices = serve("notifications")
    other.bring_to_front()  # type: ignore[attr-defined]
    own_program.write()
    given = notices.read_until("method", "Notify")["given"]
    assert given[3] == "Tool call needs approval" and "create_file" in given[4] and "written" not in given[4]


def test_the_dialog_is_not_minimised_with_the_window(own_program: Program) -> None:
    own_program.write()
    own_program.see(DIALOG)
    own_program.screen.minimize(own_program.main)
    own_program.screen.until(
        lambda: own_program.screen.windows(own_program.pid, DIALOG_TITLE), "the dialog still on the screen"
    )
    own_program.front_dialog()
    own_program.click("approveButton", DIALOG)


def test_behind_a_locked_screen_the_deadline_does_not_run_out(serve: Serve, hurried: Program) -> None:
    saver = serve("org.freedesktop.ScreenSaver", "active")
    saver.read_until("method", "GetActive")
    asked, _ = hurried.write()
    hurried.screen.until(lambda: any("Not shown yet" in words for words in patience(hurried)), "that it was not shown")
    assert asked.waits
    saver.do("unlock")
    assert asked.ended().status == 200
    [entry] = entries(hurried)
    assert entry["decided_by"] == "deadline" and float(entry["seen_at"]) > 0  # type: ignore[arg-type]


def test_the_end_by_the_system_ends_calls_as_that_and_not_as_a_failure(own_program: Program) -> None:
    asked, path = own_program.write()
    own_program.ready("approveButton", DIALOG)
    own_program._process.send_signal(signal.SIGTERM)
    assert own_program.ended() == 0
    assert b"Callgate is closing" in asked.ended().body and not path.exists()
    [entry] = entries(own_program)
    assert entry["decided_by"] == "shutdown"
