"""Conversations stand in groups by day or agent; what waits for a person is on top and can't be folded away."""

from datetime import datetime

from callgate.core.conversation import ConversationSummary
from callgate.core.marks import Marks
from callgate.ui.conversation.list.groups import Header, arranged, day_words

NOW = datetime(2026, 3, 12, 15, 0).timestamp()
DAY = 86_400.0


def told(number: str, days: float = 0.0, agent: str = "codex", **more: object) -> ConversationSummary:
    return ConversationSummary(number, agent, number, updated_at=NOW - days * DAY - 60, **more)  # type: ignore[arg-type]


def labels(rows: list[Header | str]) -> list[str]:
    return [row.label if isinstance(row, Header) else row for row in rows]


def test_days_are_named_as_people_name_them() -> None:
    rows = arranged([told("a"), told("b", 1), told("c", 3), told("d", 20), told("e", 400)], "day", NOW)
    assert labels(rows) == [
        "Today", "a", "Yesterday", "b", "Monday", "c", "February", "d", "February 2025", "e",
    ]  # fmt: skip


def test_a_row_tells_the_day_that_its_group_tells() -> None:
    early = datetime(2026, 3, 12, 1, 0).timestamp()
    assert day_words(early - 600, early) == "10 min ago"
    assert day_words(early - 2 * 3600, early) == "yesterday", "not 2 h ago under a header that says yesterday"
    assert day_words(early - 25.5 * 3600, early) == "Tue"
    assert day_words(early - 20 * DAY, early) == "Feb 20"
    assert day_words(early - 400 * DAY, early) == "2025-02-05"


def test_what_waits_is_on_top_and_pins_follow() -> None:
    pinned = told("p", 9, marks=Marks(pinned=True))
    waits = told("w", 30, waiting=frozenset({"i"}))
    rows = arranged([told("a"), pinned, waits], "day", NOW)
    assert labels(rows) == ["Waiting for you", "w", "Pinned", "p", "Today", "a"]
    first = rows[0]
    assert isinstance(first, Header) and first.waiting == 1


def test_agents_with_something_waiting_come_first_then_the_newest() -> None:
    rows = arranged(
        [
            told("a", 0, "codex"),
            told("b", 5, "claude"),
            told("c", 9, "script", waiting=frozenset({"i"})),
            told("d", 1, ""),
        ],
        "agent",
        NOW,
    )
    assert labels(rows) == ["script", "c", "codex", "a", "Unknown agent", "d", "claude", "b"]


def test_a_folded_group_is_only_its_header_unless_it_waits() -> None:
    today, waiting = told("a"), told("b", waiting=frozenset({"i"}))
    assert labels(arranged([today], "day", NOW, {"today"})) == ["Today"]
    assert labels(arranged([waiting], "day", NOW, {"waiting"})) == ["Waiting for you", "b"]


def test_an_agent_named_with_hidden_characters_shows_them() -> None:
    (header, _) = arranged([told("a", agent="x\u202ey")], "agent", NOW)
    assert isinstance(header, Header) and "U+202E" in header.label


def test_sub_agents_stand_under_the_conversation_that_started_them() -> None:
    rows = arranged(
        [
            told("newest"),
            told("nested", 0.01, agent_thread="a2", parent_agent="a1"),
            told("child", 0.02, agent_thread="a1", parent_agent="s"),
            told("stranger", 0.03, agent="other", agent_thread="x", parent_agent="s"),
            told("session", 0.04, agent_thread="s"),
        ],
        "day",
        NOW,
    )
    assert labels(rows) == ["Today", "newest", "stranger", "session", "child", "nested"]


def test_threads_that_name_each_other_as_parents_are_all_listed() -> None:
    one, other = told("a", agent_thread="1", parent_agent="2"), told("b", agent_thread="2", parent_agent="1")
    assert sorted(labels(arranged([one, other, told("c", agent_thread="3", parent_agent="3")], "day", NOW))) == [
        "Today", "a", "b", "c",
    ]  # fmt: skip


def test_thousands_of_claimed_levels_are_listed_all_the_same() -> None:
    chain = [told(str(level), agent_thread=str(level), parent_agent=str(level - 1)) for level in range(1, 5000)]
    assert labels(arranged(chain[::-1], "day", NOW))[1:] == [str(level) for level in range(1, 5000)]
