import orjson
import pytest

from callgate.core.calls.targets import Targets, targets_of


def of(tool: str, tags: tuple[str, ...] = (), root: str = "", **arguments: object) -> Targets:
    return targets_of(tool, orjson.dumps(arguments).decode(), tags, root)


@pytest.mark.parametrize(
    "arguments", [{"command": "ls; rm x"}, {"cmd": "ls; rm x"}, {"command": ["bash", "-lc", "ls; rm x"]}]
)
def test_a_shell_line_is_taken_apart_wherever_it_stands(arguments: dict[str, object]) -> None:
    found = of("shell", **arguments)
    assert (found.commands, found.line) == (("ls", "rm x"), "ls; rm x")
    assert found.argument == next(iter(arguments))


def test_a_list_of_words_is_one_command() -> None:
    assert of("shell", command=["rm", "a; b", "c"]).commands == ("rm 'a; b' c",)


def test_the_input_of_a_free_form_shell_is_its_line() -> None:
    assert targets_of("bash", "ls; rm x").commands == ("ls", "rm x")
    assert targets_of("bash", '"ls; rm x"').commands == ("ls", "rm x")


def test_tags_make_any_tool_with_a_command_a_shell() -> None:
    assert of("x", ("terminal",), command="ls").commands == ("ls",)
    assert of("list_jobs", ("terminal",)) == Targets()
    assert of("x", command="ls") == Targets()


@pytest.mark.parametrize(
    ("tool", "arguments", "concern"),
    [
        ("bash", {"command": "ls", "cmd": "rm"}, "several commands"),
        ("bash", {"command": {"a": 1}}, "neither text nor"),
        ("powershell", {"command": "ls"}, "no shell whose lines"),
        ("bash", {"command": "ls > x", "cwd": "/etc"}, "change of folder"),
        ("bash", {"command": "ls &"}, "background"),
    ],
)
def test_what_is_doubtful_about_a_shell_is_a_concern(tool: str, arguments: dict[str, object], concern: str) -> None:
    (said,) = of(tool, **arguments).concerns
    assert concern in said


def test_a_folder_within_the_workspace_is_no_concern() -> None:
    assert not of("bash", (), "/w", command="ls > x", cwd="/w/sub").concerns
    assert not of("bash", (), "/w", command="ls > x", directory=".").concerns


def test_each_command_keeps_the_other_ways_to_see_it() -> None:
    found = of("bash", command="ls; sudo rm x; ls")
    assert found.commands == ("ls", "sudo rm x")
    assert found.readings == ((), ("rm x",))


@pytest.mark.parametrize(
    ("tool", "arguments", "edits"),
    [
        ("write_file", {"path": "a/../b.txt"}, ("b.txt",)),
        ("Edit", {"file_path": "/w/src/a.py"}, ("src/a.py",)),
        ("Edit", {"file_path": "/etc/passwd"}, ("/etc/passwd",)),
        ("move_file", {"path": "a", "new_path": "../b"}, ("a", "../b")),
        ("multi_edit", {"edits": [{"filePath": "a"}, {"filePath": "b"}]}, ("a", "b")),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n"}, ("a.py", "b.py")),
        ("read_file", {"path": "a"}, ()),
    ],
)
def test_files_that_a_call_changes_are_found(tool: str, arguments: dict[str, object], edits: tuple[str, ...]) -> None:
    assert of(tool, (), "/w", **arguments).edits == edits


def test_a_patch_without_json_names_its_files() -> None:
    assert targets_of("apply_patch", "*** Add File: x.py\n+1").edits == ("x.py",)


def test_addresses_that_a_call_fetches_are_found_in_one_spelling() -> None:
    assert of("WebFetch", url="HTTPS://A.com").urls == ("https://a.com/",)
    assert of("fetch", urls=["https://a.com", "https://b.com"]).urls == ("https://a.com/", "https://b.com/")
    assert of("post", url="https://a.com").urls == ()


def test_several_lines_are_taken_apart_each_by_itself() -> None:
    found = of("shell", commands=["ls | wc", "rm x"])
    assert (found.commands, found.line, found.argument) == (("ls", "wc", "rm x"), "ls | wc\nrm x", "commands")
    hidden = of("shell", commands=["cat <<EOF", "rm -rf /", "EOF"])
    assert "rm -rf /" in hidden.commands, "an open quote of one line does not hide the next"


@pytest.mark.parametrize("surrounding", [{"env": {"LD_PRELOAD": "x.so"}}, {"user": "root"}])
def test_variables_and_another_user_make_another_command(surrounding: dict[str, object]) -> None:
    (concern,) = of("local_shell", command=["ls"], **surrounding).concerns
    assert f"'{next(iter(surrounding))}'" in concern
    assert of("local_shell", command=["ls"], env={}, user=None).concerns == ()
