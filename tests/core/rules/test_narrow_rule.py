"""The narrowest useful rule: it holds for the call it was built from, and for little else."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.rules.match import parse
from callgate.core.rules.narrow_rule import joined, narrow, narrow_for
from callgate.core.rules.policy import Call, Policy, Rule
from callgate.core.tool import Tool


def holds(when: str, arguments: object) -> bool:
    return parse(when).holds(Call("t", "s", "a", arguments=orjson.dumps(arguments).decode()))


def when_of(arguments: object, schema: dict | None = None) -> str:
    return narrow(orjson.dumps(arguments).decode(), schema).when


# ---- kinds of arguments --------------------------------------------------------------------------------------------


def test_a_path_becomes_its_folder_and_dots_do_not_lead_out_of_it() -> None:
    when = when_of({"path": "src/app/main.py"})
    assert when == "args.path:src/app/**"
    assert holds(when, {"path": "src/app/deep/other.py"})
    assert not holds(when, {"path": "src/app/../../etc/passwd"})
    assert not holds(when, {"path": "src/other.py"})


@pytest.mark.parametrize("path", ["notes.txt", "/passwd", "~/x", "./x", "../x", "a/../b/c", "a/*/c", "C:\\x\\y"])
def test_a_path_without_a_folder_that_may_be_granted_is_taken_exactly(path: str) -> None:
    when = when_of({"path": path})
    assert holds(when, {"path": path})
    assert not holds(when, {"path": path + "x"})
    assert "**" not in when


def test_an_address_becomes_its_host() -> None:
    when = when_of({"url": "https://docs.example.org/a/b?c=1"})
    assert when == "args.url:https://docs.example.org/**"
    assert not holds(when, {"url": "https://docs.example.org.evil.net/a"})
    assert not holds(when, {"url": "http://docs.example.org/a"})


def shell_verdict(granted: str, asked: str) -> str:
    """What a rule built from one line says of another."""
    when = narrow(orjson.dumps({"command": granted}).decode(), tool="run_command").when
    call = Call("run_command", "built-in", "a", arguments=orjson.dumps({"command": asked}).decode())
    return Policy([Rule("allow", "run_command", when=when)]).judge(call, 0).kind


def test_the_commands_of_a_shell_line_are_granted_one_by_one() -> None:
    line = "git log --oneline | head -5"
    assert narrow(orjson.dumps({"command": line}).decode(), tool="run_command").when == (
        "(command='git log' or command:'git log *' or command='head -5')"
    )
    assert shell_verdict(line, line) == "allow"
    assert shell_verdict(line, "git log -3") == "allow"
    assert shell_verdict(line, "head -5 && git log") == "allow"
    for other in ("git push", "git log; rm -rf /", "head -6", "git log $(rm x)", "git log | sh"):
        assert shell_verdict(line, other) == "ask", other


@pytest.mark.parametrize(
    "line",
    [
        "pytest -x tests/a.py | tail -50",
        "python3 -c 'print(\"x\")'",
        "ls 'a b\\'",
        "make x",
        "cd src && ls",
        "git status",
    ],
)
def test_what_was_granted_for_a_shell_line_covers_that_line(line: str) -> None:
    assert shell_verdict(line, line) == "allow"


def test_a_free_form_shell_call_can_be_granted_too() -> None:
    assert narrow("git status -s", tool="bash").when == "(command='git status' or command:'git status *')"


def test_files_named_deep_inside_are_reached_through_what_the_call_edits() -> None:
    arguments = orjson.dumps({"edits": [{"path": "src/a.py", "text": "x"}, {"path": "src/b.py", "text": "y"}]}).decode()
    found = narrow(arguments, tool="multi_edit")
    assert found.when == "edits:src/**"
    policy = Policy([Rule("allow", "multi_edit", when=found.when)])
    assert policy.judge(Call("multi_edit", "s", "a", arguments=arguments), 0).kind == "allow"
    outside = arguments.replace("src/b.py", "/etc/b")
    assert policy.judge(Call("multi_edit", "s", "a", arguments=outside), 0).kind == "ask"


def test_a_tool_of_the_catalog_brings_its_schema_and_tags() -> None:
    tool = Tool("t", "s", schema={"properties": {"title": {"enum": ["x", "y"]}}}, tags=("terminal",))
    assert narrow_for('{"title": "x"}', tool, "t").when == "args.title=x"
    assert narrow_for('{"command": "git log"}', tool, "t").when.startswith("(command='git log'")
    assert narrow_for('{"title": "x"}', None, "t").when == ""


def test_a_command_becomes_program_and_subcommand_with_nothing_chained_to_it() -> None:
    when = when_of({"command": "git status -s"})
    assert holds(when, {"command": "git status"}) and holds(when, {"command": "git status --short src/a.py"})
    for evil in (
        "git statusx",
        "git status; rm -rf /",
        "git status && x",
        "git status $(x)",
        "git status\nrm x",
        "git push",
    ):
        assert not holds(when, {"command": evil}), evil


@pytest.mark.parametrize(
    "command",
    ["git push origin main", "npm install x", "python run.py", "bash -c x", "sudo git log", "ls", "A=1 git x"],
)
def test_a_command_whose_name_says_too_little_is_taken_exactly(command: str) -> None:
    when = when_of({"command": command})
    assert holds(when, {"command": command})
    assert not holds(when, {"command": command + " x"})


def test_switches_choices_and_identifiers_are_asked_for_but_free_text_and_paging_are_not() -> None:
    schema = {"properties": {"text": {"enum": ["plain", "rich"]}}}
    arguments = {
        "force": False,
        "text": "plain",
        "city": "Paris",
        "issue": 7,
        "content": "x\ny",
        "limit": 80,
        "to": None,
    }
    conditions = narrow(orjson.dumps(arguments).decode(), schema).conditions
    found = {condition.name: condition for condition in conditions}
    assert [name for name, condition in found.items() if not condition.chosen] == ["content", "limit"]
    assert found["force"].when == "args.force=false"
    assert found["text"].when == "args.text=plain"
    assert found["to"].when == "args.to=null"
    assert found["issue"].words == "= 7"


def test_code_is_never_left_out_by_itself() -> None:
    assert not holds(when_of({"code": "print(1)"}), {"code": "print(2)"})


def test_a_list_holds_only_for_lists_of_the_same_items() -> None:
    when = when_of({"files": ["a.txt", "b c.txt"]})
    assert holds(when, {"files": ["b c.txt"]})
    assert not holds(when, {"files": ["a.txt", "/etc/passwd"]})
    empty = when_of({"files": []})
    assert holds(empty, {"files": []}) and not holds(empty, {"files": ["a.txt"]})


def test_nested_objects_are_walked_into_and_deeper_ones_compared_as_a_whole() -> None:
    found = narrow('{"a": {"b": true, "c": {"d": 1}}}').conditions
    assert [condition.name for condition in found] == ["a.b", "a.c"]
    assert holds(joined(found), {"a": {"b": True, "c": {"d": 1}}})
    assert not holds(joined(found), {"a": {"b": True, "c": {"d": 2}}})


def test_what_no_rule_can_name_is_said() -> None:
    found = narrow('{"a b": 1, "x.y": 2, "list": [{"p": 1}], "ok": true}')
    assert found.unspeakable == ("a b", "x.y", "list")
    assert found.when == "args.ok=true"


@pytest.mark.parametrize("arguments", ["free text", "[1]", '"x"', "{"])
def test_arguments_that_are_no_object_have_no_conditions(arguments: str) -> None:
    found = narrow(arguments)
    assert found.conditions == () and found.unspeakable == ("the arguments",) and found.when == ""


def test_no_arguments_need_no_conditions() -> None:
    assert narrow("{}") == narrow("") and narrow("{}").when == ""


def test_what_nobody_could_read_in_a_rule_is_told_as_unspeakable_and_costs_nothing() -> None:
    huge = {"code": "x" * 1_000_000, "content": "y" * 1_000_000, "names": ["z" * 3000], "mode": "fast"}
    found = narrow(orjson.dumps(huge).decode())
    assert found.when == "args.mode=fast" and found.unspeakable == ("code", "names")
    many = narrow(orjson.dumps({f"k{n}": n for n in range(500)}).decode())
    assert len(many.conditions) == 40 and len(many.unspeakable) == 460


# ---- whatever the call ---------------------------------------------------------------------------------------------

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
    st.sampled_from(
        ["a\\", "a b\\", "'", '"', "'\"", "\\'", '\\"\\', "a/b/c", "https://h/x", "git log", "x y", "and", "("]
    ),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
_NAMES = st.one_of(st.text(max_size=8), st.sampled_from(["path", "command", "content", "limit", "mode", "url"]))


@given(st.dictionaries(_NAMES, _VALUES, max_size=5))
def test_every_condition_holds_for_the_call_it_was_built_from(arguments: dict) -> None:
    text = orjson.dumps(arguments).decode()
    call = Call("t", "s", "a", arguments=text)
    for condition in narrow(text).conditions:
        assert parse(condition.when).holds(call), condition
    assert parse(joined(narrow(text).conditions)).holds(call)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=30), st.text(max_size=30))
def test_a_text_taken_exactly_holds_for_no_other(one: str, other: str) -> None:
    when = joined(narrow(orjson.dumps({"name": one}).decode()).conditions)
    assert holds(when, {"name": other}) == (one == other) or "**" in when


@pytest.mark.parametrize("line", ["timeout 5 make test", "command ls x", "nice make test", "flock f make x"])
def test_a_command_that_runs_another_is_granted_only_as_a_whole(line: str) -> None:
    arguments = orjson.dumps({"command": line}).decode()
    when = narrow(arguments, tool="run_command").when
    granted = Policy([Rule("allow", "run_command", when=when)])
    assert granted.judge(Call("run_command", "", "", arguments=arguments), 0).kind == "allow"
    other = orjson.dumps({"command": line.replace("make", "rm").replace("ls", "rm")}).decode()
    assert granted.judge(Call("run_command", "", "", arguments=other), 0).kind == "ask"
