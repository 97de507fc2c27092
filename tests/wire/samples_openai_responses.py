"""Bodies and streams of OpenAI Responses in their true form, for the contract that all wires keep."""

from collections.abc import Mapping
from typing import Any

import orjson

from callgate.wire.openai_responses import OpenAIResponses

CODEC = OpenAIResponses()

WEATHER: dict[str, Any] = {
    "type": "function",
    "name": "get_weather",
    "description": "Weather of a place",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}
PATCH: dict[str, Any] = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Edits files",
    "format": {"type": "grammar", "syntax": "lark", "definition": 'start: "x"'},
}
AGENTS: dict[str, Any] = {
    "type": "namespace",
    "name": "multi_agent_v1",
    "description": "Other agents",
    "tools": [
        {"type": "function", "name": "spawn", "parameters": {"type": "object", "properties": {}}, "strict": False},
        {"type": "function", "name": "wait", "description": "Waits", "defer_loading": True, "parameters": None},
    ],
}

REQUESTS: list[dict[str, Any]] = [
    {"model": "gpt-5.5", "input": "Hello"},
    {
        "model": "gpt-5.5",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": "Weather in Zürich?"}],
        "tools": [WEATHER],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "stream": True,
        "temperature": 0.2,
        "top_p": 1,
        "max_output_tokens": 500,
        "metadata": {"purpose": "test"},
        "truncation": "auto",
        "text": {"format": {"type": "text"}, "verbosity": "low"},
    },
    {  # the tool loop of openai py and opencode: reasoning goes back encrypted, here without ids
        "model": "gpt-5.5",
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "medium", "summary": "auto", "context": "all_turns"},
        "input": [
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Rules"}]},
            {"role": "user", "content": [{"type": "input_text", "text": "Both cities, please"}]},
            {
                "type": "reasoning",
                "summary": [{"type": "summary_text", "text": "Two calls."}, {"type": "summary_text", "text": "Go."}],
                "encrypted_content": "gAAAA-secret",
            },
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "phase": "commentary",
                "content": [{"type": "output_text", "text": "Looking …", "annotations": [], "logprobs": []}],
            },
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "call_1",
                "name": "get_weather",
                "arguments": '{"city": "Zürich"}',
                "status": "completed",
            },
            {"type": "function_call", "call_id": "call_2", "name": "get_weather", "arguments": '{"city":"Bern"}'},
            {"type": "function_call_output", "call_id": "call_1", "output": "sunny"},
            {
                "type": "function_call_output",
                "id": "fco_2",
                "call_id": "call_2",
                "output": [
                    {"type": "input_text", "text": "see"},
                    {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"},
                    {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0="},
                ],
            },
            {"role": "assistant", "content": "Both fine."},
            {"role": "assistant", "content": "Anything else?", "phase": "final_answer"},
            {"role": "user", "content": "No"},
        ],
        "tools": [WEATHER],
    },
    {  # codex with a model it knows
        "model": "gpt-5.5-codex",
        "input": [
            {"type": "message", "id": "msg_d", "role": "developer", "content": [{"type": "input_text", "text": "D"}]},
            {"type": "message", "id": "msg_u", "role": "user", "content": [{"type": "input_text", "text": "Fix it"}]},
            {
                "type": "custom_tool_call",
                "id": "ctc_1",
                "call_id": "call_p",
                "name": "apply_patch",
                "input": "*** Begin Patch\n*** End Patch",
                "status": "completed",
            },
            {"type": "custom_tool_call_output", "id": "ctco_1", "call_id": "call_p", "output": "Done"},
            {
                "type": "function_call",
                "id": "fc_9",
                "call_id": "call_s",
                "name": "spawn",
                "namespace": "multi_agent_v1",
                "arguments": "{}",
            },
            {"type": "function_call_output", "id": "fco_9", "call_id": "call_s", "output": ""},
        ],
        "tools": [PATCH, AGENTS, {"type": "web_search"}, {"type": "tool_search", "execution": "client"}],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "reasoning": {"effort": "high"},
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "thread",
        "client_metadata": {"b": "2", "a": "1"},
        "text": {"verbosity": "medium"},
    },
    {  # codex in code mode: the tools come as an item, the output is a list
        "model": "gpt-6-codex",
        "input": [
            {"type": "additional_tools", "id": "at_1", "role": "developer", "tools": [AGENTS, PATCH]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Run"}]},
            {"type": "custom_tool_call", "call_id": "call_x", "name": "exec", "namespace": "functions", "input": "1+1"},
            {
                "type": "custom_tool_call_output",
                "call_id": "call_x",
                "output": [{"type": "input_text", "text": "2"}],
            },
        ],
        "parallel_tool_calls": False,
        "store": False,
        "stream": True,
    },
    {  # state on the other side: only the result comes
        "model": "gpt-5.5",
        "previous_response_id": "resp_123",
        "input": [{"type": "function_call_output", "call_id": "call_7", "output": "42"}],
    },
    {  # vercel: what is stored is only referred to
        "model": "gpt-5.5",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
            {"type": "item_reference", "id": "rs_1"},
            {"type": "item_reference", "id": "fc_1"},
            {"type": "function_call_output", "call_id": "call_1", "output": "{}"},
        ],
        "tools": [WEATHER],
        "tool_choice": {"type": "function", "name": "get_weather"},
    },
    {  # a shape for the answer, a narrowed choice, a provider's own items
        "model": "gpt-5.5",
        "input": [
            {"role": "user", "content": "Search"},
            {
                "type": "web_search_call",
                "id": "ws_1",
                "status": "completed",
                "action": {"type": "search", "query": "q"},
            },
            {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}]},
        ],
        "tools": [WEATHER, {"type": "mcp", "server_label": "s", "server_url": "https://example.com/mcp"}],
        "tool_choice": {
            "type": "allowed_tools",
            "mode": "required",
            "tools": [{"type": "function", "name": "get_weather"}, {"type": "mcp", "server_label": "s"}],
        },
        "text": {
            "format": {
                "type": "json_schema",
                "name": "answer",
                "schema": {"type": "object", "properties": {"a": {"type": "integer"}}},
                "strict": True,
            }
        },
    },
]

USAGE: dict[str, Any] = {
    "input_tokens": 20,
    "input_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 0},
    "output_tokens": 12,
    "output_tokens_details": {"reasoning_tokens": 4},
    "total_tokens": 32,
}


def envelope(output: list[dict[str, Any]], status: str = "completed", **more: Any) -> dict[str, Any]:
    """A response object as the service sends it."""
    return {
        "id": "resp_68af",
        "object": "response",
        "created_at": 1760000000,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "model": "gpt-5.5-2026-05-01",
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": "medium", "summary": None},
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": USAGE if status in ("completed", "incomplete") else None,
        "metadata": {},
        **more,
    }


def message(text: str, identifier: str = "msg_1", status: str = "completed") -> dict[str, Any]:
    content = [{"type": "output_text", "annotations": [], "logprobs": [], "text": text}]
    return {"id": identifier, "type": "message", "status": status, "content": content, "role": "assistant"}


def refusal(text: str, identifier: str = "msg_r") -> dict[str, Any]:
    content = [{"type": "refusal", "refusal": text}]
    return {"id": identifier, "type": "message", "status": "completed", "content": content, "role": "assistant"}


def reasoning(texts: list[str], identifier: str = "rs_1", encrypted: str = "") -> dict[str, Any]:
    summary = [{"type": "summary_text", "text": text} for text in texts]
    item: dict[str, Any] = {"id": identifier, "type": "reasoning", "summary": summary}
    return {**item, "encrypted_content": encrypted} if encrypted else item


def function_call(number: int, name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"fc_{number}",
        "type": "function_call",
        "status": "completed",
        "arguments": arguments,
        "call_id": f"call_{number}",
        "name": name,
        **more,
    }


def custom_call(number: int, name: str, text: str) -> dict[str, Any]:
    return {
        "id": f"ctc_{number}",
        "type": "custom_tool_call",
        "status": "completed",
        "call_id": f"call_{number}",
        "input": text,
        "name": name,
    }


def stream_of(*events: Mapping[str, Any]) -> bytes:
    """The events, numbered, each under its name."""
    lines: list[bytes] = []
    for number, event in enumerate(events):
        numbered = {"type": event["type"], "sequence_number": number, **event}
        lines.append(f"event: {event['type']}\ndata: ".encode() + orjson.dumps(numbered) + b"\n\n")
    return b"".join(lines)


def opening() -> list[dict[str, Any]]:
    response = envelope([], "in_progress")
    return [
        {"type": "response.created", "response": response},
        {"type": "response.in_progress", "response": response},
    ]


def events_of(index: int, item: dict[str, Any], pieces: int = 3) -> list[dict[str, Any]]:
    """All events of one item as the service sends them, its text in so many deltas."""
    growing = {"message": _message_events, "reasoning": _reasoning_events}.get(item["type"], _call_events)
    added, between = growing(index, item, pieces)
    return [
        {"type": "response.output_item.added", "output_index": index, "item": added},
        *between,
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]


def whole_stream(output: list[dict[str, Any]], status: str = "completed", **more: Any) -> bytes:
    items = [event for index, item in enumerate(output) for event in events_of(index, item)]
    final = {"type": f"response.{status}", "response": envelope(output, status, **more)}
    return stream_of(*opening(), *items, final)


def _cut(text: str, pieces: int) -> list[str]:
    size = max(1, -(-len(text) // pieces))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _message_events(index: int, item: dict[str, Any], pieces: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    for number, part in enumerate(item["content"]):
        place = {"item_id": item["id"], "output_index": index, "content_index": number}
        name, key = ("refusal", "refusal") if part["type"] == "refusal" else ("output_text", "text")
        logprobs = {"logprobs": []} if name == "output_text" else {}
        events.append({"type": "response.content_part.added", **place, "part": {**part, key: ""}})
        for piece in _cut(part[key], pieces):
            events.append({"type": f"response.{name}.delta", **place, "delta": piece, **logprobs, "obfuscation": "x"})
        events.append({"type": f"response.{name}.done", **place, key: part[key], **logprobs})
        events.append({"type": "response.content_part.done", **place, "part": part})
    return {**item, "status": "in_progress", "content": []}, events


def _reasoning_events(index: int, item: dict[str, Any], pieces: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    name = "response.reasoning_summary"
    for number, part in enumerate(item["summary"]):
        place = {"item_id": item["id"], "output_index": index, "summary_index": number}
        events.append({"type": f"{name}_part.added", **place, "part": {"type": "summary_text", "text": ""}})
        for piece in _cut(part["text"], pieces):
            events.append({"type": f"{name}_text.delta", **place, "delta": piece})
        events.append({"type": f"{name}_text.done", **place, "text": part["text"]})
        events.append({"type": f"{name}_part.done", **place, "part": part})
    return {**item, "summary": []}, events


def _call_events(index: int, item: dict[str, Any], pieces: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    place = {"item_id": item["id"], "output_index": index}
    names = {
        "function_call": ("response.function_call_arguments", "arguments"),
        "custom_tool_call": ("response.custom_tool_call_input", "input"),
    }
    if item["type"] not in names:
        return {**item, "status": "in_progress"}, []
    name, key = names[item["type"]]
    deltas = [{"type": f"{name}.delta", **place, "delta": piece} for piece in _cut(item[key], pieces)]
    done = {"type": f"{name}.done", **place, key: item[key]}
    return {**item, "status": "in_progress", key: ""}, [*deltas, done]


TEXT = [message("Grüezi, 世界 👋 — done.")]
PARALLEL = [
    message("Let me look."),
    function_call(1, "get_weather", '{"city": "Zürich"}'),
    function_call(2, "get_weather", '{"city":"Bern"}'),
]
THOUGHT = [
    reasoning(["First, look.", "Then tell."], encrypted="gAAAAAB-encrypted"),
    function_call(1, "now", "{}"),
]
CUSTOM = [custom_call(1, "apply_patch", "*** Begin Patch\n+é\n*** End Patch"), message("Patched.", "msg_2")]
GROUPED = [function_call(1, "spawn", "{}", namespace="multi_agent_v1")]
REFUSED = [refusal("I can't help with that.")]
CUT = [message("It was a dark and", status="incomplete")]
CUT_MORE: dict[str, Any] = {"incomplete_details": {"reason": "max_output_tokens"}}

RESPONSES: list[dict[str, Any]] = [
    envelope(TEXT),
    envelope(PARALLEL),
    envelope(THOUGHT),
    envelope(CUSTOM),
    envelope(GROUPED),
    envelope(REFUSED),
    envelope(CUT, "incomplete", **CUT_MORE),
]

STREAMS: list[bytes] = [
    whole_stream(TEXT),
    whole_stream(PARALLEL),
    whole_stream(THOUGHT),
    whole_stream(CUSTOM),
    whole_stream(GROUPED),
    whole_stream(REFUSED),
    whole_stream(CUT, "incomplete", **CUT_MORE),
]
"""In the same order as `RESPONSES`: each is the same answer, streamed."""
