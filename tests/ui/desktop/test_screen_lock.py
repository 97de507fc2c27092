"""The lock of the screen over a real bus: screen savers and logind, as each tells of it."""

import asyncio
from collections.abc import Callable

import pytest
from tests.fakes.desktop_bus import RealBus, Service
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.desktop import bus as bus_module
from callgate.ui.desktop.screen_lock import SAVERS, ScreenLock

Make = Callable[..., ScreenLock]


@pytest.fixture
def make(loop: BoundLoop, bridge: Bridge) -> Make:
    def made(session: str = "", system: str = "") -> ScreenLock:
        lock = ScreenLock(bridge, session, system)
        loop.press(lock.start)
        return lock

    return made


@pytest.mark.parametrize("saver", SAVERS)
def test_a_screen_saver_that_locks_and_unlocks_is_followed(
    loop: BoundLoop, desktop: RealBus, make: Make, saver: str
) -> None:
    service = desktop.service(saver)
    lock = make(desktop.address)
    changes: list[bool] = []
    lock.changed.connect(changes.append)
    loop.run(_read(service))
    service.do("lock")
    loop.until(lambda: lock.is_locked)
    service.do("unlock")
    loop.until(lambda: not lock.is_locked)
    assert changes == [True, False]


async def _read(service: Service) -> None:
    """Until the service was asked, which happens while the loop runs."""
    await asyncio.to_thread(service.read_until, "method")


@pytest.mark.parametrize("saver", SAVERS)
def test_a_screen_that_is_locked_at_the_start_is_known(
    loop: BoundLoop, desktop: RealBus, make: Make, saver: str
) -> None:
    desktop.service(saver, "active")
    lock = make(desktop.address)
    loop.until(lambda: lock.is_locked)


def test_a_screen_saver_that_comes_late_or_dies_locked_is_followed(
    loop: BoundLoop, desktop: RealBus, make: Make
) -> None:
    lock = make(desktop.address)
    service = desktop.service("org.freedesktop.ScreenSaver", "active")
    loop.until(lambda: lock.is_locked)
    service.end()
    loop.until(lambda: not lock.is_locked)


def test_one_of_several_that_says_locked_is_enough(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    gnome = desktop.service("org.gnome.ScreenSaver", "active")
    other = desktop.service("org.freedesktop.ScreenSaver", "active")
    lock = make(desktop.address)
    loop.until(lambda: lock._saying == set(SAVERS))
    gnome.do("unlock")
    loop.until(lambda: lock._saying == {"org.freedesktop.ScreenSaver"})
    assert lock.is_locked
    other.do("unlock")
    loop.until(lambda: not lock.is_locked)


def test_logind_tells_of_the_session(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    service = desktop.service("login1")
    lock = make(system=desktop.address)
    loop.run(_read(service))
    # the hint is read after the session is known, so a change from now on is in it or is told after it
    service.do("lock")
    loop.until(lambda: lock.is_locked)
    service.do("unlock")
    loop.until(lambda: not lock.is_locked)


@pytest.mark.parametrize("how", ["error", "no reply"])
def test_a_screen_saver_that_does_not_say_counts_as_not_locked(
    loop: BoundLoop, desktop: RealBus, make: Make, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_module, "CALL_SECONDS", 0.3)
    service = desktop.service("org.freedesktop.ScreenSaver", how)
    lock = make(desktop.address)
    loop.run(_read(service))
    service.do("lock")  # a later word of it still counts
    loop.until(lambda: lock.is_locked)


def test_a_bus_that_goes_away_while_locked_leaves_nothing_locked(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    desktop.service("org.freedesktop.ScreenSaver", "active")
    lock = make(desktop.address)
    loop.until(lambda: lock.is_locked)
    desktop.end()
    loop.until(lambda: not lock.is_locked)


def test_without_a_bus_nothing_is_begun(make: Make) -> None:
    assert not make().is_locked
