"""A conversation is told again without the deltas that its messages make superfluous, from the end if one likes."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from callgate.core.deltas import TextDelta
from callgate.core.events import DeltaArrived, Event, ExchangeEnded, ExchangeStarted, RoundEnded, RoundStarted
from callgate.core.messages import say
from callgate.store.database import Database
from callgate.store.journal import Journal


def exchange(number: int, *deltas: TextDelta, outcome: str | None = "completed") -> Iterator[Event]:
    name, at = f"e{number}", 100.0 + number
    parent = f"e{number - 1}" if number else ""
    question = (say("user", f"Question {number}"),)
    yield ExchangeStarted(name, "c", "x", "openai-chat", "m", True, 0, question, (), at, parent)
    yield RoundStarted(name, "c", 1, "up", "openai-chat", "m", (), True, at)
    for delta in deltas or (TextDelta(0, "An "), TextDelta(0, "answer")):
        yield DeltaArrived(name, "c", 1, delta, at)
    if outcome == "completed":
        yield RoundEnded(name, "c", 1, say("assistant", "An answer"), "stop", None, at)
    if outcome is not None:
        yield ExchangeEnded(name, "c", outcome, at)  # type: ignore[arg-type]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    database = Database(tmp_path / "j.db")
    yield Journal(database)
    database.close()


def told(journal: Journal, last: int = 0) -> tuple[list[str], bool]:
    events, whole = asyncio.run(journal.story("c", last))
    return [f"{getattr(event, 'exchange_id', '')}:{event.kind}" for event in events], whole


def test_deltas_are_left_out_where_the_message_is_whole(journal: Journal) -> None:
    for event in exchange(0):
        journal.record(event)
    assert told(journal) == (["e0:exchange_started", "e0:round_started", "e0:round_ended", "e0:exchange_ended"], True)


@pytest.mark.parametrize("outcome", ["failed", "cancelled", None])
def test_what_was_broken_off_is_told_delta_by_delta(journal: Journal, outcome: str | None) -> None:
    for event in exchange(0, outcome=outcome):
        journal.record(event)
    assert told(journal)[0].count("e0:delta") == 2


def test_other_choices_keep_their_deltas(journal: Journal) -> None:
    for event in exchange(0, TextDelta(0, "one"), TextDelta(0, "two", 1)):
        journal.record(event)
    assert told(journal)[0].count("e0:delta") == 1


def test_the_last_exchanges_can_be_had_alone(journal: Journal) -> None:
    for number in range(5):
        for event in exchange(number):
            journal.record(event)
    kinds, whole = told(journal, 2)
    assert kinds[0] == "e3:exchange_started" and not whole
    assert told(journal, 5)[1] and told(journal, 9)[1]
    assert told(journal, 5)[0] == told(journal)[0]


def test_nothing_is_told_of_what_never_was(journal: Journal) -> None:
    assert told(journal) == ([], True) and told(journal, 3) == ([], True)
