"""Cells say what people want to know, in few letters."""

import pytest
from tests.fakes.samples import NOON, sample_conversation
from tests.fakes.traffic import translated_exchange

from callgate.core.events import ExchangeEnded, ExchangeStarted
from callgate.core.messages import say
from callgate.ui.traffic.columns import (
    COLUMNS,
    DURATION,
    ENDPOINT,
    STATUS,
    TOOLS,
    spent_words,
    spoken,
    status_words,
    tip,
)
from callgate.ui.traffic.exchange_fold import ExchangeFold
from callgate.ui.traffic.row import TrafficRow


def rows(events: list) -> dict[str, TrafficRow]:
    fold = ExchangeFold()
    fold.apply_all(events)
    return {row.id: row for group in fold.groups.values() for row in group}


def cells(row: TrafficRow) -> dict[str, str]:
    return {column.title: column.text(row) for column in COLUMNS}


def test_an_exchange_in_words_and_figures() -> None:
    told = cells(rows(translated_exchange())["ex_t#0"])
    assert (told["Agent"], told["Endpoint"], told["Status"]) == ("my_script.py", "anthropic ⇄", "200 completed")
    assert (told["Tools"], told["In"], told["Out"], told["Cached"]) == ("2 → 0", "812", "42", "")
    assert (told["Cost"], told["TTFT"], told["Tok/s"], told["Duration"]) == ("$0.003", "0.6 s", "30", "2.1 s")


def test_what_is_not_known_is_blank() -> None:
    start = ExchangeStarted("e", "c", "a", "openai-chat", "my-own", True, 0, (say("user", "Hi"),), (), NOON)
    told = cells(rows([start])["e#0"])
    blank = ("Endpoint", "Tools", "In", "Out", "Cached", "Reasoning", "Cost", "TTFT", "Tok/s")
    assert not any(told[title] for title in blank)
    assert told["Status"] == "running"


def test_failures_are_named_with_their_status() -> None:
    held = rows(sample_conversation())
    failed = held["exch_2#0"]
    assert status_words(failed) == "429 rate limit"
    assert "try again in 20 s" in tip(failed, STATUS)


def test_rounds_are_marked_and_call_their_tools() -> None:
    held = rows(sample_conversation())
    assert cells(held["exch_1#2"])["Time"] == "↳ round 2"
    assert tip(held["exch_1#0"], TOOLS) == "read_file, search_text"
    assert "bytes unchanged" in tip(held["exch_1#0"], ENDPOINT)


def test_where_the_time_went_is_told_longest_first() -> None:
    words = spent_words(rows(sample_conversation())["exch_1#0"])
    assert words == "2.1 s streaming, 1.2 s waiting for a person, 1.1 s until the first token, 0.5 s running tools"


def test_a_row_is_a_sentence_for_who_cannot_see_it() -> None:
    held = rows(sample_conversation())
    assert spoken(held["exch_1#1"]).startswith("round 1, claude-code, anthropic, claude-opus, 200 completed")


def test_a_tool_called_over_mcp_says_so() -> None:
    start = ExchangeStarted("e", "c", "cursor", "mcp", "", False, 0, (), (), NOON)
    row = rows([start, ExchangeEnded("e", "c", "completed", NOON + 1)])["e#0"]
    assert cells(row)["Endpoint"] == "mcp"


@pytest.mark.parametrize("number", range(len(COLUMNS)))
def test_every_column_sorts_and_shows_every_row(number: int) -> None:
    for row in rows([*sample_conversation(), *translated_exchange()]).values():
        column = COLUMNS[number]
        assert isinstance(column.text(row), str)
        assert column.sort(row) is None or isinstance(column.sort(row), str | int | float)
        assert isinstance(tip(row, number), str)
    assert COLUMNS[DURATION].title == "Duration"
