"""The messages of a call to an MCP server are read, followed while they come, and one of them can be pointed at."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from tests.core.timeline.test_fold import CALL
from tests.core.timeline.test_frames import TALK
from tests.fakes.console import FakeConsole
from tests.fakes.loop import BoundLoop

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.events import FrameCaptured
from callgate.ui.bridge import Bridge
from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.mcp_view import McpView

RAN = (Phase("Streaming", 3), Phase("Executing", 9), Phase("Completed", 11))
DONE = replace(CALL, state="Completed", phases=RAN)


@pytest.fixture
def view(qtbot: QtBot, loop: BoundLoop, console: FakeConsole, bridge: Bridge, theme: Theme) -> McpView:
    view = McpView(console.wire_service, bridge, theme)
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    return view


def read(view: McpView, loop: BoundLoop, *calls: Invocation) -> None:
    view.show_calls(calls)
    loop.until(lambda: bool(view._loaded))


def why(view: McpView) -> str:
    return view._none.findChildren(type(view._about))[-1].text()


def test_messages_that_are_kept_are_listed_since_the_call_ran(
    view: McpView, console: FakeConsole, loop: BoundLoop
) -> None:
    console.journal["conv"] = [*TALK, replace(TALK[0], id="other", invocation_id="inv_2")]
    read(view, loop, DONE)
    assert view.messages.isVisible() and view.messages.model.rowCount() == len(TALK)
    assert view.messages.model.index(0, 0).data() == "100 ms"
    assert "call call_1" in view._about.text() and not view.which.isVisible() and view.raw.isVisible()


def test_messages_that_come_while_it_is_read_and_after_are_there_once(
    view: McpView, console: FakeConsole, loop: BoundLoop
) -> None:
    live = replace(CALL, state="Executing", phases=RAN[:2])
    console.journal["conv"] = [TALK[0]]
    view.show_calls([live])
    assert why(view) == "Reading…"
    loop.until(lambda: bool(view._loading or view._loaded))
    view.apply(TALK[:2])
    loop.until(lambda: bool(view._loaded))
    view.apply((*TALK, replace(TALK[1], id="foreign", invocation_id="inv_2")))
    assert view.messages.model.rowCount() == len(TALK)
    view.show_calls([DONE])
    assert view.messages.model.rowCount() == len(TALK), "the call went on; what is shown of it stays"


def test_what_never_was_or_is_gone_is_said(view: McpView, loop: BoundLoop) -> None:
    read(view, loop, DONE)
    assert view._none.isVisible() and "after a month" in why(view) and not view.raw.isVisible()
    read(view, loop, replace(CALL, id="inv_2", state="Completed"))
    loop.until(lambda: "never sent" in why(view))
    view.show_calls([replace(CALL, id="inv_3", state="Executing", phases=RAN[:2])])
    loop.until(lambda: "yet" in why(view))


def test_one_message_of_one_of_several_calls_is_pointed_at(
    view: McpView, console: FakeConsole, loop: BoundLoop
) -> None:
    other = replace(DONE, id="inv_2", call_id="call_2")
    theirs: list[FrameCaptured] = [replace(one, id=f"their_{one.id}", invocation_id="inv_2") for one in TALK]
    console.journal["conv"] = [*TALK, *theirs]
    read(view, loop, DONE, other)
    assert view.which.isVisible()
    view.show_message("inv_2", "their_f4")
    loop.until(lambda: view.messages.current is not None)
    assert view.messages.current == theirs[3] and view._text() == theirs[3].text
    assert view.call is not None and view.call.id == "inv_2"
    view.show_calls([DONE, other])
    assert view.which.currentData() == "inv_2", "the one that is looked at stays"
    view.show_message("inv_2", "their_f1")
    assert view.messages.current == theirs[0]
