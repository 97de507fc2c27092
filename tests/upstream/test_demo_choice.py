import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.demo_tools import TOOLS, schema, text

from callgate.core.messages import Json
from callgate.core.tool import ToolSpec
from callgate.upstream.demo_choice import MOST_CLAUSES, best_guess, choose, references


def calls(words: str, *more: ToolSpec) -> list[tuple[str, Json]]:
    return [(ask.tool.name, ask.arguments) for ask in choose(words, (*TOOLS, *more)) if not ask.missing]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("What does README.md say?", [("read_file", {"path": "README.md"})]),
        (
            "Read pyproject.toml and list the app folder",
            [("read_file", {"path": "pyproject.toml"}), ("list_directory", {"path": "app"})],
        ),
        ("read a.txt and list src", [("read_file", {"path": "a.txt"}), ("list_directory", {"path": "src"})]),
        ("Find all python files", [("find_files", {"pattern": "**/*.py"})]),
        ("Search for TODO in src", [("search_text", {"path": "src", "query": "TODO"})]),
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
        ("Read lines 3 to 10 of setup.cfg", [("read_file", {"start_line": 3, "end_line": 10, "path": "setup.cfg"})]),
        ("read a.txt, b.txt and c.txt", [("read_file", {"path": f"{name}.txt"}) for name in "abc"]),
        ("search for cats and dogs", [("search_text", {"query": "cats and dogs"})]),
        ("where is DemoModel defined?", [("search_text", {"query": "DemoModel"})]),
        ("What's in the tests folder?", [("list_directory", {"path": "tests"})]),
        ("search_text query=foo path=app", [("search_text", {"query": "foo", "path": "app"})]),
        ("There is a file notes.txt. Please read it.", [("read_file", {"path": "notes.txt"})]),
        ("Read a.txt and tell me what it says", [("read_file", {"path": "a.txt"})]),
    ],
)
def test_a_request_in_plain_words_becomes_calls(words: str, expected: list[tuple[str, Json]]) -> None:
    assert calls(words) == expected


@pytest.mark.parametrize(
    "words",
    ["", "Hello!", "How are you?", "What can you do?", "how do I file taxes?", "Tell me a joke about reading",
     "Thanks for the list!", "Explain rules to me", "Is 10 a big number?"],
)  # fmt: skip
def test_talk_that_asks_for_nothing_becomes_no_call(words: str) -> None:
    assert calls(words) == []


def test_a_wish_that_lacks_something_says_what() -> None:
    [ask] = choose("Read it", TOOLS)
    assert (ask.tool.name, ask.missing) == ("read_file", ("path",))


def test_what_comes_then_is_a_later_step() -> None:
    asks = choose("Read notes.md then run `make test`", TOOLS)
    assert [(ask.tool.name, ask.step) for ask in asks] == [("read_file", 0), ("run_command", 1)]


def test_a_tool_is_found_by_its_description_too() -> None:
    quote = ToolSpec("lookup", "Get the stock price of a company", schema(["name"], name=text()))
    assert calls('What is the stock price of "Acme"?', quote) == [("lookup", {"name": "Acme"})]


def test_the_same_call_is_asked_for_once() -> None:
    assert len(calls("Read a.txt. Read a.txt!")) == 1


def test_a_custom_tool_gets_free_text() -> None:
    python = ToolSpec("python", "Run python code", variant="custom")
    assert calls("#python `print(1)`", python) == [("python", "print(1)")]


def test_references_are_found_however_they_are_spelled() -> None:
    git = ToolSpec("mcp_git_status")
    assert references("#git_status and #GetWeather and #nothing", (*TOOLS, git)) == [git, TOOLS[5]]


def test_a_demanded_call_is_made_with_the_likeliest_tool() -> None:
    ask = best_guess("something about the weather", TOOLS)
    assert ask.tool.name == "get_weather"
    assert "city" in ask.arguments


@given(st.text(max_size=400))
def test_any_text_can_be_read(words: str) -> None:
    assert all(ask.tool in TOOLS for ask in choose(words, TOOLS))


def test_a_long_list_is_read_only_so_far() -> None:
    asks = choose("read " + ", ".join(f"f{number}.txt" for number in range(200)), TOOLS)
    assert len(asks) == MOST_CLAUSES
