"""The order of the conversation list: groups by day or by agent, those that wait for a person on top. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal

from callgate.core.conversation import ConversationSummary
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal

Grouping = Literal["day", "agent"]
WAITING: Final = "waiting"
PINNED: Final = "pinned"
_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class Header:
    """A line above a group."""

    key: str
    """Also tells whether it is folded, between runs."""
    label: str
    count: int
    waiting: int = 0
    folded: bool = False


Row = Header | str
"""A header, or the id of a conversation."""


def arranged(
    summaries: Iterable[ConversationSummary], grouping: Grouping, now: float, folded: Collection[str] = ()
) -> list[Row]:
    """Everything in its order, each group under its header; of a folded group only the header."""
    groups: dict[str, tuple[str, list[ConversationSummary]]] = {}
    today = _ordinal(now)
    for summary in sorted(summaries, key=_rank):
        key, label = _group(summary, grouping, today)
        groups.setdefault(key, (label, []))[1].append(summary)
    rows: list[Row] = []
    for key, (label, members) in sorted(groups.items(), key=lambda item: _group_rank(item[0], item[1][1], grouping)):
        waiting = sum(len(summary.waiting) for summary in members)
        closed = key in folded and not waiting  # what waits for a person can't be folded away
        shown = reveal(label) or "Unknown agent"
        rows.append(Header(key, shown, len(members), waiting, closed))
        if not closed:
            rows += [summary.id for summary in _as_tree(members)]
    return rows


def starts(parent: ConversationSummary, child: ConversationSummary) -> bool:
    """Whether one is the conversation of the thread that started the other's sub-agent."""
    same_agent = (parent.agent, parent.agent_proven) == (child.agent, child.agent_proven)
    return same_agent and bool(child.parent_agent) and parent.agent_thread == child.parent_agent and parent != child


def _as_tree(members: list[ConversationSummary]) -> list[ConversationSummary]:
    """Sub-agents under the conversation that started them, as far as that is in the group too."""
    if not any(one.parent_agent for one in members):
        return members
    by_thread: dict[tuple[str, bool, str], ConversationSummary] = {}
    for one in members:
        by_thread.setdefault((one.agent, one.agent_proven, one.agent_thread), one)
    children: dict[str, list[ConversationSummary]] = {}
    roots: list[ConversationSummary] = []
    for one in members:
        parent = by_thread.get((one.agent, one.agent_proven, one.parent_agent)) if one.parent_agent else None
        (roots if parent is None or parent is one else children.setdefault(parent.id, [])).append(one)
    ordered: dict[str, ConversationSummary] = {}
    # members last: those that name each other as parents stand under no root
    for start in (*roots, *members):
        left = [start]  # no recursion: an agent may claim thousands of levels
        while left:
            one = left.pop()
            if one.id not in ordered:
                ordered[one.id] = one
                left += reversed(children.get(one.id, ()))
    return list(ordered.values())


def _rank(summary: ConversationSummary) -> tuple[bool, float, str]:
    return (not summary.waiting, -summary.updated_at, summary.id)


def _group(summary: ConversationSummary, grouping: Grouping, today: int) -> tuple[str, str]:
    if grouping == "agent":
        if summary.marks.pinned:
            return PINNED, "Pinned"
        return f"agent:{summary.agent}", summary.agent
    if summary.waiting:
        return WAITING, "Waiting for you"
    if summary.marks.pinned:
        return PINNED, "Pinned"
    return _day(_ordinal(summary.updated_at), today)


@lru_cache(maxsize=4096)
def _day(number: int, now: int) -> tuple[str, str]:
    """Remembered: under Qt's import hook each `strftime` takes as long as everything else for its row."""
    day, today = date.fromordinal(number), date.fromordinal(now)
    if day >= today:
        return "today", "Today"
    if day == today - timedelta(days=1):
        return "yesterday", "Yesterday"
    if day > today - timedelta(days=_WEEK):
        return day.isoformat(), day.strftime("%A")
    return day.strftime("%Y-%m"), day.strftime("%B %Y" if day.year != today.year else "%B")


def day_words(at: float, now: float) -> str:
    """When it was, told by the days that the groups are told by: an hour past midnight is `yesterday`."""
    then, today = _ordinal(at), _ordinal(now)
    return figures.ago(at, now) if then >= today else _short_day(then, today)


@lru_cache(maxsize=4096)
def _short_day(number: int, now: int) -> str:
    day, today = date.fromordinal(number), date.fromordinal(now)
    if day == today - timedelta(days=1):
        return "yesterday"
    if day > today - timedelta(days=_WEEK):
        return day.strftime("%a")
    return f"{day.strftime('%b')} {day.day}" if day.year == today.year else day.isoformat()


def _ordinal(at: float) -> int:
    return datetime.fromtimestamp(at).toordinal()


def _group_rank(key: str, members: list[ConversationSummary], grouping: Grouping) -> tuple[bool, bool, float]:
    """The one with something waiting first, then what is pinned, then the newest."""
    waits = any(summary.waiting for summary in members)
    return (not waits, key != PINNED, -max(summary.updated_at for summary in members))
