"""The messages of a call to an MCP server are listed with their times, or it is said why there are none."""

from dataclasses import replace

from pytestqt.qtbot import QtBot
from tests.core.test_mcp_join import asked, call, frame

from callgate.engine.source_desk import WireFrame
from callgate.ui.theme import Theme
from callgate.ui.traffic.mcp_view import McpView

FRAMES = tuple(
    WireFrame(number, one.at, one.direction, one.text)  # type: ignore[arg-type]
    for number, one in enumerate((asked(1.1, 7), frame(1.9, "in", id=7, result={"content": []})))
)


def view(qtbot: QtBot, theme: Theme, frames: tuple[WireFrame, ...]) -> McpView:
    shown = McpView(theme, lambda source: frames if source == "git" else ())
    qtbot.addWidget(shown)
    shown.resize(700, 300)
    shown.show()
    return shown


def test_messages_are_listed_with_their_times_since_the_call_ran(qtbot: QtBot, theme: Theme) -> None:
    shown = view(qtbot, theme, FRAMES)
    shown.show_calls([call()])
    rows = [[shown.messages.model.index(row, column).data() for column in range(3)] for row in range(2)]
    assert rows == [["100 ms", "", "→ tools/call"], ["900 ms", "+800 ms", "← result"]]
    assert "call call_1" in shown._about.text() and not shown.which.isVisible()
    shown.messages.table.selectRow(1)
    assert shown.messages.detail.isVisible() and shown.messages.model.event_at(1).data == FRAMES[1].text


def test_what_is_gone_or_never_was_is_said(qtbot: QtBot, theme: Theme) -> None:
    shown = view(qtbot, theme, ())
    shown.show_calls([call()])
    assert shown._none.isVisible() and "no longer there" in shown._none.findChildren(type(shown._about))[-1].text()
    shown.show_calls([call(ran=None)])
    assert "never sent" in shown._none.findChildren(type(shown._about))[-1].text()


def test_of_several_calls_one_is_chosen_and_stays(qtbot: QtBot, theme: Theme) -> None:
    shown = view(qtbot, theme, FRAMES)
    other = replace(call(), id="inv_2", call_id="call_2", source="elsewhere")
    shown.show_calls([call(), other])
    assert shown.which.isVisible() and shown.messages.isVisible()
    shown.which.choose("inv_2")
    assert shown._none.isVisible()
    shown.show_calls([call(), other])
    assert shown.which.currentData() == "inv_2"
