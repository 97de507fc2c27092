from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.demo_tools import TOOLS, schema, text

from callgate.core.json.text import parse
from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo.intents import INTENTS, choose, demand, examples, references

HANG_SECONDS = 1.0
"""Of the processor, however busy it is otherwise."""


def calls(words: str, *more: ToolSpec) -> list[tuple[str, Json]]:
    return [(ask.tool.name, parse(ask.text)) for ask in choose(words, (*TOOLS, *more)) if not ask.missing]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("What does README.md say?", [("read_file", {"path": "README.md"})]),
        ("Summarize README.md", [("read_file", {"path": "README.md"})]),
        (
            "Read pyproject.toml and list the app folder",
            [("read_file", {"path": "pyproject.toml"}), ("list_directory", {"path": "app"})],
        ),
        ("List the files here", [("list_directory", {"path": "."})]),
        (
            "list the files in app and in tests",
            [("list_directory", {"path": "app"}), ("list_directory", {"path": "tests"})],
        ),
        ("What's in the tests folder?", [("list_directory", {"path": "tests"})]),
        ("Find all python files", [("find_files", {"pattern": "**/*.py"})]),
        ("Search for TODO in src", [("search_text", {"path": "src", "query": "TODO"})]),
        ("where is DemoModel defined?", [("search_text", {"query": "DemoModel"})]),
        ("search for cats and dogs", [("search_text", {"query": "cats and dogs"})]),
        (
            "What's the weather in Paris and in Rome?",
            [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})],
        ),
        (
            "weather in Paris, Rome and Oslo in celsius",
            [("get_weather", {"unit": "celsius", "city": city}) for city in ("Paris", "Rome", "Oslo")],
        ),
        ("#read_file LICENSE", [("read_file", {"path": "LICENSE"})]),
        ("#readFile notes", [("read_file", {"path": "notes"})]),
        ("#list_directory", [("list_directory", {})]),
        ("#runCommand echo hi", [("run_command", {"command": "echo hi"})]),
        ("run `pytest -x`", [("run_command", {"command": "pytest -x"})]),
        ("ls -la", [("run_command", {"command": "ls -la"})]),
        ("grep -rn TODO .", [("run_command", {"command": "grep -rn TODO ."})]),
        ("Read lines 3 to 10 of setup.cfg", [("read_file", {"start_line": 3, "end_line": 10, "path": "setup.cfg"})]),
        ("show me the first 20 lines of a.py", [("read_file", {"end_line": 20, "path": "a.py"})]),
        ("read a.txt, b.txt and c.txt", [("read_file", {"path": f"{name}.txt"}) for name in "abc"]),
        ("There is a file notes.txt. Please read it.", [("read_file", {"path": "notes.txt"})]),
        ("Read a.txt and tell me what it says", [("read_file", {"path": "a.txt"})]),
        ("Read a.txt. Read a.txt!", [("read_file", {"path": "a.txt"})]),
    ],
)
def test_a_request_in_plain_words_becomes_calls(words: str, expected: list[tuple[str, Json]]) -> None:
    assert calls(words) == expected


@pytest.mark.parametrize(
    "words",
    ["", "Hello!", "How are you?", "What can you do?", "how do I file taxes?", "Tell me a joke about reading",
     "Thanks for the list!", "Explain rules to me", "Is 10 a big number?", "Say hello", "How do approvals work?"],
)  # fmt: skip
def test_talk_that_asks_for_nothing_becomes_no_call(words: str) -> None:
    assert calls(words) == []


def test_a_wish_that_lacks_something_says_what() -> None:
    [ask] = choose("Read it", TOOLS)
    assert (ask.tool.name, ask.missing) == ("read_file", ("path",))
    [ask] = choose("Weather?", TOOLS)
    assert (ask.tool.name, ask.missing) == ("get_weather", ("city",))


def test_what_comes_then_is_a_later_step() -> None:
    asks = choose("Read notes.md then run `make test`", TOOLS)
    assert [(ask.tool.name, ask.step) for ask in asks] == [("read_file", 0), ("run_command", 1)]


def test_what_is_quoted_is_never_cut() -> None:
    assert calls('search for "x and y, then z"') == [("search_text", {"query": "x and y, then z"})]


def test_a_clients_own_tool_is_found_by_its_description_too() -> None:
    quote = ToolSpec("lookup", "Get the stock price of a company", schema(["name"], name=text()))
    assert calls('What is the stock price of "Acme"?', quote) == [("lookup", {"name": "Acme"})]


def test_a_tool_that_is_named_without_a_mark_is_called() -> None:
    clock = ToolSpec("get_current_time", "Current time", schema(["timezone"], timezone=text()))
    words = "use get_current_time with timezone Asia/Tokyo"
    assert calls(words, clock) == [("get_current_time", {"timezone": "Asia/Tokyo"})]


def test_a_custom_tool_gets_free_text() -> None:
    python = ToolSpec("python", "Run python code", variant="custom")
    assert [ask.text for ask in choose("#python `print(1)`", (*TOOLS, python))] == ["print(1)"]
    assert [ask.text for ask in choose("#python print(2)", (*TOOLS, python))] == ["print(2)"]


def test_references_are_found_however_they_are_joined() -> None:
    git = ToolSpec("mcp_git_status")
    assert references("#git_status and #GetWeather and #nothing", (*TOOLS, git)) == [git, TOOLS[5]]


def test_a_demanded_call_is_made_with_the_likeliest_tool() -> None:
    ask = demand("something about the weather", TOOLS)
    assert ask is not None
    assert ask.tool.name == "get_weather"
    assert "city" in ask.text


def test_what_is_suggested_works() -> None:
    assert examples(TOOLS) == [intent.example for intent in INTENTS][:3]
    assert all(calls(example) for example in examples(TOOLS))
    assert examples([ToolSpec("historian", "Ask a person", schema(["question"], question=text()))]) == ["#historian …"]


@given(st.text(max_size=400))
def test_any_text_can_be_read(words: str) -> None:
    assert all(ask.tool in TOOLS for ask in choose(words, TOOLS))


@pytest.mark.parametrize(
    "piece", ["a", "a/", "a.", "a-", "read ", "the ", "'", "`", "and ", "1 ", "Ab ", "in A ", "* ", "\n", ", x"]
)
def test_nothing_hangs_on_a_long_text(piece: str) -> None:
    for begin in ("", "read ", "find ", "search for ", "weather in ", "run "):
        started = process_time()
        choose((begin + piece * 2000)[:2000], TOOLS)
        assert process_time() - started < HANG_SECONDS


def test_a_long_list_is_read_only_so_far() -> None:
    assert len(choose("read " + ", ".join(f"f{number}.txt" for number in range(200)), TOOLS)) == 24
