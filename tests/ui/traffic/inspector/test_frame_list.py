"""A message that is selected stands below in full: as structure, raw, or with what became of the rest of it."""

from dataclasses import replace

from pytestqt.qtbot import QtBot
from tests.core.timeline.test_frames import TALK

from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.frame_list import FrameList

REQUEST = replace(TALK[0], text='{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lookup"}}')


def shown(qtbot: QtBot, theme: Theme) -> FrameList:
    view = FrameList(theme, "Messages")
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    cut = replace(TALK[5], text="{", size=1_000_000)
    bare = replace(TALK[4], text="")
    view.set_frames((REQUEST, TALK[3], bare, cut), 9.0)
    return view


def test_the_selected_message_is_told_as_structure_and_as_it_was_sent(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme)
    assert not view.structure.isVisible() and view.current is None
    assert view.select("f1") and view.current == REQUEST
    assert view.structure.isVisible() and not view.note.isVisible()
    assert view.structure.model.rowCount() == 4
    view.set_raw(True)
    assert view.raw.isVisible() and view.raw.text.toPlainText() == REQUEST.text
    view.set_raw(False)
    assert view.structure.isVisible()


def test_what_is_not_whole_or_not_certain_is_said(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme)
    assert view.select("f6") and view.raw.isVisible()
    assert view.note.text() == "The first 200,000 of 1,000,000 bytes are kept."
    assert view.select("f5") and "is not kept" in view.note.text()
    assert view.select("f4") and "did not say which call" in view.note.text()
    assert not view.select("gone") and view.current == TALK[3]
    view.set_frames((), 9.0)
    assert not view._detail.isVisible()
