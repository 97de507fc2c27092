"""Items of the wire's own tools become calls that can be judged, and the very same items again."""

from dataclasses import replace
from typing import Any

import pytest
from openai.types.responses import response_input_item_param as shapes
from pydantic import TypeAdapter

from callgate.core.errors import Unspeakable
from callgate.core.messages import Image, Text, ToolResult
from callgate.wire.openai_responses.built_in import (
    built_in_type,
    edit_problem,
    is_built_in_call,
    is_built_in_output,
    is_open_call,
    read_built_in_call,
    read_built_in_output,
    takes_words,
    write_built_in_call,
    write_built_in_output,
)

LOCAL: dict[str, Any] = {
    "id": "lsh_1",
    "type": "local_shell_call",
    "call_id": "call_1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls", "-la"], "env": {"A": "1"}, "working_directory": "/work"},
}
SHELL: dict[str, Any] = {
    "id": "sh_1",
    "type": "shell_call",
    "call_id": "call_2",
    "status": "completed",
    "environment": {"type": "local"},
    "action": {"commands": ["ls", "pwd"], "timeout_ms": 5},
}
PATCH: dict[str, Any] = {
    "id": "apc_1",
    "type": "apply_patch_call",
    "call_id": "call_3",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a.py"},
    "created_by": "x",
}
COMPUTER: dict[str, Any] = {
    "id": "cu_1",
    "type": "computer_call",
    "call_id": "call_4",
    "status": "completed",
    "action": {"type": "wait"},
    "pending_safety_checks": [{"id": "sc_1", "code": "malicious", "message": "careful"}],
}
SEARCH: dict[str, Any] = {
    "id": "ts_1",
    "type": "tool_search_call",
    "call_id": "call_5",
    "status": "completed",
    "execution": "client",
    "arguments": {"query": "mail"},
}
APPROVAL: dict[str, Any] = {
    "id": "mcpr_1",
    "type": "mcp_approval_request",
    "server_label": "bank",
    "name": "pay",
    "arguments": '{"amount": 7}',
}
CALLS = (LOCAL, SHELL, PATCH, COMPUTER, SEARCH)
OUTPUTS: tuple[dict[str, Any], ...] = (
    {"type": "local_shell_call_output", "id": "call_1", "output": "a.py"},
    {"type": "local_shell_call_output", "call_id": "call_1", "output": "a.py"},
    {
        "type": "shell_call_output",
        "id": "sho_1",
        "call_id": "call_2",
        "max_output_length": 9,
        "output": [
            {"stdout": "a.py", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
            {"stdout": "", "stderr": "no", "outcome": {"type": "timeout"}},
        ],
    },
    {"type": "apply_patch_call_output", "call_id": "call_3", "status": "failed", "output": "no such file"},
    {"type": "apply_patch_call_output", "call_id": "call_3", "status": "completed"},
    {
        "type": "computer_call_output",
        "call_id": "call_4",
        "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,AAAA"},
        "acknowledged_safety_checks": [{"id": "sc_1"}],
    },
    {"type": "tool_search_output", "call_id": "call_5", "execution": "client", "status": "completed", "tools": []},
    {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
    {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": False, "reason": "no"},
)


def kind(item: dict[str, Any]) -> str:
    return str(item["type"])


@pytest.mark.parametrize(
    ("item", "name", "arguments"),
    [
        (LOCAL, "local_shell", '{"type":"exec","command":["ls","-la"],"env":{"A":"1"},"working_directory":"/work"}'),
        (SHELL, "shell", '{"commands":["ls","pwd"],"timeout_ms":5}'),
        (PATCH, "apply_patch", '{"type":"delete_file","path":"a.py"}'),
        (
            COMPUTER,
            "computer",
            '{"action":{"type":"wait"},"pending_safety_checks":[{"id":"sc_1","code":"malicious","message":"careful"}]}',
        ),
        (SEARCH, "tool_search", '{"query":"mail"}'),
    ],
    ids=map(kind, CALLS),
)
def test_an_item_that_the_client_runs_is_a_call_with_its_action_as_arguments(
    item: dict[str, Any], name: str, arguments: str
) -> None:
    call = read_built_in_call(item)
    assert (call.id, call.name, call.arguments, call.variant) == (item["call_id"], name, arguments, "built_in")


@pytest.mark.parametrize("item", CALLS, ids=map(kind, CALLS))
def test_a_call_becomes_the_item_that_it_was(item: dict[str, Any]) -> None:
    assert is_built_in_call(item)
    assert write_built_in_call(read_built_in_call(item), item["call_id"]) == item


@pytest.mark.parametrize("item", OUTPUTS, ids=map(kind, OUTPUTS))
def test_an_output_becomes_the_item_that_it_was(item: dict[str, Any]) -> None:
    assert is_built_in_output(item)
    result = read_built_in_output(item)
    assert write_built_in_output(result, result.name, result.call_id) == item


@pytest.mark.parametrize(
    "item",
    [
        {**SHELL, "environment": {"type": "container_reference", "container_id": "c"}},
        {**SEARCH, "execution": "server"},
        {"type": "web_search_call", "id": "ws_1"},
        {"type": "code_interpreter_call", "id": "ci_1"},
        {"type": "mcp_call", "id": "mcp_1"},
        {"type": "function_call", "call_id": "c", "name": "shell_call", "arguments": "{}"},
    ],
    ids=kind,
)
def test_what_the_provider_runs_is_no_call(item: dict[str, Any]) -> None:
    assert not is_built_in_call(item)


@pytest.mark.parametrize("status", ["in_progress", "completed", "failed", ""])
def test_a_call_of_a_kind_that_nobody_knows_yet_is_the_clients_unless_it_tells_what_came_of_it(status: str) -> None:
    robot: dict[str, Any] = {"type": "robot_call", "id": "rb_1", "status": status, "move": [1]}
    assert is_built_in_call(robot) and is_open_call(robot)
    assert is_built_in_call({**robot, "output": "moved"}) == (status != "completed")
    assert is_built_in_call({**robot, "type": "robot_approval_request"})
    assert not is_built_in_call({**robot, "type": "robot"})


def test_a_call_of_an_unknown_kind_asks_for_all_that_it_says() -> None:
    robot = {"type": "robot_call", "id": "rb_1", "call_id": "c", "status": "completed", "move": [1], "speed": 2}
    call = read_built_in_call(robot)
    assert (call.id, call.name, call.arguments) == ("c", "robot", '{"move":[1],"speed":2}')
    assert write_built_in_call(call, "c") == robot
    edited = replace(call, arguments='{"move":[2]}')
    assert write_built_in_call(edited, "c") == {
        **{k: robot[k] for k in ("type", "id", "call_id", "status")},
        "move": [2],
    }
    assert edit_problem("robot", '{"status":"x"}') == "robot has no room for: status"
    assert not takes_words("robot")
    assert built_in_type("robot") == "robot_call"


def test_the_question_of_a_provider_is_asked_with_its_arguments_and_keeps_their_spelling() -> None:
    call = read_built_in_call(APPROVAL)
    assert (call.id, call.name) == ("mcpr_1", "mcp_approval_request")
    assert call.arguments == '{"server_label":"bank","name":"pay","arguments":{"amount":7}}'
    assert write_built_in_call(call, call.id) == APPROVAL
    assert "allowed or not" in edit_problem(call.name, call.arguments)
    refused = ToolResult("mcpr_1", (Text("No"),), True, variant="built_in")
    answer = write_built_in_output(refused, call.name, "mcpr_1")
    TypeAdapter(shapes.McpApprovalResponse).validate_python(answer)
    assert (answer["approve"], answer["reason"]) == (False, "No")
    instead = write_built_in_output(replace(refused, is_error=False), call.name, "mcpr_1")
    assert instead["approve"] is False, "words in place of a yes are no yes"


def test_a_shell_that_does_not_say_where_it_runs_is_taken_for_the_clients() -> None:
    assert is_built_in_call({key: value for key, value in SHELL.items() if key != "environment"})


def test_what_a_client_tells_can_be_read_and_tells_of_failures() -> None:
    local, _, shell, failed, done, picture, *_ = (read_built_in_output(item) for item in OUTPUTS)
    assert (local.call_id, local.text, local.is_error) == ("call_1", "a.py", False)
    assert (shell.text, shell.is_error) == ("a.py\nno", True)
    assert (failed.text, failed.is_error, done.text, done.is_error) == ("no such file", True, "", False)
    assert picture.parts == (Image("image/png", "AAAA"),)


def test_an_edited_action_is_put_into_the_item() -> None:
    edited = replace(read_built_in_call(LOCAL), arguments='{"type": "exec", "command": ["pwd"], "env": {}}')
    assert write_built_in_call(edited, "call_1") == {
        **LOCAL,
        "action": {"type": "exec", "command": ["pwd"], "env": {}},
    }
    clicked = replace(read_built_in_call(COMPUTER), arguments='{"action": {"type": "screenshot"}}')
    assert write_built_in_call(clicked, "call_4") == {
        "id": "cu_1",
        "type": "computer_call",
        "call_id": "call_4",
        "status": "completed",
        "action": {"type": "screenshot"},
    }


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("local_shell", "ls -la", "must stay a JSON object"),
        ("shell", '["ls"]', "must stay a JSON object"),
        ("computer", '{"action": {}, "type": "function_call"}', "no room for: type"),
        ("shell", '{"commands": ["ls"]}', ""),
    ],
)
def test_an_edit_that_is_no_action_is_refused(name: str, arguments: str, complaint: str) -> None:
    assert complaint in edit_problem(name, arguments)
    assert bool(complaint) == bool(edit_problem(name, arguments))


def test_an_edit_that_nobody_refused_is_not_sent_either() -> None:
    with pytest.raises(Unspeakable, match="must stay a JSON object"):
        write_built_in_call(replace(read_built_in_call(LOCAL), arguments="ls"), "call_1")


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("local_shell", shapes.LocalShellCallOutput),
        ("shell", shapes.ShellCallOutput),
        ("apply_patch", shapes.ApplyPatchCallOutput),
    ],
)
@pytest.mark.parametrize("is_error", [True, False])
def test_words_fit_the_output_that_the_official_package_knows(name: str, shape: Any, is_error: bool) -> None:
    said = ToolResult("call_9", (Text("not run"),), is_error, name, "built_in")
    item = write_built_in_output(said, name, "call_9")
    TypeAdapter(shape).validate_python(item)
    told = read_built_in_output(item)
    assert (told.call_id, told.text) == ("call_9", "not run")
    assert told.is_error == (is_error and name != "local_shell")  # it has no field for that; its words say so


def test_an_edited_output_keeps_what_else_it_said() -> None:
    result = replace(read_built_in_output(OUTPUTS[2]), parts=(Text("withheld"),), is_error=True)
    item = write_built_in_output(result, "shell", "call_2")
    assert (item["id"], item["max_output_length"]) == ("sho_1", 9)
    assert item["output"] == [{"stdout": "", "stderr": "withheld", "outcome": {"type": "exit", "exit_code": 1}}]


@pytest.mark.parametrize("name", ["computer", "tool_search"])
def test_words_for_what_only_a_picture_or_a_list_can_answer_are_refused(name: str) -> None:
    assert not takes_words(name)
    with pytest.raises(Unspeakable, match=name):
        write_built_in_output(ToolResult("call_9", (Text("no"),), True, name, "built_in"), name, "call_9")


def test_a_changed_id_is_the_calls_own() -> None:
    assert write_built_in_call(read_built_in_call(PATCH), "call_3_d2") == {**PATCH, "call_id": "call_3_d2"}
    result = read_built_in_output(OUTPUTS[3])
    assert write_built_in_output(result, "apply_patch", "call_3_d2") == {**OUTPUTS[3], "call_id": "call_3_d2"}
