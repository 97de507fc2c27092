"""What the demo model is asked: a Chat Completions body, checked as strictly as the real service does.

Reads the wire on its own instead of with Callgate's codec, so that the demo is a true peer: what it refuses, a real
provider would refuse too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from callgate.core.errors import BadRequest
from callgate.core.messages import Json
from callgate.core.request import ReplyFormat, ToolChoice
from callgate.core.tool import ToolSpec
from callgate.wire.fields import Fields
from callgate.wire.json_text import dump_text

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]")
_TOKENS_PER_MESSAGE = 4
MOST_CHARACTERS = 2000
"""A request stands at the head of a text; a pasted book below it must not hold up the loop."""
_COUNTED_CHARACTERS = 20_000
_CHARACTERS_PER_TOKEN = 4
_OPENING_TAG = re.compile(r"^[ \t]*<([A-Za-z][\w-]*)(?:\s[^<>\n]*)?>", re.MULTILINE)
_REQUEST_TAGS = frozenset({"userrequest", "user_query", "task", "prompt", "request", "user_request"})
"""Agents wrap what the person said in tags, beside blocks of context of their own."""


@dataclass(frozen=True, slots=True)
class Made:
    """A call of this turn and what came of it; `result` None = none yet."""

    id: str
    name: str
    arguments: str
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    model: str
    words: str
    """What the person said last."""
    first: bool
    """The model has not spoken yet."""
    tools: tuple[ToolSpec, ...]
    choice: ToolChoice
    parallel: bool
    made: tuple[Made, ...]
    """Calls since the person spoke."""
    stream: bool
    include_usage: bool
    max_tokens: int | None
    stop: tuple[str, ...]
    format: ReplyFormat
    legacy: bool
    """The old `functions` were used: one call, spelled `function_call`."""
    prompt_tokens: int


def count_tokens(text: str) -> int:
    """About what a real tokenizer counts: short words and punctuation one each, long words several."""
    if len(text) > _COUNTED_CHARACTERS:
        return len(text) // _CHARACTERS_PER_TOKEN  # a rule of thumb will do, and does not hold up the loop
    return len(_TOKEN.findall(text))


def read_task(body: Mapping[str, Json]) -> Task:
    """Raises `BadRequest` naming the field."""
    fields = Fields(body)
    messages = fields.objects("messages", required=True)
    if not messages:
        raise BadRequest(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "messages",
            code="empty_array",
        )
    for message in messages:
        message.one_of("role", _ROLES)
    if fields.integer("n", 1, minimum=1) != 1:
        raise BadRequest("Invalid 'n': this model answers once; only 1 is supported.", "n", code="invalid_value")
    legacy = bool(fields.items("functions"))
    tools = _tools(fields)
    options = fields.child("stream_options")
    turn = _turn_start(messages)
    limit = fields.integer("max_completion_tokens", None, minimum=1) or fields.integer("max_tokens", None, minimum=1)
    made = _made(messages)
    return Task(
        model=fields.text("model"),
        words=persons_words(_content(messages[turn]))[:MOST_CHARACTERS] if turn >= 0 else "",
        first=not any(message.text("role") == "assistant" for message in messages),
        tools=tools,
        choice=_choice(fields, tools),
        parallel=bool(fields.boolean("parallel_tool_calls", True)) and not legacy,
        made=tuple(call for index, call in made if index > turn),
        stream=bool(fields.boolean("stream", False)),
        include_usage=bool(options and options.boolean("include_usage", False)),
        max_tokens=limit,
        stop=_stop(fields),
        format=_format(fields),
        legacy=legacy,
        prompt_tokens=_prompt_tokens(messages, fields),
    )


def persons_words(text: str) -> str:
    """What the person said, without the blocks of context that agents put around it."""
    said: list[str] = []
    wanted: list[str] = []
    position = 0
    unclosed: set[str] = set()
    for opening in _OPENING_TAG.finditer(text):
        tag = opening[1]
        if opening.start() < position or tag in unclosed:
            continue
        close = text.find(f"</{tag}>", opening.end())
        if close < 0:
            unclosed.add(tag)
            continue
        if tag.lower() in _REQUEST_TAGS:
            wanted.append(text[opening.end() : close])
        said.append(text[position : opening.start()])
        position = close + len(tag) + 3
    said.append(text[position:])
    return (wanted[-1] if wanted else "".join(said)).strip()


def _turn_start(messages: list[Fields]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].text("role") == "user" and persons_words(_content(messages[index])):
            return index
    return -1


def _content(message: Fields) -> str:
    value = message.raw("content")
    if value is None or isinstance(value, str):
        return value or ""
    parts = message.objects("content")
    return "\n".join(part.text("text", "") for part in parts if part.text("type") == "text")


def _made(messages: list[Fields]) -> list[tuple[int, Made]]:
    """Every call with its result, in order; complains of calls and results that do not belong together."""
    calls: dict[str, tuple[int, Made]] = {}
    open_ids: list[str] = []
    for index, message in enumerate(messages):
        role = message.text("role")
        if role in ("tool", "function"):
            _answer(index, message, calls, open_ids)
            continue
        _complain_of_open(open_ids, calls, index)
        open_ids = []
        if role == "assistant":
            for call in _calls(index, message):
                calls[call.id] = (index, call)
                open_ids.append(call.id)
    _complain_of_open(open_ids, calls, len(messages))
    return list(calls.values())


def _calls(index: int, message: Fields) -> list[Made]:
    made: list[Made] = []
    for call in message.objects("tool_calls"):
        inner = call.needed_child("custom" if call.text("type", "function") == "custom" else "function")
        text = inner.text("input" if "input" in inner else "arguments")
        made.append(Made(call.text("id"), inner.text("name"), text))
    old = message.child("function_call")
    if old:
        made.append(Made(f"function:{index}", old.text("name"), old.text("arguments")))
    return made


def _answer(index: int, message: Fields, calls: dict[str, tuple[int, Made]], open_ids: list[str]) -> None:
    call_id = open_ids[0] if message.text("role") == "function" and open_ids else message.text("tool_call_id", "")
    if call_id not in open_ids:
        if message.text("role") == "tool":
            message.text("tool_call_id")
        raise BadRequest(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
            "with 'tool_calls'.",
            f"messages.[{index}].role",
        )
    where, call = calls[call_id]
    calls[call_id] = (where, Made(call.id, call.name, call.arguments, _content(message)))
    open_ids.remove(call_id)


def _complain_of_open(open_ids: list[str], calls: dict[str, tuple[int, Made]], index: int) -> None:
    unanswered = [call_id for call_id in open_ids if not call_id.startswith("function:")]
    if unanswered:
        raise BadRequest(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: " + ", ".join(unanswered),
            f"messages.[{index}].role",
        )


def _tools(fields: Fields) -> tuple[ToolSpec, ...]:
    tools: list[ToolSpec] = []
    for tool in fields.objects("tools"):
        kind = tool.one_of("type", ("function", "custom"), None) or tool.text("type")
        inner = tool.needed_child(kind)
        schema = inner.child("parameters")
        tools.append(
            ToolSpec(
                inner.text("name"),
                inner.text("description", ""),
                schema.value if schema else None,
                variant="custom" if kind == "custom" else "function",
            )
        )
    for tool in fields.objects("functions"):
        schema = tool.child("parameters")
        tools.append(ToolSpec(tool.text("name"), tool.text("description", ""), schema.value if schema else None))
    for key in ("tool_choice", "parallel_tool_calls"):
        if key in fields and not tools:
            told = f"Invalid value for '{key}': '{key}' is only allowed when 'tools' are specified."
            raise BadRequest(told, key)
    return tuple(tools)


def _choice(fields: Fields, tools: tuple[ToolSpec, ...]) -> ToolChoice:
    key = "function_call" if "function_call" in fields else "tool_choice"
    value = fields.raw(key)
    if value is None or isinstance(value, str):
        mode = fields.one_of(key, ("auto", "none", "required"), "auto")
        return ToolChoice("none" if mode == "none" else "required" if mode == "required" else "auto")
    given = Fields(value, key)
    if given.text("type", "") == "allowed_tools":
        allowed = given.needed_child("allowed_tools")
        names = tuple(_chosen_name(item) for item in allowed.objects("tools"))
        mode = allowed.one_of("mode", ("auto", "required"), "auto")
        choice = ToolChoice("required" if mode == "required" else "auto", names)
    else:
        choice = ToolChoice("required", (_chosen_name(given),))
    known = {tool.name for tool in tools}
    for name in choice.names:
        if name not in known:
            raise BadRequest(f"Tool choice '{name}' not found in 'tools' parameter.", key)
    return choice


def _chosen_name(choice: Fields) -> str:
    inner = choice.child("function") or choice.child("custom")
    return (inner or choice).text("name")


def _stop(fields: Fields) -> tuple[str, ...]:
    value = fields.raw("stop")
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(word for word in fields.texts("stop") if word)


def _format(fields: Fields) -> ReplyFormat:
    given = fields.child("response_format")
    if given is None:
        return ReplyFormat("text")
    kind = given.one_of("type", ("text", "json_object", "json_schema"), "text")
    if kind == "json_schema":
        schema = given.needed_child("json_schema")
        return ReplyFormat("json_schema", schema.text("name", ""), schema.raw("schema"))
    return ReplyFormat("json_object" if kind == "json_object" else "text")


def _prompt_tokens(messages: list[Fields], fields: Fields) -> int:
    count = 0
    for index, message in enumerate(messages):
        calls = sum(count_tokens(call.name) + count_tokens(call.arguments) for call in _calls(index, message))
        count += _TOKENS_PER_MESSAGE + count_tokens(_content(message)) + calls
    offered = fields.raw("tools") or fields.raw("functions")
    return count + (count_tokens(dump_text(offered)) if offered else 0)
