"""Notifications of a desktop without a tray, over a real bus."""

import asyncio

from tests.fakes.desktop_bus import RealBus, Service
from tests.fakes.loop import BoundLoop

from callgate.ui.bridge import Bridge
from callgate.ui.desktop.notices import Notices


async def _read(service: Service) -> list[object]:
    told = await asyncio.to_thread(service.read_until, "method")
    return list(told["given"])


def test_a_notification_is_shown_and_a_click_on_it_is_told(loop: BoundLoop, bridge: Bridge, desktop: RealBus) -> None:
    service = desktop.service("notifications")
    notices = Notices(bridge, desktop.address)
    clicks: list[int] = []
    notices.clicked.connect(lambda: clicks.append(1))
    loop.press(lambda: notices.show("Tool call needs approval", "tester wants to run read_file"))
    given = loop.run(_read(service))
    assert given[3:6] == ["Tool call needs approval", "tester wants to run read_file", ["default", "Show"]]
    assert given[6] == {"urgency": 2, "desktop-entry": "callgate"}
    service.do("ActionInvoked 99 default")  # another program's
    service.do("ActionInvoked 1 default")
    loop.until(lambda: clicks == [1])
    service.do("NotificationClosed 1")
    loop.until(lambda: notices._task is not None and notices._task.done())


def test_a_second_one_replaces_the_first(loop: BoundLoop, bridge: Bridge, desktop: RealBus) -> None:
    service = desktop.service("notifications")
    notices = Notices(bridge, desktop.address)
    clicks: list[int] = []
    notices.clicked.connect(lambda: clicks.append(1))
    for words, replaced in (("first", 0), ("second", 1), ("third", 1)):
        loop.press(lambda words=words: notices.show(words, ""))
        given = loop.run(_read(service))
        assert (given[1], given[3]) == (replaced, words)
    service.do("ActionInvoked 2 default")  # another program's
    service.do("ActionInvoked 1 default")
    loop.until(lambda: clicks == [1])
    loop.press(notices.close)
    assert loop.run(_read(service)) == [1]


def test_what_is_no_longer_wanted_is_taken_away_although_it_was_just_shown(
    loop: BoundLoop, bridge: Bridge, desktop: RealBus
) -> None:
    service = desktop.service("notifications")
    notices = Notices(bridge, desktop.address)
    loop.press(lambda: notices.show("first", ""))
    assert loop.run(_read(service))[3] == "first"
    loop.press(notices.close)  # its number may not have come back yet
    assert loop.run(_read(service)) == [1]
    loop.press(lambda: notices.show("again", ""))
    assert loop.run(_read(service))[3] == "again"


def test_a_desktop_without_notifications_does_no_harm(loop: BoundLoop, bridge: Bridge, desktop: RealBus) -> None:
    notices = Notices(bridge, desktop.address)
    loop.press(lambda: notices.show("title", "text"))
    loop.until(lambda: notices._task is not None and notices._task.done())
    Notices(bridge, "").show("title", "text")
