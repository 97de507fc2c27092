"""Previews of calls: prepared by the tool, else told from the arguments."""

import json

import pytest

from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.core.calls.previews import previews_of


def call(tool: str, arguments: object, preview: Preview | None = None) -> Invocation:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Invocation(
        "i", "e", "c", 1, 0, "k", tool, "client", "client", "agent", "model", arguments=text, preview=preview
    )


def test_what_the_tool_prepared_is_taken_as_it_is() -> None:
    prepared = DiffPreview("a.py", "old", "new")
    assert previews_of(call("Bash", {"command": "ls"}, prepared)) == (prepared,)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Bash", {"command": "ls | wc"}, (CommandPreview("ls | wc"),)),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, (CommandPreview("ls | wc"),)),
        ("powershell", {"command": "ls"}, ()),
        ("shell", {"commands": ["ls", "pwd"]}, (CommandPreview("ls"), CommandPreview("pwd"))),
        (
            "apply_patch",
            {"type": "update_file", "path": "a.py", "diff": "@@ def f\n same\n-old\n+new\n"},
            (DiffPreview("a.py", "same\nold", "same\nnew", fragment=True),),
        ),
        (
            "apply_patch",
            {"type": "create_file", "path": "a.py", "diff": "+one\n+two\n"},
            (DiffPreview("a.py", "", "one\ntwo", fragment=True),),
        ),
        ("apply_patch", {"type": "delete_file", "path": "a.py"}, ()),
        (
            "Edit",
            {"file_path": "/w/a.py", "old_string": "1", "new_string": "2"},
            (DiffPreview("/w/a.py", "1", "2", fragment=True),),
        ),
        (
            "MultiEdit",
            {"file_path": "a", "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3"}]},
            (DiffPreview("a", "1", "2", fragment=True), DiffPreview("a", "3", "", fragment=True)),
        ),
        ("Write", {"file_path": "a", "content": "x\n"}, (DiffPreview("a", "", "x\n", fragment=True),)),
        (
            "WebFetch",
            {"url": "https://bücher.example/x"},
            (UrlPreview("GET", "https://bücher.example/x", "xn--bcher-kva.example"),),
        ),
        ("get_weather", {"url": "https://x", "command": "ls"}, ()),
        ("Edit", "no json", ()),
        ("Edit", [1, 2], ()),
        ("WebFetch", {"url": "http://["}, (UrlPreview("GET", "http://[", "http://["),)),
    ],
)
def test_agents_own_tools_are_previewed_by_their_arguments(
    tool: str, arguments: object, expected: tuple[Preview, ...]
) -> None:
    assert previews_of(call(tool, arguments)) == expected
