"""Everything that was said can be found again, whatever is typed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.depth import examples
from tests.store.samples import a_conversation, invocation, started

from callgate.core.calls.invocation import Allow, Return, advance
from callgate.core.errors import Fault
from callgate.core.events import ConversationMarked, Event, ExchangeEnded, InvocationChanged, RoundEnded
from callgate.core.marks import Marks
from callgate.core.messages import Message, Reasoning, Text, ToolCall, ToolResult
from callgate.core.search.hit import SearchHit
from callgate.store.database import Database
from callgate.store.journal import Journal

SECONDS = 5
T = TypeVar("T")


def with_journal(path: Path, use: Callable[[Journal], Awaitable[T]]) -> T:
    lost: list[Exception] = []

    async def bounded() -> T:
        return await asyncio.wait_for(use(Journal(database)), SECONDS)

    database = Database(path / "callgate.db", lost.append)
    try:
        return asyncio.run(bounded())
    finally:
        assert database.close()
        assert lost == []


def found(path: Path, events: list[Event], *queries: str) -> list[list[SearchHit]]:
    async def use(journal: Journal) -> list[list[SearchHit]]:
        for event in events:
            journal.record(event)
        await journal.settled()
        return [await journal.shelf.search(query, 50) for query in queries]

    return with_journal(path, use)


def ids(hits: list[SearchHit]) -> list[str]:
    return [hit.conversation_id for hit in hits]


def answered(conversation: str, *parts: Text | Reasoning | ToolCall, at: float = 5.0) -> Event:
    return RoundEnded(f"e_{conversation}", conversation, 1, Message("assistant", parts), "stop", None, at)


def talk(conversation: str, question: str, answer: str = "", at: float = 1.0) -> list[Event]:
    return [started(f"e_{conversation}", conversation, at, question), answered(conversation, Text(answer), at=at + 1)]


def test_every_kind_of_text_is_found_with_what_it_was_in(tmp_path: Path) -> None:
    running = advance(invocation(), Allow("Setting", "rule"), 4.0)
    events: list[Event] = [
        started("e1", "c1", text="Where are the zebras?"),
        answered(
            "c1",
            Reasoning("Perhaps the savannah."),
            Text("In Étosha."),
            ToolCall("x", "count_animals", '{"kind":"gnu"}'),
        ),
        InvocationChanged(advance(running, Return(ToolResult("call_1", (Text("forty-two wildebeest"),))), 5.0), 5.0),
        ExchangeEnded("e1", "c1", "failed", 6.0, fault=Fault("overloaded", "The hippopotamus is busy")),
    ]
    words = ["zebr", "savannah", "etosha", "count_anim", "gnu", "forty two", "hippo", "codex", '"be brief"']
    hits = found(tmp_path, events, *words)
    kinds = [answer[0].kind if answer else None for answer in hits]
    assert kinds == ["title", "reasoning", "answer", "call", "call", "result", "error", "title", "system"]
    assert hits[2][0].snippet.first == "Étosha"


def test_words_may_stand_apart_phrases_may_not(tmp_path: Path) -> None:
    events = [*talk("c1", "red apples", "green pears"), *talk("c2", "red pears", "nothing")]
    both, phrase, quoted_other, prefix = found(
        tmp_path, events, "red pears", '"red pears"', '"green pears" apples', "gre pea"
    )
    assert set(ids(both)) == {"c1", "c2"}
    assert ids(phrase) == ["c2"]
    assert ids(quoted_other) == ["c1"]
    assert ids(prefix) == ["c1"]


def test_a_title_ranks_before_a_passing_mention(tmp_path: Path) -> None:
    filler = "the quick brown fox jumps over the lazy dog " * 30
    events = [*talk("c1", "Hello", f"{filler} budget"), *talk("c2", "The budget of next year", filler)]
    (hits,) = found(tmp_path, events, "budget")
    assert ids(hits) == ["c2", "c1"]


def test_fields_narrow_it_down(tmp_path: Path) -> None:
    events = [
        *talk("c1", "apples"),
        *talk("c2", "apples"),
        answered("c2", ToolCall("x", "read_file", "{}"), at=9.0),
        ConversationMarked("c2", Marks("Named", tags=("bug", "later")), 10.0),
    ]
    queries = ("tool:read_file apples", "tag:bug", "tag:la named", "agent:cod apples", "agent:other apples",
               "model:gpt-?", "tool:write", 'agent:"codex" tag:bug')  # fmt: skip
    hits = [sorted(ids(answer)) for answer in found(tmp_path, events, *queries)]
    assert hits == [["c2"], ["c2"], ["c2"], ["c1", "c2"], [], ["c1", "c2"], [], ["c2"]]


def test_text_without_spaces_is_found_by_any_part(tmp_path: Path) -> None:
    hits = found(tmp_path, talk("c1", "请告诉我明天的天气预报", "東京は晴れです"), "天气", "東京は", "天預")
    assert [ids(answer) for answer in hits] == [["c1"], ["c1"], []]
    assert hits[0][0].snippet.first == "天气"


def test_what_was_renamed_is_found_by_its_new_name_and_the_old_title(tmp_path: Path) -> None:
    events = [*talk("c1", "An old title"), ConversationMarked("c1", Marks("Shiny"), 5.0)]
    hits = found(tmp_path, events, "shiny", "old title")
    assert [ids(answer) for answer in hits] == [["c1"], ["c1"]]


def test_a_forgotten_conversation_leaves_nothing_in_the_index(tmp_path: Path) -> None:
    async def use(journal: Journal) -> list[str]:
        for event in (*talk("c1", "unicorns"), *talk("c2", "unicorns")):
            journal.record(event)
        await journal.forget("c1")
        return ids(await journal.shelf.search("unicorns", 50))

    assert with_journal(tmp_path, use) == ["c2"]


def test_a_journal_from_before_is_indexed_in_slices_the_newest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(journal: Journal) -> None:
        for number in range(10):
            for event in talk(f"c{number}", f"question {number}", "dinosaurs"):
                journal.record(event)
        await journal.settled()
        # as if all of it had been stored by a version without an index
        await journal._database.run(lambda connection: connection.execute("DELETE FROM search"))
        await journal._database.run(lambda connection: connection.execute("DELETE FROM search_conversations"))
        await journal._database.run(
            lambda connection: connection.execute("UPDATE search_backlog SET until = (SELECT max(id) FROM events)")
        )

    with_journal(tmp_path, fill)
    monkeypatch.setattr("callgate.store.tables.search_rows.SLICE_EVENTS", 4)

    async def catch_up(journal: Journal) -> tuple[list[str], int, list[str]]:
        more = await journal.shelf.index_backlog()
        early = ids(await journal.shelf.search("dinosaurs", 50))
        slices = 1
        while more:
            more = await journal.shelf.index_backlog()
            slices += 1
        return early, slices, ids(await journal.shelf.search("question dinosaurs", 50))

    early, slices, late = with_journal(tmp_path, catch_up)
    assert set(early) == {"c9", "c8"}
    assert slices > 3
    assert len(late) == 10


def test_a_long_result_is_found_at_its_end(tmp_path: Path) -> None:
    long = "filler words " * 5000 + "needle"
    (hits,) = found(tmp_path, talk("c1", "x", long), "needle")
    assert hits[0].snippet.first == "needle"
    assert len(hits[0].snippet.text) < 200


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stocked")
    found(path, a_conversation(), "x")
    return path


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=40), st.text(alphabet="\"*():^-+{}AND OR NOT NEAR,\\'a:;%_", max_size=40)))
def test_nothing_that_can_be_typed_breaks_the_search(stocked: Path, typed: str) -> None:
    async def use(journal: Journal) -> object:
        return await journal.shelf.search(typed, 5)

    with_journal(stocked, use)


def test_forgotten_words_are_rewritten_out_of_the_file(tmp_path: Path) -> None:
    async def use(journal: Journal) -> int:
        for number in range(12):
            for event in talk(f"c{number}", "x", f"common words w{number}ord"):
                journal.record(event)
            await journal.settled()
        assert not await journal.shelf.rewrite_index(), "nothing was forgotten"
        for event in talk("c99", "x", "xylophonist"):
            journal.record(event)
        await journal.forget("c99")
        steps = 0
        while await journal.shelf.rewrite_index():
            steps += 1
            assert steps < 100
        assert not await journal.shelf.index_backlog()
        return len(await journal.shelf.search("common", 50))

    assert with_journal(tmp_path, use) == 12
    assert b"ylophonist" not in (tmp_path / "callgate.db").read_bytes()
