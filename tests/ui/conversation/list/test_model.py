"""The list keeps its groups in order, moves rows instead of starting over, and shows what a search found."""

import time
from dataclasses import replace

from PySide6.QtCore import QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot
from tests.fakes.samples import NOON, denied, sample_conversation, waiting

from callgate.core.catalog.prices import Price, PriceTable
from callgate.core.conversation import ConversationSummary
from callgate.core.events import ConversationMarked, Event, ExchangeStarted, FaultRaised, InvocationChanged, RoundEnded
from callgate.core.marks import Marks
from callgate.core.messages import Usage, say
from callgate.core.search.hit import SearchHit
from callgate.core.search.snippet import Snippet
from callgate.ui.conversation.list.groups import Header, day_words
from callgate.ui.conversation.list.model import UNTITLED, ConversationListModel, Role, spoken, title_of


def begun(conversation: str, at: float, title: str = "Hi") -> Event:
    messages = (say("user", title),)
    return ExchangeStarted("e_" + conversation, conversation, "codex", "openai-chat", "m", True, 0, messages, (), at)


def asked(conversation: str, at: float, decided: bool = False) -> Event:
    invocation = denied() if decided else waiting()
    return InvocationChanged(replace(invocation, id="i" + conversation, conversation_id=conversation), at)


def fresh(now: float = NOON) -> ConversationListModel:
    return ConversationListModel(clock=lambda: now)


def order(model: ConversationListModel) -> list[str]:
    return model.shown_ids()


def headers(model: ConversationListModel) -> list[str]:
    rows = (model.index(row).data(Role.HEADER) for row in range(model.rowCount()))
    return [header.label for header in rows if isinstance(header, Header)]


def test_rows_come_move_and_go_as_qt_expects(qtmodeltester: ModelTester) -> None:
    model = fresh()
    qtmodeltester.check(model)
    model.load([], [])
    model.apply([begun("a", NOON + 1), begun("b", NOON + 2), begun("c", NOON + 3)])
    assert order(model) == ["c", "b", "a"]
    model.apply([asked("a", NOON + 4)])
    assert order(model) == ["a", "c", "b"]
    assert headers(model) == ["Waiting for you", "Today"]
    model.apply([begun("b", NOON + 5)])
    assert order(model) == ["a", "b", "c"]
    model.apply([asked("a", NOON + 6, decided=True)])
    assert order(model) == ["a", "b", "c"]
    assert headers(model) == ["Today"]
    model.apply([begun("c", NOON + 7), begun("a", NOON + 8)])
    assert order(model) == ["a", "c", "b"]
    model.hide("c")
    assert order(model) == ["a", "b"]
    model.apply([begun("c", NOON + 9)])
    assert order(model) == ["a", "b"], "what is hidden stays hidden, whatever happens in it"
    model.unhide("c")
    assert order(model) == ["c", "a", "b"]
    model.forget("a")
    model.refresh_times()
    assert order(model) == ["c", "b"]
    assert model.summary("a") is None
    model.set_grouping("agent")
    assert headers(model) == ["codex"]
    model.fold("agent:codex")
    assert order(model) == [] and model.count == 2
    model.fold("agent:codex")
    assert order(model) == ["c", "b"]
    qtmodeltester.check(model)


def test_any_order_is_reached_from_any_other(qtmodeltester: ModelTester) -> None:
    model = fresh()
    qtmodeltester.check(model)
    model.load([ConversationSummary(f"c{n}", "x", str(n), updated_at=NOON - n) for n in range(60)], [])
    for turn in range(4):
        model.apply([begun(f"c{(n * 7 + turn) % 60}", NOON + 10 + turn * 10 + n / 10) for n in range(4)])
        expected = sorted(
            (f"c{n}" for n in range(60)),
            key=lambda known: -(model.summary(known) or ConversationSummary("")).updated_at,
        )
        assert order(model) == expected
    model.apply([ConversationMarked("c59", Marks(pinned=True), NOON)])
    assert order(model)[0] == "c59" and headers(model) == ["Pinned", "Today"]
    model.apply([ConversationMarked("c59", Marks(), NOON)])
    assert order(model)[-1] == "c59"


def test_a_moved_row_is_still_the_same_row(qtbot: QtBot) -> None:
    model = fresh()
    model.apply([begun("a", NOON + 1), begun("b", NOON + 2)])
    kept = QPersistentModelIndex(model.index(model.row_of("a")))
    moves: list[tuple[int, int]] = []
    model.rowsMoved.connect(lambda _p, start, _e, _d, row: moves.append((start, row)))
    model.apply([begun("a", NOON + 3)])
    assert len(moves) == 1
    assert kept.data(Role.ID) == "a"


def test_what_happened_while_loading_is_counted_once() -> None:
    stored = ConversationSummary("a", "codex", "Hi", usage=Usage(10, 5), updated_at=NOON)
    ended = RoundEnded("e_a", "a", 1, say("assistant", "x"), "stop", Usage(1, 1), NOON + 1)
    known = RoundEnded("e_a", "a", 1, say("assistant", "x"), "stop", Usage(10, 5), NOON)
    model = fresh()
    model.load([stored], [known, ended, begun("b", NOON + 2)])
    summary = model.summary("a")
    assert summary is not None
    assert summary.usage == Usage(11, 6)
    assert order(model) == ["b", "a"]


def test_events_of_no_conversation_make_no_row() -> None:
    model = fresh()
    model.apply([FaultRaised("x", "y", NOON), asked("gone", NOON)])
    assert model.rowCount() == 0
    assert model.index(0).data() is None


def test_hits_are_shown_in_their_order_and_everything_comes_back() -> None:
    model = fresh()
    model.apply([begun("a", NOON + 1), begun("b", NOON + 2), begun("c", NOON + 3)])
    hit = SearchHit("a", "answer", Snippet("Hi there", ((0, 2),)))
    model.set_hits([hit, SearchHit("gone", "answer", Snippet("x")), SearchHit("c", "title", Snippet("Hi"))])
    assert order(model) == ["a", "c"]
    assert model.index(1).data(Role.HIT) == hit
    assert headers(model) == ["Best matches"]
    model.hide("a")
    assert order(model) == ["c"]
    model.set_hits([])
    assert model.rowCount() == 0
    model.set_hits(None)
    assert order(model) == ["c", "b"]


def test_a_row_says_everything_to_a_screen_reader() -> None:
    model = fresh()
    model.apply(sample_conversation())
    index = model.index(1)
    assert index.data() == "Why does test_sync fail on CI, but never here?"
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "claude-code, claude-opus, 1 waiting, running, 40.3k tokens" in said
    assert said.endswith(f", {day_words(model.summary('conv_1').updated_at, time.time())}")  # type: ignore[union-attr]
    assert "$0.038" in spoken(ConversationSummary("x"), 0.038)
    assert "Started 20" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert spoken(ConversationSummary("x", failed=True)) == f"{UNTITLED}, failed"
    marked = ConversationSummary("x", title="t", marks=Marks("Named", True, ("bug",), "a.jsonl"))
    assert spoken(marked) == "Named, pinned, imported, tags bug"
    assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Waiting for you, 1 conversations"


def test_what_a_conversation_costs_follows_the_prices() -> None:
    model = fresh()
    model.load([ConversationSummary("a", model="m", usage=Usage(1_000_000, 0), updated_at=NOON)], [])
    assert model.index(1).data(Role.COST) is None
    model.set_prices(PriceTable((Price("m", 2, 4),)))
    assert model.index(1).data(Role.COST) == 2.0


def test_a_title_hides_nothing_and_a_name_takes_its_place() -> None:
    assert "U+202E" in title_of(ConversationSummary("x", title="a\u202eb"))
    assert title_of(ConversationSummary("x", title="t", marks=Marks("Mine"))) == "Mine"


def test_editing_a_row_is_only_announced() -> None:
    model = fresh()
    model.apply([begun("a", NOON + 1)])
    said: list[tuple[str, str]] = []
    model.renamed.connect(lambda conversation, name: said.append((conversation, name)))
    assert model.setData(model.index(1), "New name")
    assert not model.setData(model.index(0), "A header has no name")
    assert said == [("a", "New name")]
    assert model.index(1).data() == "Hi"


def test_tags_are_known_by_how_often_they_are_used() -> None:
    model = fresh()
    model.load([ConversationSummary(n, marks=Marks(tags=tags)) for n, tags in (("a", ("x", "y")), ("b", ("y",)))], [])
    assert model.tags == ["y", "x"]


def test_a_sub_agents_conversation_is_indented_under_its_parents() -> None:
    model = ConversationListModel(clock=lambda: NOON + 60)
    threads = (("session", "s", ""), ("child", "a1", "s"), ("nested", "a2", "a1"), ("lone", "x", "gone"))
    summaries = [
        ConversationSummary(name, "codex", name, updated_at=NOON, agent_thread=own, parent_agent=parent)
        for name, own, parent in threads
    ]
    model.load(summaries, [])
    depths = {name: model.index(model.row_of(name)).data(Role.DEPTH) for name, _, _ in threads}
    assert depths == {"session": 0, "child": 1, "nested": 2, "lone": 0}
