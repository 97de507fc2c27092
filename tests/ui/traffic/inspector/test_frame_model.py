"""Messages as rows: what, whose, how long after its request; live ones follow those that were read."""

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from tests.core.timeline.test_frames import TALK

from callgate.ui.theme.theme import Theme
from callgate.ui.traffic.inspector.frame_model import TITLES, FrameModel, message_title, value_of


def row(model: FrameModel, number: int) -> list[object]:
    return [model.index(number, column).data() for column in range(len(TITLES))]


def test_rows_tell_what_passed_and_when(qtmodeltester: ModelTester, theme: Theme) -> None:
    model = FrameModel(theme)
    qtmodeltester.check(model)
    said = '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"ok"}]}}'
    model.set_frames((*TALK[:5], replace(TALK[5], text=said, size=2048)), 9.0)
    assert row(model, 0) == ["100 ms", "→", "tools/call", "3", "", "120 B", ""]
    assert row(model, 4)[:5] == ["1,500 ms", "→", "answer to elicitation/create", "0", "+1,000 ms"]
    assert row(model, 5)[4:] == ["+1,800 ms", "2 KB", 'content.type "text"  content.text "ok"']
    tip = model.index(5, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "answer to tools/call" in tip and "ms after the request" in tip
    assert model.index(5, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "from the server: answer to tools/call"


def test_what_follows_is_added_once(qtmodeltester: ModelTester, theme: Theme) -> None:
    model = FrameModel(theme)
    model.set_frames(TALK[:2], 9.0)
    qtmodeltester.check(model)
    model.add(TALK)
    model.add(TALK[3:])
    assert model.rowCount() == len(TALK)
    assert (model.row_of("f4"), model.row_of("nobody")) == (3, -1)
    assert model.frame_at(3) is TALK[3] and model.frame_at(99) is None
    model.set_frames((), 9.0)
    assert model.rowCount() == 0


def test_what_is_no_json_is_shown_as_it_is(theme: Theme) -> None:
    model = FrameModel(theme)
    cut = replace(TALK[5], text='{"jsonrpc":"2.0","res', size=300_000, role="error", method="")
    model.set_frames((cut,), 9.0)
    assert row(model, 0)[2] == "error" and row(model, 0)[6] == cut.text and value_of(cut) is None
    assert model.index(0, 2).data(Qt.ItemDataRole.ForegroundRole) == theme.color("denied")
    assert message_title(replace(cut, role="response")) == "answer"
