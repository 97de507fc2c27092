import asyncio
import threading
from pathlib import Path

from tests.fakes.tokenizers import table, tokenizer_json

from callgate.core.catalog.tool_text import tool_text
from callgate.core.tool import Tool
from callgate.engine.offer.token_counter import Counted, TokenCounter
from callgate.store.files.tokenizer_files import Place, Tokenizer

WEATHER = Tool("weather", "s", "the weather", {"type": "object", "properties": {"location": {"type": "string"}}})
PLAIN = Tool("plain", "s", "the location")


def test_tools_are_counted_by_every_tokenizer_in_the_text_of_its_family(tmp_path: Path) -> None:
    named = tmp_path / "o200k_base.tiktoken"
    named.write_bytes(table())
    places = [Place("openai", named), Place("qwen", tokenizer_json(tmp_path / "tokenizer.json"))]
    counted = asyncio.run(TokenCounter(places).count([WEATHER, PLAIN]))
    tokenizers = [place.load() for place in places]
    assert counted.problems == {}
    for tool, counts in zip((WEATHER, PLAIN), counted.of_tools, strict=True):
        assert [(one.family, one.tokenizer) for one in counts] == [
            ("openai", "o200k_base"),
            ("qwen", "tokenizer.json"),
        ]
        assert [one.tokens for one in counts] == [one.count(tool_text(tool, one.family)) for one in tokenizers]
    assert counted.of_tools[0][0].tokens > counted.of_tools[1][0].tokens


def test_where_there_is_no_tokenizer_nothing_is_counted() -> None:
    counter = TokenCounter()
    assert not counter.can_count
    assert asyncio.run(counter.count([WEATHER, PLAIN])) == Counted(((), ()))


def test_one_that_cannot_be_read_is_said_and_does_not_keep_others_from_counting(tmp_path: Path) -> None:
    places = [
        Place("gemini", tmp_path / "gone.json"),
        Place("qwen", tokenizer_json(tmp_path / "tokenizer.json")),
    ]
    counted = asyncio.run(TokenCounter(places).count([PLAIN]))
    assert [one.family for one in counted.of_tools[0]] == ["qwen"]
    assert list(counted.problems) == ["gemini"] and "cannot be read" in counted.problems["gemini"]


class _Noted(Place):
    """Says in which thread, and how often, it was read."""

    read: list[str] = []  # noqa: RUF012  # shared by all of them on purpose

    def load(self) -> Tokenizer:
        self.read.append(threading.current_thread().name)
        return Tokenizer(self.family, "noted", len)


def test_tables_are_read_once_and_off_the_loop(tmp_path: Path) -> None:
    _Noted.read.clear()
    counter = TokenCounter([_Noted("x", tmp_path)])

    async def both() -> None:
        await asyncio.gather(counter.count([PLAIN]), counter.count([WEATHER]))
        await counter.count([PLAIN])

    asyncio.run(both())
    assert len(_Noted.read) == 1 and _Noted.read[0] != threading.main_thread().name
