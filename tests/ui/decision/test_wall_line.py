"""The fact about the sandbox, above the verbs."""

from dataclasses import replace

from pytestqt.qtbot import QtBot
from tests.fakes.console import FakeConsole, reviewing, waiting

from callgate.ui.decision.decision import DecisionBar
from callgate.ui.decision.wall_line import WallLine
from callgate.ui.theme.theme import Theme

FACT = "Sandbox: bubblewrap · writes only to the workspace · no network"
NONE = "No sandbox on this machine: install bubblewrap"


def test_it_says_what_confines_a_call_that_starts_programs(qtbot: QtBot, theme: Theme) -> None:
    line = WallLine(theme)
    qtbot.addWidget(line)
    line.show_invocation(replace(waiting(), wall=FACT))
    assert line.words == FACT and not line.isHidden() and "hidden from it" in line.toolTip()
    line.show_invocation(replace(waiting(), wall=NONE))
    assert line.words == NONE and "whatever you can" in line.toolTip()
    theme.set_mode("light")
    for call in (None, waiting(), replace(reviewing(), wall=FACT)):
        line.show_invocation(call)
        assert line.isHidden()


def test_every_place_that_decides_shows_it(qtbot: QtBot, console: FakeConsole, theme: Theme) -> None:
    bar = DecisionBar(console, theme, "card")
    qtbot.addWidget(bar)
    bar.show_invocation(replace(waiting(), wall=FACT))
    line = bar.findChild(WallLine)
    assert line is not None and line.words == FACT and not line.isHidden()
