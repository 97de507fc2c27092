"""The global shortcut over a real bus, with a portal that keeps to its documents, and with all kinds that do not."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QTimer
from tests.fakes.desktop_bus import RealBus
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.desktop import bus as bus_module
from callgate.ui.desktop import portal_shortcut
from callgate.ui.desktop.portal_shortcut import PortalShortcut

Make = Callable[[], PortalShortcut]
SHORT = 0.3
"""The time limits of the program, shortened, in tests of a desktop that does not answer."""


@pytest.fixture
def make(loop: BoundLoop, bridge: Bridge, desktop: RealBus) -> Make:
    def made() -> PortalShortcut:
        shortcut = PortalShortcut(bridge, desktop.address, retry_seconds=0.01)
        loop.press(shortcut.start)
        return shortcut

    return made


def test_the_portal_is_asked_as_its_documents_say_and_a_press_arrives(
    loop: BoundLoop, desktop: RealBus, make: Make
) -> None:
    portal = desktop.service("portal")
    shortcut = make()
    presses: list[int] = []
    shortcut.pressed.connect(lambda: presses.append(1))
    assert shortcut.state == "asking"
    loop.until(lambda: shortcut.state == "on")
    assert shortcut.keys == "Press <b>Ctrl+Alt</b> Space", "a few words without layout"
    portal.do("press")
    loop.until(lambda: presses == [1])
    created, bound = portal.heard
    assert created["method"] == "CreateSession" and bound["method"] == "BindShortcuts"
    assert {"handle_token", "session_handle_token"} == set(created["given"][0])
    [(name, wish)] = bound["given"][1]
    assert name == "show-waiting-call"
    assert wish == {"description": "Show the oldest waiting tool call", "preferred_trigger": "CTRL+ALT+space"}


def test_only_the_portal_itself_and_only_this_shortcut_counts(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    portal, stranger = desktop.service("portal"), desktop.service("stranger")
    shortcut = make()
    presses: list[int] = []
    shortcut.pressed.connect(lambda: presses.append(1))
    loop.until(lambda: shortcut.state == "on")
    portal.do("press another")
    created = portal.heard[0]["given"][0]
    # the connection's name is in the path of the session, which another program can guess or read from a log
    client = _client_of(portal.heard[1]["given"][0])
    stranger.do(f"press {client} {portal.heard[1]['given'][0]}")
    stranger.do(f"flood {client} 5000")
    portal.do("press")
    portal.do("close")  # the last to arrive
    loop.until(lambda: shortcut.state == "unavailable")
    assert presses == [1] and created["session_handle_token"] in portal.heard[1]["given"][0]


def _client_of(session: str) -> str:
    return ":" + session.split("/")[-2].replace("_", ".")


@pytest.mark.parametrize("how", ["error", "error in BindShortcuts", "another form", "dies in CreateSession",
                                 "dies in BindShortcuts", "too large"])  # fmt: skip
def test_a_portal_that_fails_leaves_the_shortcut_unavailable(
    loop: BoundLoop, desktop: RealBus, make: Make, how: str
) -> None:
    desktop.service("portal", how)
    shortcut = make()
    loop.until(lambda: shortcut.state == "unavailable")
    assert shortcut.keys == ""


@pytest.mark.parametrize("method", ["CreateSession", "BindShortcuts"])
@pytest.mark.parametrize("missing", ["reply", "response"])
def test_a_portal_that_never_answers_is_given_up_and_holds_nothing_up(
    loop: BoundLoop, desktop: RealBus, make: Make, method: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in (
        (bus_module, "CALL_SECONDS"), (portal_shortcut, "CALL_SECONDS"), (portal_shortcut, "ASK_SECONDS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, SHORT)
    desktop.service("portal", f"no {missing} to {method}")
    ticks: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start(10)
    shortcut = make()
    loop.until(lambda: shortcut.state == "unavailable")
    timer.stop()
    assert len(ticks) >= 5, "the window goes on meanwhile"


def test_without_a_portal_it_is_unavailable_until_one_comes(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    shortcut = make()
    loop.until(lambda: shortcut.state == "unavailable")
    desktop.service("portal")
    loop.until(lambda: shortcut.state == "on")


def test_a_portal_that_starts_anew_gets_the_shortcut_again(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    first = desktop.service("portal")
    shortcut = make()
    loop.until(lambda: shortcut.state == "on")
    first.end()
    loop.until(lambda: shortcut.state == "unavailable")
    second = desktop.service("portal")
    loop.until(lambda: shortcut.state == "on")
    presses: list[int] = []
    shortcut.pressed.connect(lambda: presses.append(1))
    second.do("press")
    loop.until(lambda: presses == [1])


def test_a_session_that_the_desktop_closes_ends_the_shortcut(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    portal = desktop.service("portal")
    shortcut = make()
    loop.until(lambda: shortcut.state == "on")
    portal.do("close")
    loop.until(lambda: shortcut.state == "unavailable")


@pytest.mark.parametrize("method", ["CreateSession", "BindShortcuts"])
def test_a_person_who_says_no_to_the_desktop_is_heard(
    loop: BoundLoop, desktop: RealBus, make: Make, method: str
) -> None:
    desktop.service("portal", f"declined in {method}")
    shortcut = make()
    loop.until(lambda: shortcut.state == "declined")


def test_a_bus_that_goes_away_ends_it(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    desktop.service("portal")
    shortcut = make()
    loop.until(lambda: shortcut.state == "on")
    desktop.end()
    loop.until(lambda: shortcut.state == "unavailable")


def test_switched_off_and_on_again_it_is_asked_for_anew(loop: BoundLoop, desktop: RealBus, make: Make) -> None:
    portal = desktop.service("portal")
    shortcut = make()
    loop.until(lambda: shortcut.state == "on")
    loop.press(shortcut.stop)
    assert shortcut.state == "off" and shortcut.keys == ""
    loop.press(shortcut.start)
    loop.until(lambda: shortcut.state == "on")
    portal.do("press another")
    assert [each["method"] for each in portal.heard] == ["CreateSession", "BindShortcuts"] * 2


def test_without_a_bus_nothing_is_begun(bridge: Bridge) -> None:
    shortcut = PortalShortcut(bridge, "")
    shortcut.start()
    assert shortcut.state == "unavailable"
