import pytest

from callgate.upstream.demo_phrases import Phrases


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("What does README.md say?", "README.md"),
        ("open the readme", "README.md"),
        ("What does the license say?", "LICENSE"),
        ("read /etc/hosts now", "/etc/hosts"),
        ("show ./src/app.py.", "./src/app.py"),
        ("read `weird name-1` or \"notes.txt\"", "notes.txt"),
        ("cat .gitignore", ".gitignore"),
        ("the file called notes", "notes"),
        ("nothing here to see", None),
    ],
)  # fmt: skip
def test_a_file_is_found(text: str, path: str | None) -> None:
    assert Phrases(text).path(folders=False, files=True) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("list the app folder", "app"),
        ("what is in the directory src/lib", "src/lib"),
        ("search for x in src", "src"),
        ("list src", "src"),
        ("list this folder", "."),
        ("list the workspace", "."),
        ("list all files", None),
        ("weather in Paris", None),
    ],
)
def test_a_folder_is_found(text: str, path: str | None) -> None:
    assert Phrases(text).path(folders=True, files=False) == path


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("run `pytest -x`", "pytest -x"),
        ("please run ls -la for me", "ls -la"),
        ("execute the command 'make all'", "make all"),
        ("Run the command: echo one > b.txt", "echo one > b.txt"),
        ("run the tests", None),
    ],
)
def test_a_command_is_found(text: str, command: str | None) -> None:
    assert Phrases(text).command() == command


@pytest.mark.parametrize(
    ("text", "glob"),
    [
        ("find all python files", "**/*.py"),
        ("find *.md in docs", "*.md"),
        ("find .toml files", "**/*.toml"),
        ("find files named config", "**/*config*"),
        ("find setup.cfg", "**/setup.cfg"),
        ("find 'test_*'", "test_*"),
        ("find everything", None),
    ],
)
def test_a_glob_is_found_or_made(text: str, glob: str | None) -> None:
    assert Phrases(text).glob() == glob


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("What's the weather in Paris?", "Paris"),
        ("weather for New York today", "New York"),
        ("weather in rio de janeiro", "Rio De Janeiro"),
        ("weather in paris", "Paris"),
        ("in Rome", "Rome"),
        ("What is the weather like", None),
    ],
)
def test_a_place_is_found(text: str, place: str | None) -> None:
    assert Phrases(text).place() == place


def test_a_time_zone_is_found_by_name_or_city() -> None:
    assert Phrases("time in Europe/Vienna").zone() == "Europe/Vienna"
    assert Phrases("what time is it in tokyo").zone() == "Asia/Tokyo"
    assert Phrases("what time is it").zone() is None


def test_shapes_of_their_own_are_found() -> None:
    assert Phrases("fetch https://x.test/a?b=1.").url() == "https://x.test/a?b=1"
    assert Phrases("write to a.b@x.test!").email() == "a.b@x.test"
    assert Phrases("due 2026-05-01").date() == "2026-05-01"


def test_numbers_stand_beside_their_names() -> None:
    assert Phrases("the first 5 of 20").number_beside(["first"]) == "5"
    assert Phrases("show 7 results").number_beside(["result"]) == "7"
    assert Phrases("lines 3 to 10").range_end(first=False) == "10"


def test_what_is_taken_once_is_not_given_again() -> None:
    phrases = Phrases("add 3 and 4")
    assert [phrases.number(), phrases.number(), phrases.number()] == ["3", "4", None]


def test_a_keyed_value_is_found_however_the_key_is_spelled() -> None:
    assert Phrases('start-line: 3 title="two words"').keyed("start_line") == "3"
    assert Phrases('title="two words"').keyed("title") == "two words"
    assert Phrases("see https://x.test").keyed("https") is None


def test_free_text_is_what_is_left() -> None:
    assert Phrases("search for cats and dogs").free(set()) == ("cats and dogs", True)
    assert Phrases("please translate hello there").free(set()) == ("hello there", True)
    phrases = Phrases("search TODO in src/app.py")
    phrases.path(folders=False, files=True)
    assert phrases.free({"search"}) == ("TODO", False)
