"""Asked of a real counter with small real tables."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.fakes.console import FakeConsole, sample_tools
from tests.fakes.loop import BoundLoop
from tests.fakes.many_tools import many_tools
from tests.fakes.tokenizers import table

from callgate.core.catalog.tool_text import tool_text
from callgate.core.tool import CLIENT_SOURCE, Tool
from callgate.engine.offer.token_counter import TokenCounter
from callgate.store.files.tokenizer_files import Place
from callgate.ui.bridge import Bridge
from callgate.ui.tools.background_lint import BackgroundLint
from callgate.ui.tools.facts import Facts
from callgate.ui.tools.token_counting import TokenCounting


@pytest.fixture
def place(tmp_path: Path) -> Place:
    path = tmp_path / "o200k_base.tiktoken"
    path.write_bytes(table())
    return Place("openai", path)


@pytest.fixture
def facts() -> Facts:
    return Facts()


@pytest.fixture
def counting(loop: BoundLoop, console: FakeConsole, bridge: Bridge, facts: Facts, place: Place) -> TokenCounting:
    console.tool_service.counter = TokenCounter([place])
    return TokenCounting(console.tool_service, bridge, facts)


def _take(counting: TokenCounting, facts: Facts, tools: tuple[Tool, ...]) -> Callable[[], None]:
    appraiser = BackgroundLint(facts)
    appraiser.take(tools)
    appraiser.finish()
    return lambda: counting.take(tools)


def test_every_tool_of_the_catalog_is_counted(
    loop: BoundLoop, counting: TokenCounting, facts: Facts, place: Place
) -> None:
    tools = many_tools(4, 50)
    take = _take(counting, facts, tools)
    estimated = dict(facts.tokens)
    told: list[int] = []
    counting.counted.connect(lambda: told.append(len(facts.counts)))

    async def run() -> None:
        take()

    loop.run(run())
    loop.until(lambda: counting.is_done)
    count = place.load().count
    assert {name: counts[0].tokens for name, counts in facts.counts.items()} == {
        tool.name: count(tool_text(tool, "openai")) for tool in tools
    }
    assert told[-1] == 200 and facts.tokens != estimated


def test_a_tool_that_is_looked_at_comes_first_and_an_agents_own_is_counted_too(
    loop: BoundLoop, counting: TokenCounting, facts: Facts
) -> None:
    own = Tool("read_file", CLIENT_SOURCE, "the weather", tags=("claude-code",))
    other = replace(own, description="the weather at the location", tags=("codex",))

    async def look(tool: Tool) -> None:
        counting.look_at(tool)

    for tool in (own, other):
        loop.run(look(tool))
        loop.until(lambda: counting.is_done)
    assert counting.counts_of(own)[0].tokens < counting.counts_of(other)[0].tokens
    assert facts.counts == {} and facts.tokens == {}


def test_what_was_counted_holds_for_the_same_definition_only(
    loop: BoundLoop, counting: TokenCounting, facts: Facts
) -> None:
    tools = sample_tools()
    take = _take(counting, facts, tools)

    async def run() -> None:
        take()

    loop.run(run())
    loop.until(lambda: counting.is_done)
    assert counting.counts_of(replace(tools[0], enabled=False)) == counting.counts_of(tools[0]) != ()
    assert counting.counts_of(replace(tools[0], description="Other.")) == ()


def test_without_a_tokenizer_nothing_is_asked(
    loop: BoundLoop, console: FakeConsole, counting: TokenCounting, facts: Facts
) -> None:
    console.tool_service.counter = TokenCounter()
    _take(counting, facts, sample_tools())()
    counting.look_at(sample_tools()[0])
    assert counting.is_done and facts.counts == {}


def test_why_a_tokenizer_was_not_asked_is_known(loop: BoundLoop, console: FakeConsole, counting: TokenCounting) -> None:
    console.tool_service.counter = TokenCounter([Place("gemini", Path("/nowhere/tokenizer.json"))])

    async def look() -> None:
        counting.look_at(sample_tools()[0])

    loop.run(look())
    loop.until(lambda: counting.is_done)
    assert "cannot be read" in counting.problems["gemini"]
