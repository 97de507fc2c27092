"""The list keeps those that wait on top, then the newest, and moves rows instead of starting over."""

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from tests.fakes.samples import NOON, denied, sample_conversation, waiting

from callgate.core.conversation import ConversationSummary
from callgate.core.events import Event, ExchangeStarted, FaultRaised, InvocationChanged, RoundEnded
from callgate.core.messages import Usage, say
from callgate.ui.conversation.list_model import UNTITLED, ConversationListModel, Role, spoken, title_of


def begun(conversation: str, at: float, title: str = "Hi") -> Event:
    messages = (say("user", title),)
    return ExchangeStarted("e_" + conversation, conversation, "codex", "openai-chat", "m", True, 0, messages, (), at)


def asked(conversation: str, at: float, decided: bool = False) -> Event:
    invocation = denied() if decided else waiting()
    return InvocationChanged(replace(invocation, id="i" + conversation, conversation_id=conversation), at)


def order(model: ConversationListModel) -> list[str]:
    return [model.index(row).data(Role.ID) for row in range(model.rowCount())]


def test_rows_come_move_and_go_as_qt_expects(qtmodeltester: ModelTester) -> None:
    model = ConversationListModel()
    qtmodeltester.check(model)
    model.load([], [])
    model.apply([begun("a", 1), begun("b", 2), begun("c", 3)])
    assert order(model) == ["c", "b", "a"]
    model.apply([asked("a", 4)])
    assert order(model) == ["a", "c", "b"]
    model.apply([begun("b", 5)])
    assert order(model) == ["a", "b", "c"]
    model.apply([asked("a", 6, decided=True)])
    assert order(model) == ["a", "b", "c"]
    model.apply([begun("c", 7), begun("a", 8)])
    assert order(model) == ["a", "c", "b"]
    model.hide("c")
    assert order(model) == ["a", "b"]
    model.apply([begun("c", 9)])
    assert order(model) == ["a", "b"], "what is hidden stays hidden, whatever happens in it"
    model.unhide("c")
    assert order(model) == ["c", "a", "b"]
    model.forget("a")
    model.refresh_times()
    assert order(model) == ["c", "b"]
    assert model.summary("a") is None
    qtmodeltester.check(model)


def test_a_moved_row_is_still_the_same_row() -> None:
    model = ConversationListModel()
    model.apply([begun("a", 1), begun("b", 2)])
    from_a = model.index(model.row_of("a"))
    kept = from_a.model().index(from_a.row(), 0)
    moves: list[tuple[int, int]] = []
    model.rowsMoved.connect(lambda _p, start, _e, _d, row: moves.append((start, row)))
    model.apply([begun("a", 3)])
    assert moves == [(1, 0)]
    assert kept.isValid()


def test_what_happened_while_loading_is_counted_once() -> None:
    stored = ConversationSummary("a", "codex", "Hi", usage=Usage(10, 5), updated_at=NOON)
    ended = RoundEnded("e_a", "a", 1, say("assistant", "x"), "stop", Usage(1, 1), NOON + 1)
    known = RoundEnded("e_a", "a", 1, say("assistant", "x"), "stop", Usage(10, 5), NOON)
    model = ConversationListModel()
    model.load([stored], [known, ended, begun("b", NOON + 2)])
    summary = model.summary("a")
    assert summary is not None
    assert summary.usage == Usage(11, 6)
    assert order(model) == ["b", "a"]


def test_events_of_no_conversation_make_no_row() -> None:
    model = ConversationListModel()
    model.apply([FaultRaised("x", "y", NOON)])
    assert model.rowCount() == 0
    assert model.index(0).data() is None


def test_a_row_says_everything_to_a_screen_reader() -> None:
    model = ConversationListModel()
    model.apply(sample_conversation())
    index = model.index(0)
    assert index.data() == "Why does `test_sync` fail on CI, but never here?"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).endswith(
        "claude-code, claude-opus, 1 waiting, running, 40.3k tokens"
    )
    assert index.data(Qt.ItemDataRole.ToolTipRole).startswith("Started 20")
    assert spoken(ConversationSummary("x", failed=True)) == f"{UNTITLED}, failed"


def test_a_title_hides_nothing() -> None:
    assert "U+202E" in title_of(ConversationSummary("x", title="a\u202eb"))
