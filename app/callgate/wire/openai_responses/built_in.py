"""Calls of tools that the wire itself defines and the client runs: shell, patch, screen, search for tools; and the
question whether the provider may run one of its own.

Each has an item type of its own instead of a name and arguments. Here such an item becomes a call like any other, so
that it can be judged, and becomes the very same item again. Items of tools that the provider runs are no calls: nobody
could hold them back. What a later version of the wire may bring is taken for a call of the client's, unless it says
what came of it: no client gets something to run that nobody has seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from callgate.core.errors import Unspeakable
from callgate.core.json.fields import Fields
from callgate.core.json.text import dump_text, parse_object
from callgate.core.messages import Json, ResultPart, Text, ToolCall, ToolResult
from callgate.wire.openai_responses.content import read_part
from callgate.wire.openai_responses.lenient import integer_at, object_at, objects_at, text_at
from callgate.wire.openai_responses.marks import ITEM, mapping


@dataclass(frozen=True, slots=True)
class _Kind:
    output: str
    """The type of the item that answers it."""
    field: str = ""
    """The field whose object is the arguments; empty: the arguments name several fields."""
    fields: tuple[str, ...] = ()
    takes_words: bool = True
    """False: its answer is a picture or a list, and cannot say why there is none."""
    editable: bool = True
    """False: the provider runs what it has asked for, whatever becomes of the question."""


_KINDS: dict[str, _Kind] = {
    "local_shell_call": _Kind("local_shell_call_output", "action"),
    "shell_call": _Kind("shell_call_output", "action"),
    "apply_patch_call": _Kind("apply_patch_call_output", "operation"),
    "computer_call": _Kind(
        "computer_call_output", fields=("action", "actions", "pending_safety_checks"), takes_words=False
    ),
    "tool_search_call": _Kind("tool_search_output", "arguments", takes_words=False),
    "mcp_approval_request": _Kind(
        "mcp_approval_response", fields=("server_label", "name", "arguments"), editable=False
    ),
}
_ANSWERED = {kind.output: name for name, kind in _KINDS.items()}
_SUFFIX = "_call"
_EXIT_REFUSED = 1
_LATER = (_SUFFIX, "_request")
"""How the types of items end that ask for something to be done."""
_NO_SUCH_CALL = (
    "function_call",
    "custom_tool_call",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
)
"""Calls that have a name, and those that the provider itself runs."""
_CAME_OF_IT = ("output", "outputs", "result", "results", "error")
_BESIDE = ("type", "id", "call_id", "status")
"""What is not asked for in a call of an unknown kind."""


def is_built_in_call(item: Mapping[str, Json]) -> bool:
    """True for an item that asks the client to do something."""
    match text_at(item, "type"):
        case "shell_call":
            return text_at(object_at(item, "environment"), "type") != "container_reference"
        case "tool_search_call":
            return text_at(item, "execution") != "server"
        case kind:
            return kind in _KINDS or _is_later_call(kind, item)


def is_open_call(item: Mapping[str, Json]) -> bool:
    """True: only the finished item will tell whether it was for the client to do."""
    return text_at(item, "type") not in _KINDS and is_built_in_call(item)


def _is_later_call(kind: str, item: Mapping[str, Json]) -> bool:
    if not kind.endswith(_LATER) or kind in _NO_SUCH_CALL:
        return False
    return text_at(item, "status") != "completed" or all(item.get(name) is None for name in _CAME_OF_IT)


def is_built_in_output(item: Mapping[str, Json]) -> bool:
    """True for an item with which a client tells what became of such a call."""
    if text_at(item, "type") == "tool_search_output" and text_at(item, "execution") == "server":
        return False
    return text_at(item, "type") in _ANSWERED and bool(_answered_id(item))


def built_in_name(item: Mapping[str, Json]) -> str:
    return text_at(item, "type").removesuffix(_SUFFIX)


def built_in_id(item: Mapping[str, Json]) -> str:
    return text_at(item, "call_id") or text_at(item, "id")


def built_in_arguments(item: Mapping[str, Json]) -> str:
    """What the client is asked to do, as JSON."""
    kind = _KINDS.get(text_at(item, "type"))
    if kind is None:
        return dump_text({name: value for name, value in item.items() if name not in _BESIDE})
    if kind.field:
        given = item.get(kind.field)
        return dump_text({} if given is None else given)
    asked = {name: item[name] for name in kind.fields if item.get(name)}
    if not kind.editable and (within := parse_object(text_at(item, "arguments"))) is not None:
        asked["arguments"] = within  # for the eye; the item keeps its own spelling
    return dump_text(asked)


def takes_words(name: str) -> bool:
    """Whether the model can be told in words what became of a built-in call."""
    kind = _kind_of(name)
    return kind is not None and kind.takes_words


def edit_problem(name: str, arguments: str) -> str:
    """Why edited arguments cannot be spelled as an item again; empty = they can."""
    kind = _kind_of(name)
    given = parse_object(arguments)
    if given is None:
        return f"the arguments of {name} must stay a JSON object"
    if kind is None:
        unknown = [key for key in given if key in _BESIDE]
    elif not kind.editable:
        return f"{name} can only be allowed or not: the provider runs what it has asked for"
    else:
        unknown = [] if kind.field else [key for key in given if key not in kind.fields]
    return f"{name} has no room for: {', '.join(unknown)}" if unknown else ""


def built_in_type(name: str) -> str:
    """The type of the items of such calls."""
    return name if name in _KINDS or name.endswith(_LATER) else name + _SUFFIX


def _kind_of(name: str) -> _Kind | None:
    return _KINDS.get(built_in_type(name))


def read_built_in_call(item: Mapping[str, Json]) -> ToolCall:
    return ToolCall(
        built_in_id(item),
        built_in_name(item),
        built_in_arguments(item),
        "built_in",
        item_id=text_at(item, "id"),
        extras={ITEM: dict(item)},
    )


def write_built_in_call(call: ToolCall, call_id: str) -> dict[str, Json]:
    """The item that was read, word for word, but for an edited action or another id."""
    kind = _kind_of(call.name)
    item = dict(mapping(call.extras.get(ITEM))) or _fresh_item(call)
    if built_in_id(item) != call_id and (kind is None or kind.editable):
        item["call_id"] = call_id
    if call.arguments == built_in_arguments(item):
        return item
    if problem := edit_problem(call.name, call.arguments):
        raise Unspeakable(f"An edited call cannot be said: {problem}.", "input")
    edited = parse_object(call.arguments) or {}
    if kind is None:
        return {**{key: value for key, value in item.items() if key in _BESIDE}, **edited}
    if kind.field:
        return {**item, kind.field: edited}
    return {**{key: value for key, value in item.items() if key not in kind.fields}, **edited}


def read_built_in_output(item: Mapping[str, Json]) -> ToolResult:
    parts, is_error = _read_parts(item)
    name = _ANSWERED[text_at(item, "type")].removesuffix(_SUFFIX)
    return ToolResult(_answered_id(item), parts, is_error, name, "built_in", extras={ITEM: dict(item)})


def write_built_in_output(result: ToolResult, name: str, call_id: str) -> dict[str, Json]:
    """The item that was read, or one that says the result in words. Raises `Unspeakable` where none can."""
    item = dict(mapping(result.extras.get(ITEM)))
    if item and _read_parts(item) == (result.parts, result.is_error):
        known = _answered_id(item) == call_id or text_at(item, "type") == "mcp_approval_response"
        return item if known else {**item, "call_id": call_id}
    kind = _kind_of(name)
    if kind is None or not kind.takes_words:
        raise Unspeakable(f"The result of {name} cannot be replaced by words on this wire.", "input")
    kept: dict[str, Json] = {key: value for key, value in item.items() if key in ("id", "caller", "max_output_length")}
    said: dict[str, Json] = {**kept, "type": kind.output, "call_id": call_id}
    match name:
        case "shell":
            stdout, stderr = ("", result.text) if result.is_error else (result.text, "")
            outcome: dict[str, Json] = {"type": "exit", "exit_code": _EXIT_REFUSED if result.is_error else 0}
            return {**said, "output": [{"stdout": stdout, "stderr": stderr, "outcome": outcome}]}
        case "apply_patch":
            return {**said, "status": "failed" if result.is_error else "completed", "output": result.text}
        case "mcp_approval_request":
            # whatever was said instead of a yes is a no
            return {"type": kind.output, "approval_request_id": call_id, "approve": False, "reason": result.text}
        case _:
            # the specification names the call by `id`, the provider's guide by `call_id`: servers exist for each
            return {**said, "id": call_id, "output": result.text}


def _fresh_item(call: ToolCall) -> dict[str, Json]:
    kind = _kind_of(call.name)
    given = parse_object(call.arguments) or {}
    fields: dict[str, Json] = {kind.field: given} if kind is not None and kind.field else given
    return {"type": built_in_type(call.name), "call_id": call.id, "status": "completed", **fields}


def _answered_id(item: Mapping[str, Json]) -> str:
    """A local shell's output may name its call by `id`; that of the others is the output's own."""
    match text_at(item, "type"):
        case "mcp_approval_response":
            return text_at(item, "approval_request_id")
        case "local_shell_call_output":
            return text_at(item, "call_id") or text_at(item, "id")
        case _:
            return text_at(item, "call_id")


def _read_parts(item: Mapping[str, Json]) -> tuple[tuple[ResultPart, ...], bool]:
    """What was told, and whether it was told as a failure."""
    match text_at(item, "type"):
        case "shell_call_output":
            chunks = objects_at(item, "output")
            text = "\n".join(
                said for chunk in chunks for name in ("stdout", "stderr") if (said := text_at(chunk, name))
            )
            return _words(text), any(_failed(object_at(chunk, "outcome")) for chunk in chunks)
        case "computer_call_output":
            shot: dict[str, Json] = {**object_at(item, "output"), "type": "input_image"}
            part = read_part(Fields(shot, "output"), "user") if len(shot) > 1 else None
            return (part,) if part is not None and part.kind == "image" else (), False
        case "mcp_approval_response":
            return _words(text_at(item, "reason")), item.get("approve") is not True
        case "tool_search_output":
            return _words(dump_text(item.get("tools"))), False
        case _:
            given = item.get("output")
            text = given if isinstance(given, str) else "" if given is None else dump_text(given)
            return _words(text), text_at(item, "status") == "failed"


def _words(text: str) -> tuple[ResultPart, ...]:
    return (Text(text),) if text else ()


def _failed(outcome: Mapping[str, Json]) -> bool:
    return text_at(outcome, "type") == "timeout" or integer_at(outcome, "exit_code") != 0


class BuiltInItems:
    """What the gate has to know of such calls."""

    def takes_words(self, name: str) -> bool:
        return takes_words(name)

    def edit_problem(self, name: str, arguments: str) -> str:
        return edit_problem(name, arguments)
