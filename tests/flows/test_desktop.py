"""What the desktop tells: that the screen is locked, and that the global shortcut was pressed. Over a real bus."""

from collections.abc import Callable, Iterator

import pytest
from tests.fakes.desktop_bus import RealBus, lacking
from tests.flows.conftest import Program
from tests.flows.held_calls import hold
from tests.flows.test_verbs import dialog_of

from callgate.ui.decision.on_screen import is_on_screen

pytestmark = pytest.mark.qt_log_ignore("does not support")  # said by Qt's offscreen platform of raising
MakeProgram = Callable[..., Program]
READ = ("read_file", {"path": "notes.txt"})


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[RealBus]:
    missing = lacking()
    if missing:
        pytest.skip(f"no real bus here: {missing} missing")
    bus = RealBus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.address)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address)
    try:
        yield bus
    finally:
        bus.close()


def test_a_call_behind_a_locked_screen_is_not_seen_and_waits_until_it_is_unlocked(
    desktop: RealBus, make_program: MakeProgram
) -> None:
    saver = desktop.service("org.gnome.ScreenSaver", "active")
    program = make_program("[gate]\ndeadline_seconds = 1\n")

    async def flow() -> None:
        console, window_app = program.runtime.console, program.window_app
        window_app.join_desktop()
        await program.until(lambda: window_app.lock.is_locked)
        held = hold(program, *READ)
        await program.until(lambda: is_on_screen(dialog_of(program)))
        await program.until(lambda: bool(program.tray.messages))
        await program.until(lambda: console.waiting()[0].deferred)
        assert console.waiting()[0].seen_at is None and not held.done(), "its deadline has passed, and nobody saw it"
        saver.do("unlock")
        await program.until(lambda: console.waiting()[0].seen_at is not None)
        ended = await held
        assert ended.decided_by == "deadline" and ended.seen_at is not None

    program.play(flow())


def test_the_shortcut_of_the_desktop_brings_up_the_oldest_call_and_decides_nothing(
    desktop: RealBus, make_program: MakeProgram
) -> None:
    portal = desktop.service("portal")
    program = make_program()

    async def flow() -> None:
        window_app, console = program.window_app, program.runtime.console
        window_app.join_desktop()
        await program.until(lambda: window_app.shortcut.menu.actions()[0].text().endswith("Space)"))
        window_app.approvals.set_quiet(True)
        held = [hold(program, *READ), hold(program, *READ)]
        await program.until(lambda: len(console.waiting()) == 2)
        window_app.window.showMinimized()
        assert not dialog_of(program).isVisible()
        portal.do("press")
        await program.until(lambda: is_on_screen(dialog_of(program)))
        assert window_app.approvals.places.current_id == console.waiting()[0].id
        assert [call.state for call in console.waiting()] == ["WaitingForConfirmation"] * 2
        for one in held:
            one.cancel()

    program.play(flow())


def test_the_shortcut_brings_up_a_call_that_was_put_off(desktop: RealBus, make_program: MakeProgram) -> None:
    portal = desktop.service("portal")
    program = make_program()

    async def flow() -> None:
        window_app, console = program.window_app, program.runtime.console
        window_app.join_desktop()
        held = hold(program, *READ)
        await program.until(lambda: is_on_screen(dialog_of(program)))
        window_app.approvals._snooze(console.waiting()[0].id)
        await program.until(lambda: not dialog_of(program).isVisible())
        await program.until(lambda: window_app.shortcut.menu.actions()[0].text().endswith("Space)"))
        portal.do("press")
        await program.until(lambda: is_on_screen(dialog_of(program)))
        held.cancel()

    program.play(flow())
