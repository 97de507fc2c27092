"""The tools of OpenAI Responses that the wire itself defines and the application runs: their items and checks.

What is sent back is held against the shapes of the official package, so that a misspelt answer is refused.
"""

from typing import Any

from openai.types.responses import response_input_item_param as shapes
from openai.types.responses.response_computer_tool_call_param import ResponseComputerToolCallParam
from pydantic import TypeAdapter, ValidationError
from tests.fakes.providers.shape import insist

TOOLS = ("local_shell", "shell", "apply_patch", "computer")
_CALLS: dict[str, Any] = {
    "local_shell_call": shapes.LocalShellCall,
    "shell_call": shapes.ShellCall,
    "apply_patch_call": shapes.ApplyPatchCall,
    "computer_call": ResponseComputerToolCallParam,
}
_OUTPUTS: dict[str, Any] = {
    "local_shell_call_output": shapes.LocalShellCallOutput,
    "shell_call_output": shapes.ShellCallOutput,
    "apply_patch_call_output": shapes.ApplyPatchCallOutput,
    "computer_call_output": shapes.ComputerCallOutput,
}
KINDS = (*_CALLS, *_OUTPUTS)


def local_shell(number: int, *words: str) -> dict[str, Any]:
    action = {"type": "exec", "command": list(words), "env": {}, "working_directory": "/work"}
    return _call(f"lsh_{number:048}", "local_shell_call", number, action=action)


def shell(number: int, *lines: str) -> dict[str, Any]:
    action = {"commands": list(lines), "timeout_ms": 1000, "max_output_length": 4096}
    return _call(f"sh_{number:048}", "shell_call", number, action=action, environment={"type": "local"})


def patch(number: int, path: str, diff: str) -> dict[str, Any]:
    return _call(
        f"apc_{number:048}",
        "apply_patch_call",
        number,
        operation={"type": "update_file", "path": path, "diff": diff},
    )


def computer(number: int) -> dict[str, Any]:
    action = {"type": "click", "button": "left", "x": 3, "y": 4}
    return _call(f"cu_{number:048}", "computer_call", number, action=action, pending_safety_checks=[])


def begun(item: dict[str, Any]) -> dict[str, Any]:
    """As the stream announces it."""
    match item["type"]:
        case "local_shell_call":
            return item | {"status": "in_progress", "action": item["action"] | {"command": []}}
        case "shell_call":
            return item | {"status": "in_progress", "action": item["action"] | {"commands": []}}
        case "apply_patch_call":
            return item | {"status": "in_progress", "operation": item["operation"] | {"diff": ""}}
        case _:
            return item | {"status": "in_progress"}


def growth(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    """The events between the announcement and the finished item."""
    events: list[dict[str, Any]] = []
    place = {"output_index": at["output_index"]}
    if item["type"] == "shell_call":
        for index, line in enumerate(item["action"]["commands"]):
            spot = {**place, "command_index": index}
            events += [
                {"type": "response.shell_call_command.added", **spot, "command": ""},
                {"type": "response.shell_call_command.delta", **spot, "delta": line},
                {"type": "response.shell_call_command.done", **spot, "command": line},
            ]
    elif item["type"] == "apply_patch_call":
        diff = item["operation"]["diff"]
        events += [
            {"type": "response.apply_patch_call_operation_diff.delta", **at, "delta": diff},
            {"type": "response.apply_patch_call_operation_diff.done", **at, "diff": diff},
        ]
    return events


def check_built_in(item: dict[str, Any], where: str, waiting: dict[str, str], answered: set[str]) -> None:
    kind = item["type"]
    try:
        TypeAdapter(_CALLS.get(kind) or _OUTPUTS[kind]).validate_python(item)
    except ValidationError as error:
        insist(False, f"{where}: {error}")
    if kind in _CALLS:
        waiting[item["call_id"]] = kind
        return
    call_id = item.get("call_id") or item["id"]
    insist(waiting.get(call_id) == kind.removesuffix("_output"), f"No tool call found for {kind} {call_id}.")
    insist(call_id not in answered, f"Duplicate {kind} for call_id {call_id}")
    answered.add(call_id)


def _call(identifier: str, kind: str, number: int, **rest: Any) -> dict[str, Any]:
    return {"id": identifier, "type": kind, "status": "completed", "call_id": f"call_b{number:022}", **rest}
