"""What OpenAI Responses checks of the items and tools it is sent."""

from typing import Any

from tests.fakes.providers import openai_responses_built_in as built_in
from tests.fakes.providers.openai_responses_built_in import check_built_in
from tests.fakes.providers.shape import OPENAI_NAME, fields, insist, items, object_schema, one_of, strict_schema, text

LONGEST_ID = 64
_PREFIXES = {
    "message": "msg_",
    "function_call": "fc_",
    "custom_tool_call": "ctc_",
    "reasoning": "rs_",
    "function_call_output": "fc",
    "custom_tool_call_output": "ctc",
}
_STATUS = (None, "in_progress", "completed", "incomplete")


def check_tools(tools: Any) -> None:
    for index, tool in enumerate(items(tools, "tools")):
        where = f"tools[{index}]"
        kind = one_of(
            tool.get("type"), ("function", "custom", "namespace", "web_search", *built_in.TOOLS), f"{where}.type"
        )
        if kind == "function":
            fields(tool, where, ["type", "name", "parameters"], ["description", "strict"])
            insist(OPENAI_NAME.fullmatch(text(tool["name"], where)), f"{where}.name: bad pattern")
            if tool["parameters"] is not None:
                object_schema(tool["parameters"], f"{where}.parameters")
            if tool.get("strict"):
                strict_schema(tool["parameters"], f"{where}.parameters")
        elif kind == "custom":
            fields(tool, where, ["type", "name"], ["description", "format"])


def check_input(given: list[Any], known: dict[str, dict[str, Any]], *, stored: bool) -> None:
    """`known`: the reasoning items that were given out."""
    insist(given, "input: must not be empty")
    waiting: dict[str, str] = {}
    answered: set[str] = set()
    for index, item in enumerate(given):
        where = f"input[{index}]"
        kind = item.get("type", "message")
        _check_ids(item, kind, where)
        match kind:
            case "message":
                _check_message(item, where)
            case "function_call":
                fields(
                    item,
                    where,
                    ["type", "call_id", "name", "arguments"],
                    ["id", "status", "namespace", "parsed_arguments"],
                )
                insist(OPENAI_NAME.fullmatch(text(item["name"], where)), f"{where}.name: bad pattern")
                text(item["arguments"], f"{where}.arguments")
                waiting[item["call_id"]] = kind
            case "custom_tool_call":
                fields(item, where, ["type", "call_id", "name", "input"], ["id", "status", "namespace"])
                waiting[item["call_id"]] = kind
            case "function_call_output" | "custom_tool_call_output":
                fields(item, where, ["type", "call_id", "output"], ["id", "status", "name", "namespace"])
                made = waiting.get(item["call_id"])
                insist(
                    made == kind.removesuffix("_output"),
                    f"No tool call found for function call output with call_id {item['call_id']}.",
                )
                insist(item["call_id"] not in answered, f"Duplicate function_call_output for call_id {item['call_id']}")
                answered.add(item["call_id"])
                _check_output(item["output"], f"{where}.output")
            case "reasoning":
                _check_reasoning(item, given[index + 1 :], where, known, stored=stored)
            case _ if kind in built_in.KINDS:
                check_built_in(item, where, waiting, answered)
            case _:
                insist(False, f"{where}.type: {kind!r} is not known")
    missing = sorted(set(waiting) - answered)
    insist(not missing, f"No tool output found for function call {', '.join(missing)}.")


def _check_ids(item: dict[str, Any], kind: str, where: str) -> None:
    if item.get("id") is not None:
        insist(len(text(item["id"], where)) <= LONGEST_ID, f"{where}.id: string too long")
        prefix = _PREFIXES.get(kind, "")
        insist(item["id"].startswith(prefix), f"{where}.id: expected an ID that begins with '{prefix}': {item['id']}")
    if "call_id" in item:
        insist(0 < len(text(item["call_id"], where)) <= LONGEST_ID, f"{where}.call_id: string too long")
    if kind not in built_in.KINDS:
        one_of(item.get("status"), _STATUS, f"{where}.status")


def _check_message(item: dict[str, Any], where: str) -> None:
    fields(item, where, ["role", "content"], ["type", "id", "status", "phase"])
    role = one_of(item["role"], ("user", "assistant", "system", "developer"), f"{where}.role")
    if isinstance(item["content"], str):
        return
    kinds = ("output_text", "refusal") if role == "assistant" else ("input_text", "input_image", "input_file")
    for number, part in enumerate(items(item["content"], f"{where}.content")):
        place = f"{where}.content[{number}]"
        kind = one_of(part.get("type"), kinds, f"{place}.type")
        if kind in ("output_text", "input_text"):
            extra = ["annotations", "logprobs", "parsed"] if kind == "output_text" else []
            text(fields(part, place, ["type", "text"], extra)["text"], place)


def _check_output(output: Any, where: str) -> None:
    if isinstance(output, str):
        return
    for number, part in enumerate(items(output, where)):
        one_of(part.get("type"), ("input_text", "input_image", "input_file"), f"{where}[{number}].type")


def _check_reasoning(
    item: dict[str, Any], after: list[Any], where: str, known: dict[str, dict[str, Any]], *, stored: bool
) -> None:
    fields(item, where, ["type", "id", "summary"], ["encrypted_content", "content", "status"])
    items(item["summary"], f"{where}.summary", empty=True)
    insist(not item.get("content"), f"{where}.content: array too long. Expected an array with maximum length 0")
    insist(item["id"] in known, f"Item with id '{item['id']}' not found.")
    given = known[item["id"]]
    insist(
        stored or item.get("encrypted_content"),
        f"Item with id '{item['id']}' not found. Items are not persisted when `store` is set to false.",
    )
    if item.get("encrypted_content") is not None:
        insist(
            item["encrypted_content"] == given.get("encrypted_content"),
            f"{where}: the encrypted content could not be verified (invalid_encrypted_content)",
        )
    follows = after[0] if after else {}
    insist(
        follows.get("role") == "assistant"
        or follows.get("type") in ("function_call", "custom_tool_call", "reasoning", *built_in.KINDS),
        f"Item '{item['id']}' of type 'reasoning' was provided without its required following item.",
    )
