"""Bodies and streams of Anthropic Messages as real clients and the provider send them."""

import json

from callgate.core.messages import Json
from callgate.wire.anthropic_messages import AnthropicMessages

CODEC = AnthropicMessages()

WEATHER: dict[str, Json] = {
    "name": "get_weather",
    "description": "The weather in a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CACHED: dict[str, Json] = {"type": "ephemeral", "ttl": "5m"}

PLAIN: dict[str, Json] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "Hello, wörld 🌍"}],
}

TOOL_LOOP: dict[str, Json] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "Be brief.", "cache_control": CACHED}],
    "messages": [
        {"role": "user", "content": "Weather in Paris and Rome?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Two cities.", "signature": "EqQBCgIYAh=="},
                {"type": "redacted_thinking", "data": "EmwKAhgB"},
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "id": "toolu_01A", "name": "get_weather", "input": {"city": "Paris"}},
                {
                    "type": "tool_use",
                    "id": "toolu_01B",
                    "name": "get_weather",
                    "input": {"city": "Rome"},
                    "caller": {"type": "direct"},
                },
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_01A", "content": "sunny"},
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_01B",
                    "content": [
                        {"type": "text", "text": "rain"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0="}},
                        {"type": "tool_reference", "tool_name": "get_weather"},
                        {
                            "type": "search_result",
                            "title": "Rome",
                            "source": "https://weather.example/rome",
                            "content": [{"type": "text", "text": "showers"}],
                        },
                    ],
                    "is_error": True,
                    "cache_control": CACHED,
                },
                {"type": "text", "text": "And tomorrow?", "cache_control": CACHED},
            ],
        },
    ],
    "tools": [WEATHER, {"type": "web_search_20250305", "name": "web_search", "max_uses": 2}],
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "thinking": {"type": "enabled", "budget_tokens": 2048},
    "stream": True,
}

CLAUDE_CODE: dict[str, Json] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 32000,
    "system": [
        {"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.325"},
        {"type": "text", "text": "You are an agent.", "cache_control": CACHED},
    ],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "<system-reminder>…</system-reminder>"},
                {"type": "text", "text": "List the files.", "cache_control": CACHED},
            ],
        },
        {"role": "system", "content": "Plan mode is on."},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "toolu_02", "name": "Bash", "input": {"command": "ls"}}],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_02", "content": "a.py", "is_error": False},
            ],
        },
    ],
    "tools": [
        {"type": "custom", **WEATHER, "name": "Bash", "eager_input_streaming": True, "strict": True},
        {**WEATHER, "name": "placeholder", "defer_loading": True},
    ],
    "thinking": {"type": "adaptive", "display": "omitted"},
    "output_config": {"effort": "high"},
    "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    "metadata": {"user_id": '{"device_id":"d","session_id":"s"}'},
    "safeguards": {"dangerous_tool_use": "on"},
    "stream": True,
}

HOSTED: dict[str, Json] = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 4096,
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "image", "source": {"type": "file", "file_id": "file_1"}, "cache_control": CACHED},
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
                    "title": "Report",
                    "citations": {"enabled": True},
                },
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "naïve"}},
                {
                    "type": "document",
                    "source": {"type": "content", "content": [{"type": "text", "text": "chunk"}]},
                    "context": "kept",
                },
                {"type": "container_upload", "file_id": "file_2"},
                {"type": "text", "text": "Search for it."},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "it"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": [{"type": "web_search_result", "url": "https://e.org", "encrypted_content": "x"}],
                },
                {"type": "text", "text": "Found.", "citations": [{"type": "web_search_result_location"}]},
            ],
        },
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [{"type": "web_search_20250305", "name": "web_search"}],
    "temperature": 0.3,
    "top_p": 0.9,
    "top_k": 5,
    "stop_sequences": ["END"],
    "service_tier": "auto",
}

THREAD: dict[str, Json] = {
    "model": "claude-opus-5-5",
    "max_tokens": 1024,
    "messages": [
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_9", "content": "42"}]},
    ],
    "thread": {"type": "continue", "previous_message_id": "msg_01"},
}

FORMATTED: dict[str, Json] = {
    **PLAIN,
    "output_config": {
        "format": {
            "type": "json_schema",
            "schema": {
                "type": "object",
                "properties": {"title": {"type": "string"}},
                "required": ["title"],
                "additionalProperties": False,
            },
        }
    },
}

FORCED: dict[str, Json] = {**PLAIN, "tools": [WEATHER], "tool_choice": {"type": "tool", "name": "get_weather"}}

REQUESTS: list[dict[str, Json]] = [PLAIN, TOOL_LOOP, CLAUDE_CODE, HOSTED, THREAD, FORMATTED, FORCED]

USAGE: dict[str, Json] = {
    "input_tokens": 20,
    "cache_creation_input_tokens": 5,
    "cache_read_input_tokens": 100,
    "output_tokens": 42,
    "service_tier": "standard",
}


def reply(*content: Json, stop_reason: str = "end_turn", **more: Json) -> dict[str, Json]:
    return {
        "id": "msg_01XYZ",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": USAGE,
        **more,
    }


PARALLEL_CALLS: tuple[dict[str, Json], ...] = (
    {"type": "thinking", "thinking": "Two cities – both.", "signature": "EqQBCgIYAh=="},
    {"type": "text", "text": "Ich schaue nach… 🌦"},
    {"type": "tool_use", "id": "toolu_01A", "name": "get_weather", "input": {"city": "Zürich"}},
    {"type": "tool_use", "id": "toolu_01B", "name": "get_time", "input": {}},
)

RESPONSES: list[dict[str, Json]] = [
    reply({"type": "text", "text": "Hello"}),
    reply(*PARALLEL_CALLS, stop_reason="tool_use"),
    reply({"type": "redacted_thinking", "data": "EmwK"}, {"type": "text", "text": "Done"}),
    reply({"type": "text", "text": "cut"}, stop_reason="max_tokens"),
    reply({"type": "text", "text": "a"}, stop_reason="stop_sequence", stop_sequence="END"),
    reply(
        {"type": "text", "text": "No."},
        stop_reason="refusal",
        stop_details={"type": "refusal", "category": "cyber", "explanation": "not allowed"},
    ),
    reply(
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
        stop_reason="pause_turn",
        container={"id": "c_1"},
    ),
    reply({"type": "text", "text": "full"}, stop_reason="model_context_window_exceeded"),
]


def event(type: str, **fields: Json) -> bytes:
    """One event as the provider writes it."""
    return f"event: {type}\ndata: {json.dumps({'type': type, **fields}, ensure_ascii=False)}\n\n".encode()


def start(usage: dict[str, Json] | None = None) -> bytes:
    message = reply() | {"stop_reason": None, "usage": {**USAGE, "output_tokens": 1} if usage is None else usage}
    return event("message_start", message=message)


def block(index: int, content_block: dict[str, Json], *deltas: dict[str, Json]) -> bytes:
    said = b"".join(event("content_block_delta", index=index, delta=delta) for delta in deltas)
    return (
        event("content_block_start", index=index, content_block=content_block)
        + said
        + event("content_block_stop", index=index)
    )


def text_block(index: int, *texts: str) -> bytes:
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": text} for text in texts))


def thinking_block(index: int, *texts: str, signature: str = "EqQBCgIYAh==") -> bytes:
    deltas: list[dict[str, Json]] = [{"type": "thinking_delta", "thinking": text} for text in texts]
    signed: dict[str, Json] = {"type": "signature_delta", "signature": signature}
    return block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas, signed)


def call_block(index: int, id: str, name: str, *fragments: str) -> bytes:
    opened: dict[str, Json] = {"type": "tool_use", "id": id, "name": name, "input": {}}
    return block(
        index, opened, *({"type": "input_json_delta", "partial_json": fragment} for fragment in ("", *fragments))
    )


def end(stop_reason: str = "end_turn", **delta: Json) -> bytes:
    return event(
        "message_delta",
        delta={"stop_reason": stop_reason, "stop_sequence": None, **delta},
        usage={"output_tokens": 42},
    ) + event("message_stop")


PING = event("ping")

TEXT_STREAM = start() + PING + text_block(0, "Hel", "lo") + end()
CALLS_STREAM = (
    start()
    + thinking_block(0, "Two cities ", "– both.")
    + PING
    + text_block(1, "Ich schaue ", "nach… 🌦")
    + call_block(2, "toolu_01A", "get_weather", '{"city"', ':"Zür', 'ich"}')
    + call_block(3, "toolu_01B", "get_time")
    + end("tool_use")
)
REDACTED_STREAM = start() + block(0, {"type": "redacted_thinking", "data": "EmwK"}) + text_block(1, "Done") + end()
REFUSAL_STREAM = (
    start()
    + text_block(0, "No.")
    + end("refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": "not allowed"})
)
LENGTH_STREAM = start() + text_block(0, "cut") + end("max_tokens")
SEQUENCE_STREAM = start() + text_block(0, "a") + end("stop_sequence", stop_sequence="END")
SERVER_TOOL_STREAM = (
    start()
    + block(
        0,
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"query":'},
        {"type": "input_json_delta", "partial_json": '"x"}'},
    )
    + block(1, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []})
    + block(
        2,
        {"type": "text", "text": ""},
        {"type": "text_delta", "text": "Found."},
        {"type": "citations_delta", "citation": {"type": "web_search_result_location", "url": "https://e.org"}},
    )
    + end()
)
OMITTED_THINKING_STREAM = start() + thinking_block(0) + text_block(1, "Hi") + end()

STREAMS: list[bytes] = [
    TEXT_STREAM,
    CALLS_STREAM,
    REDACTED_STREAM,
    REFUSAL_STREAM,
    LENGTH_STREAM,
    SEQUENCE_STREAM,
    SERVER_TOOL_STREAM,
    OMITTED_THINKING_STREAM,
]

PAIRS: list[tuple[bytes, dict[str, Json]]] = [
    (TEXT_STREAM, RESPONSES[0]),
    (CALLS_STREAM, RESPONSES[1]),
    (REDACTED_STREAM, RESPONSES[2]),
    (LENGTH_STREAM, RESPONSES[3]),
    (SEQUENCE_STREAM, RESPONSES[4]),
    (REFUSAL_STREAM, RESPONSES[5]),
]
