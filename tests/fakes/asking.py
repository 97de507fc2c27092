"""Raw requests of every wire: a question with a tool, and the same with the tool's result."""

from dataclasses import dataclass
from typing import Any

QUESTION, RESULT = "Weather?", "21 C"
MODEL = "gpt-x"
TOOL, CALL_ID = "get_weather", "call_1"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}}
ARGUMENTS = '{"city":"Paris"}'


@dataclass(frozen=True)
class Asking:
    path: str
    body: dict[str, Any]


def asking(wire: str, *, stream: bool, result: bool = False) -> Asking:
    """`result`: the client has run the call and gives what came of it."""
    match wire:
        case "openai-chat":
            return _chat(stream, result)
        case "openai-responses":
            return _responses(stream, result)
        case "anthropic":
            return _messages(stream, result)
        case _:
            return _generate(stream, result)


def _chat(stream: bool, result: bool) -> Asking:
    call = {"id": CALL_ID, "type": "function", "function": {"name": TOOL, "arguments": ARGUMENTS}}
    more = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": CALL_ID, "content": RESULT},
    ]
    tool = {"type": "function", "function": {"name": TOOL, "parameters": SCHEMA}}
    messages = [{"role": "user", "content": QUESTION}, *(more if result else [])]
    return Asking("/v1/chat/completions", {"model": MODEL, "messages": messages, "tools": [tool], "stream": stream})


def _responses(stream: bool, result: bool) -> Asking:
    more = [
        {"type": "function_call", "call_id": CALL_ID, "name": TOOL, "arguments": ARGUMENTS},
        {"type": "function_call_output", "call_id": CALL_ID, "output": RESULT},
    ]
    tool = {"type": "function", "name": TOOL, "parameters": SCHEMA, "strict": False}
    items = [{"role": "user", "content": QUESTION}, *(more if result else [])]
    return Asking("/v1/responses", {"model": MODEL, "input": items, "tools": [tool], "stream": stream})


def _messages(stream: bool, result: bool) -> Asking:
    more = [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": CALL_ID, "name": TOOL, "input": {"city": "Paris"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": CALL_ID, "content": RESULT}]},
    ]
    tool = {"name": TOOL, "input_schema": SCHEMA}
    messages = [{"role": "user", "content": QUESTION}, *(more if result else [])]
    return Asking(
        "/v1/messages",
        {"model": MODEL, "max_tokens": 99, "messages": messages, "tools": [tool], "stream": stream},
    )


def _generate(stream: bool, result: bool) -> Asking:
    call = {"functionCall": {"id": CALL_ID, "name": TOOL, "args": {"city": "Paris"}}}
    answer = {"functionResponse": {"id": CALL_ID, "name": TOOL, "response": {"output": RESULT}}}
    more = [{"role": "model", "parts": [call]}, {"role": "user", "parts": [answer]}]
    tool = {"functionDeclarations": [{"name": TOOL, "parametersJsonSchema": SCHEMA}]}
    contents = [{"role": "user", "parts": [{"text": QUESTION}]}, *(more if result else [])]
    method = "streamGenerateContent?alt=sse" if stream else "generateContent"
    return Asking(f"/v1beta/models/{MODEL}:{method}", {"contents": contents, "tools": [tool]})
