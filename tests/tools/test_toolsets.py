import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.json.jsonc import BadJson
from callgate.core.tool import Tool
from callgate.core.toolset import Toolset
from callgate.tools import toolsets as toolsets_module
from callgate.tools.toolsets import Declared, Toolsets, read_toolsets, resolve

TOOLS = (
    Tool("read_file", "built-in", reference_name="read"),
    Tool("search", "built-in"),
    Tool("git_log", "git"),
    Tool("git_push", "git"),
    Tool("secret", "git", private=True),
)


def declared(**sets: list[str]) -> list[Declared]:
    return [Declared(name, tuple(members)) for name, members in sets.items()]


def test_a_file_with_comments_and_trailing_commas_is_read() -> None:
    text = """// mine
    {
        "reader": { "tools": ["read", "search",], "description": "Reads /* not a comment */", "icon": "book", },
    }"""
    assert read_toolsets(text, "f").sets == (
        Declared("reader", ("read", "search"), "Reads /* not a comment */", "book"),
    )


def test_members_are_names_references_sources_and_other_sets() -> None:
    sets, notes = resolve(
        declared(reader=["read", "search"], git=["git/*"], all=["git", "reader", "git_log"], one=["git/git_push"]),
        TOOLS,
    )
    assert sets == (
        Toolset("reader", ("read_file", "search")),
        Toolset("git", ("git_log", "git_push")),
        Toolset("all", ("git_log", "git_push", "read_file", "search")),
        Toolset("one", ("git_push",)),
    )
    assert notes == ()


def test_unknown_members_are_ignored_with_a_note_and_empty_sets_dropped() -> None:
    sets, notes = resolve(declared(a=["search", "nothing"], b=["nothing"], c=["b"], d=["secret"]), TOOLS)
    assert [one.name for one in sets] == ["a"]
    assert notes[0] == "The toolset 'a' names 'nothing', which is neither a tool nor a toolset"
    assert sum("left out" in note for note in notes) == 3


def test_circles_are_reported_once_and_lose_no_tool() -> None:
    sets, notes = resolve(declared(a=["b", "search"], b=["c"], c=["a", "read"], me=["me", "search"]), TOOLS)
    assert {one.name: set(one.tools) for one in sets} == {
        "a": {"read_file", "search"}, "b": {"read_file", "search"}, "c": {"read_file", "search"}, "me": {"search"},
    }  # fmt: skip
    assert notes == (
        "Toolsets go round in a circle, which is ignored: a → b → c → a",
        "Toolsets go round in a circle, which is ignored: me → me",
    )


def test_a_chain_of_a_thousand_sets_is_followed_and_more_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [Declared(f"s{number}", (f"s{number + 1}",)) for number in range(900)]
    sets, _ = resolve([*chain, Declared("s900", ("search",))], TOOLS)
    assert len(sets) == 901 and sets[0].tools == ("search",)
    monkeypatch.setattr(toolsets_module, "MOST_SETS", 1)
    assert "more than 1 toolsets" in resolve(declared(a=["search"], b=["search"]), TOOLS)[1][0]


def test_a_name_that_is_declared_twice_counts_once() -> None:
    sets, notes = resolve([Declared("a", ("search",)), Declared("a", ("read",))], TOOLS)
    assert sets == (Toolset("a", ("search",)),) and "declared twice" in notes[0]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("[]", "expected an object"),
        ('{"a": []}', "expected {"),
        ('{"a": {}}', "tools must be a list"),
        ('{"a": {"tools": "x"}}', "tools must be a list"),
        ('{"a": {"tools": [1]}}', "tools must be a list"),
        ('{"a": {"tools": []}}', "it is empty"),
        ('{"a": {"tools": ["x"], "icon": 1}}', "icon must be a text"),
        ('{"a b": {"tools": ["x"]}}', "must be a word"),
    ],
)
def test_a_set_of_another_shape_is_left_out_and_harms_no_other(body: str, says: str) -> None:
    reading = read_toolsets(body, "f")
    assert reading.sets == () and says in reading.notes[0]
    if body.startswith("{"):
        both = read_toolsets(body[:-1] + ', "good": {"tools": ["x"], "colour": 1}}', "f")
        assert [one.name for one in both.sets] == ["good"] and "unknown key 'colour'" in both.notes[-1]


def test_a_broken_text_is_refused_with_its_line() -> None:
    with pytest.raises(BadJson, match="line 2"):
        read_toolsets('{\n "a": nonsense }', "f")
    assert read_toolsets("", "f").sets == ()


def test_files_are_read_again_when_they_change_and_a_broken_one_leaves_the_last_good(tmp_path: Path) -> None:
    now = 0.0
    file = tmp_path / "mine.toolsets.jsonc"
    tools = list(TOOLS)
    toolsets = Toolsets([tmp_path, tmp_path / "missing", tmp_path], lambda: tuple(tools), lambda: now)
    assert toolsets.sets() == ()

    def written(data: bytes) -> tuple[Toolset, ...]:
        nonlocal now
        file.write_bytes(data)
        now += 2
        return toolsets.sets()

    assert written(b'{"a": {"tools": ["search", "late"]}}') == (Toolset("a", ("search",)),)
    tools.append(Tool("late", "x"))
    assert toolsets.sets() == (Toolset("a", ("search", "late")),)
    for broken, says in ((b"{ nonsense", "line 1"), (b"\xff\xfe", "cannot be read"), (b" " * 2**21, "larger than")):
        assert written(broken) == (Toolset("a", ("search", "late")),)
        assert says in toolsets.notes()[0]
    file.unlink()
    now += 2
    assert toolsets.sets() == () and toolsets.notes() == ()


NAMES = st.sampled_from(["a", "b", "c", "d", "search", "read", "none"])


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=4), max_size=4))
def test_any_nesting_ends_and_holds_only_tools_that_are_there(sets: dict[str, list[str]]) -> None:
    found, _ = resolve(declared(**sets), TOOLS)
    assert all(one.tools and set(one.tools) <= {"search", "read_file"} for one in found)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_that_is_put_in_place_of_a_file_does_not_hold_up_the_loop(tmp_path: Path) -> None:
    file = tmp_path / "mine.toolsets.jsonc"
    os.mkfifo(file)
    with pytest.raises(OSError, match="not a plain file"):
        toolsets_module._content(file)
