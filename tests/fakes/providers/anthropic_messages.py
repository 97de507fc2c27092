"""What Anthropic Messages checks of the turns and tools it is sent."""

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.providers.shape import fields, insist, items, object_schema, one_of, text, within

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TOOL = (
    "allowed_callers",
    "cache_control",
    "defer_loading",
    "description",
    "eager_input_streaming",
    "input_examples",
    "strict",
    "type",
)
_MOST_STRICT = 20
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "minProperties",
    "maxProperties",
    "oneOf",
)
_THOUGHTS = ("thinking", "redacted_thinking")


def check_tools(tools: Any, choice: Any, *, unforced: bool) -> None:
    names: list[str] = []
    for index, tool in enumerate(items(tools, "tools")):
        where = f"tools.{index}"
        fields(tool, where, ["name", "input_schema"], _TOOL)
        one_of(tool.get("type"), (None, "custom"), f"{where}.type")
        insist(_NAME.fullmatch(text(tool["name"], where)), f"{where}.name: bad pattern")
        insist(tool["name"] not in names, "tools: Tool names must be unique.")
        names.append(tool["name"])
        object_schema(tool["input_schema"], f"{where}.input_schema")
        if tool.get("strict"):
            check_held_to(tool["input_schema"], f"{where}.custom")
    strict = sum(bool(tool.get("strict")) for tool in tools)
    insist(strict <= _MOST_STRICT, f"Too many strict tools ({strict}). The maximum number of strict tools is 20.")
    if choice is None:
        return
    kind = one_of(choice.get("type"), ("auto", "any", "tool", "none"), "tool_choice.type")
    switch = [] if kind == "none" else ["disable_parallel_tool_use"]
    fields(choice, "tool_choice", ["type", "name"] if kind == "tool" else ["type"], switch)
    insist(not unforced or kind in ("auto", "none"), "tool_choice may not force tool use with this model or thinking.")


def check_held_to(schema: Mapping[str, Any], where: str) -> None:
    """What the service demands of a schema that a reply, or the arguments of a strict tool, must fit."""
    if schema.get("type") == "object":
        closed = schema.get("additionalProperties") is False
        insist(closed, f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false")
    bounds = [key for key in _BOUNDS if key in schema]
    insist(not bounds, f"{where}: For '{schema.get('type')}' type, properties {bounds} are not supported")
    insist(schema.get("minItems", 0) in (0, 1), f"{where}: 'minItems' may only be 0 or 1")
    for place, inner in within(schema):
        check_held_to(inner, f"{where}.{place}")


def check_messages(messages: Any, thoughts: dict[str, str], *, has_tools: bool, thinks: bool) -> None:
    """`thoughts`: the signatures that were given out, and what they prove."""
    waiting: list[str] = []
    seen: set[str] = set()
    expected = "user"
    for index, message in enumerate(items(messages, "messages")):
        where = f"messages.{index}"
        fields(message, where, ["role", "content"])
        role = one_of(message["role"], ("user", "assistant"), f"{where}.role")
        insist(role == expected, f"{where}: roles must alternate between user and assistant, starting with user")
        expected = "assistant" if role == "user" else "user"
        blocks = _blocks(message["content"], f"{where}.content")
        if role == "user":
            _check_user(blocks, where, waiting)
            waiting = []
        else:
            waiting = _check_assistant(blocks, where, thoughts)
            insist(not seen & set(waiting), "messages: `tool_use` ids must be unique")
            seen |= set(waiting)
    insist(not waiting, f"{where}: `tool_use` ids were found without `tool_result` blocks after: {waiting}")
    insist(not seen or has_tools, "Requests which include `tool_use` or `tool_result` blocks must define tools.")
    insist(expected == "assistant", "This model does not support assistant message prefill.")
    if thinks:
        _check_last_turn(messages)


def _blocks(content: Any, where: str) -> list[Any]:
    if isinstance(content, str):
        insist(text(content, where).strip(), f"{where}: text content blocks must contain non-whitespace text")
        return [{"type": "text", "text": content}]
    return items(content, where)


def _check_user(blocks: list[Any], where: str, waiting: list[str]) -> None:
    results = [block for block in blocks if block.get("type") == "tool_result"]
    insist(
        blocks[: len(results)] == results,
        f"{where}: tool_result blocks must stand at the beginning of the content",
    )
    given = [block.get("tool_use_id") for block in results]
    unexpected = [call_id for call_id in given if call_id not in waiting]
    insist(not unexpected, f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {unexpected}")
    missing = [call_id for call_id in waiting if call_id not in given]
    insist(not missing, f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {missing}")
    insist(len(set(given)) == len(given), f"{where}: each tool_use must have a single result")
    for number, block in enumerate(blocks):
        _check_user_block(block, f"{where}.content.{number}")


def _check_user_block(block: dict[str, Any], where: str) -> None:
    kind = one_of(block.get("type"), ("text", "image", "document", "tool_result", "search_result"), f"{where}.type")
    if kind == "text":
        words = text(fields(block, where, ["type", "text"], ["cache_control"])["text"], f"{where}.text")
        insist(words.strip(), f"{where}: text content blocks must contain non-whitespace text")
    elif kind == "tool_result":
        fields(block, where, ["type", "tool_use_id"], ["content", "is_error", "cache_control"])
        content = block.get("content")
        if isinstance(content, list):
            for number, part in enumerate(content):
                insist(part.get("type") != "text" or part.get("text"), f"{where}.content.{number}: text is empty")


def _check_assistant(blocks: list[Any], where: str, thoughts: dict[str, str]) -> list[str]:
    calls: list[str] = []
    for number, block in enumerate(blocks):
        place = f"{where}.content.{number}"
        kind = one_of(block.get("type"), ("text", "tool_use", *_THOUGHTS), f"{place}.type")
        match kind:
            case "text":
                fields(block, place, ["type", "text"], ["cache_control", "citations"])
                insist(
                    text(block["text"], place).strip(), f"{place}: text content blocks must contain non-whitespace text"
                )
            case "tool_use":
                fields(block, place, ["type", "id", "name", "input"], ["cache_control", "caller"])
                insist(_ID.fullmatch(text(block["id"], place)), f"{place}.id: bad pattern: {block['id']}")
                insist(_NAME.fullmatch(text(block["name"], place)), f"{place}.name: bad pattern")
                insist(isinstance(block["input"], dict), f"{place}.input: Input should be a valid dictionary")
                insist(block["id"] not in calls, f"{place}: `tool_use` ids must be unique")
                calls.append(block["id"])
            case "thinking":
                fields(block, place, ["type", "thinking", "signature"])
                proven = thoughts.get(block["signature"])
                insist(proven == block["thinking"], f"{place}: Invalid `signature` in `thinking` block")
            case _:
                fields(block, place, ["type", "data"])
    return calls


def _check_last_turn(messages: list[Any]) -> None:
    """With thinking on, the turn whose calls are being answered must begin with its thinking."""
    last = messages[-1]["content"]
    if isinstance(last, str) or all(block["type"] != "tool_result" for block in last):
        return
    first = messages[-2]["content"][0]
    insist(
        first["type"] in _THOUGHTS,
        f"messages.{len(messages) - 2}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
        f"`{first['type']}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block",
    )
