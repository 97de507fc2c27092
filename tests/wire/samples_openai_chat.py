"""Bodies and streams of OpenAI Chat Completions in their true form, for the contract that all wires keep."""

import json

from callgate.core.messages import Json
from callgate.wire.openai_chat import OpenAIChat

CODEC = OpenAIChat()

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER: dict[str, Json] = {
    "type": "function",
    "function": {"name": "get_weather", "description": "Weather of a city", "parameters": SCHEMA, "strict": True},
}
TIME: dict[str, Json] = {"type": "function", "function": {"name": "get_time"}}
PATCH: dict[str, Json] = {
    "type": "custom",
    "custom": {
        "name": "apply_patch",
        "description": "Edits files",
        "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: /.+/"}},
    },
}


def call(id: str, name: str, arguments: str, **more: Json) -> dict[str, Json]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


PLAIN: dict[str, Json] = {"model": "gpt-5.5", "messages": [{"role": "user", "content": "Grüezi 👋"}]}

TOOL_LOOP: dict[str, Json] = {
    "model": "gpt-5.5",
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Weather in Zürich and the time?", "name": "ada"},
        {
            "role": "assistant",
            "content": "Let me look.",
            "tool_calls": [
                call("call_1", "get_weather", '{"city": "Zürich"}'),
                call("call_2", "get_time", "{}"),
            ],
        },
        {"role": "tool", "tool_call_id": "call_2", "content": "12:00"},
        {"role": "tool", "tool_call_id": "call_1", "content": "sunny", "name": "get_weather"},
        {"role": "user", "content": "Thanks"},
    ],
    "tools": [WEATHER, TIME],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "stream": True,
    "stream_options": {"include_usage": True, "include_obfuscation": False},
    "max_completion_tokens": 500,
    "temperature": 0.2,
    "top_p": 1,
    "stop": ["END"],
    "seed": 7,
    "n": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0.5,
    "reasoning_effort": "low",
    "store": False,
    "metadata": {"purpose": "test"},
    "user": "u1",
    "logprobs": True,
    "top_logprobs": 2,
}

OPENAI_PY_LOOP: dict[str, Json] = {
    "model": "gpt-5.5",
    "messages": [
        {"role": "user", "content": "Time?"},
        {  # what openai-python's stream helper gives back, word for word
            "role": "assistant",
            "content": None,
            "annotations": None,
            "audio": None,
            "parsed": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "index": 0,
                    "function": {"name": "get_time", "arguments": "{}", "parsed_arguments": None},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "12:00"},
    ],
    "tools": [TIME],
}

ATTACHMENTS: dict[str, Json] = {
    "model": "gpt-5.5",
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?", "cache_control": {"type": "ephemeral"}},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0=", "detail": "low"}},
                {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
                {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"}},
                {"type": "file", "file": {"file_id": "file-1"}},
                {"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}},
            ],
        },
        {"role": "assistant", "content": None, "refusal": "I would rather not."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
    ],
    "max_tokens": 64000,
    "modalities": ["text"],
}

CUSTOM: dict[str, Json] = {
    "model": "gpt-5.5",
    "messages": [
        {"role": "system", "content": "Edit."},
        {"role": "user", "content": "Fix it"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_p", "type": "custom", "custom": {"name": "apply_patch", "input": "+é"}}],
        },
        {
            "role": "tool",
            "tool_call_id": "call_p",
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        },
    ],
    "tools": [WEATHER, PATCH, TIME],
    "tool_choice": {
        "type": "allowed_tools",
        "allowed_tools": {
            "mode": "auto",
            "tools": [
                {"type": "custom", "custom": {"name": "apply_patch"}},
                {"type": "function", "function": {"name": "get_time"}},
            ],
        },
    },
}

REASONED: dict[str, Json] = {
    "model": "deepseek/deepseek-r2",
    "messages": [
        {"role": "user", "content": "Time?"},
        {
            "role": "assistant",
            "content": "",
            "reasoning": "Look at the clock.",
            "reasoning_details": [
                {"type": "reasoning.text", "text": "Look at the clock.", "signature": "s", "index": 0}
            ],
        },
        {"role": "user", "content": "Well?"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Now.",
            "tool_calls": [call("call_1", "get_time", "{}", extra_content={"google": {"thought_signature": "c2ln"}})],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "12:00"},
    ],
    "tools": [TIME],
    "tool_choice": {"type": "function", "function": {"name": "get_time"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}},
    "reasoning": {"effort": "high"},
}

REQUESTS: list[dict[str, Json]] = [PLAIN, TOOL_LOOP, OPENAI_PY_LOOP, ATTACHMENTS, CUSTOM, REASONED]

USAGE: dict[str, Json] = {
    "prompt_tokens": 120,
    "completion_tokens": 42,
    "total_tokens": 162,
    "prompt_tokens_details": {"cached_tokens": 100, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 8, "accepted_prediction_tokens": 0},
}


def reply(message: dict[str, Json], finish: str = "stop", **more: Json) -> dict[str, Json]:
    return {
        "id": "chatcmpl-abc",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "gpt-5.5-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "refusal": None, **message},
                "logprobs": None,
                "finish_reason": finish,
            }
        ],
        "usage": USAGE,
        "system_fingerprint": "fp_1",
        **more,
    }


CALLS: list[Json] = [call("call_1", "get_weather", '{"city":"Zürich"}'), call("call_2", "get_time", "{}")]
TWO: list[Json] = [
    {"index": 0, "message": {"role": "assistant", "content": "eins"}, "finish_reason": "stop"},
    {"index": 1, "message": {"role": "assistant", "content": "zwei"}, "finish_reason": "length"},
]
DETAILS: list[Json] = [
    {"type": "reasoning.text", "text": "First, look.", "format": "unknown", "index": 0, "signature": "sig"}
]

RESPONSES: list[dict[str, Json]] = [
    reply({"content": "Grüezi, 世界 👋 \u2028 done.", "annotations": []}),
    reply({"content": "Let me look.", "tool_calls": CALLS}, "tool_calls"),
    reply({"content": "12:00", "reasoning_content": "First, look."}),
    reply({"content": "12:00", "reasoning": "First, look.", "reasoning_details": DETAILS}),
    reply({"content": None, "refusal": "I can't help with that."}),
    reply({"content": "It was a dark and"}, "length"),
    reply({"content": "It was"}, "content_filter"),
    reply({}, choices=TWO),
    reply(
        {
            "content": None,
            "tool_calls": [{"id": "call_p", "type": "custom", "custom": {"name": "apply_patch", "input": "+é\n-e"}}],
        },
        "tool_calls",
    ),
    reply(
        {
            "content": None,
            "tool_calls": [call("call_1", "get_time", "{}", extra_content={"google": {"thought_signature": "c2ln"}})],
        },
        "tool_calls",
    ),
]

FIRST: dict[str, Json] = {"role": "assistant", "content": None}


def chunk(delta: dict[str, Json] | None, finish: str | None = None, index: int = 0, **more: Json) -> bytes:
    """One chunk as the provider writes it."""
    choice: dict[str, Json] = {"index": index, "delta": delta or {}, "logprobs": None, "finish_reason": finish}
    body: dict[str, Json] = {
        "id": "chatcmpl-abc",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "gpt-5.5-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": [] if delta is None else [choice],
        "usage": None,
        **more,
    }
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def part(index: int, arguments: str, **more: Json) -> dict[str, Json]:
    return {"tool_calls": [{"index": index, "function": {"arguments": arguments}, **more}]}


def begun(index: int, id: str, name: str, arguments: str = "", **more: Json) -> dict[str, Json]:
    return {"tool_calls": [{"index": index, **call(id, name, arguments), **more}]}


DONE = b"data: [DONE]\n\n"
END = chunk(None, usage=USAGE) + DONE


def stream(*deltas: dict[str, Json], finish: str = "stop") -> bytes:
    return chunk(FIRST) + b"".join(chunk(delta) for delta in deltas) + chunk({}, finish) + END


def texts(key: str, *pieces: str) -> list[dict[str, Json]]:
    return [{key: piece} for piece in pieces]


STREAMS: list[bytes] = [
    stream(*texts("content", "", "Grüezi, ", "世界 👋", " \u2028 done.")),
    stream(
        *texts("content", "Let me ", "look."),
        begun(0, "call_1", "get_weather"),
        part(0, '{"city"'),
        part(0, ':"Zürich"}'),
        begun(1, "call_2", "get_time"),
        part(1, "{}"),
        finish="tool_calls",
    ),
    stream(*texts("reasoning_content", "First, ", "look."), *texts("content", "12", ":00")),
    stream(
        {
            "reasoning": "First,",
            "reasoning_details": [{"type": "reasoning.text", "text": "First,", "format": "unknown", "index": 0}],
        },
        {"reasoning": " look.", "reasoning_details": [{"type": "reasoning.text", "text": " look.", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.text", "signature": "sig", "index": 0}]},
        {"content": "12:00"},
    ),
    stream(*texts("refusal", "I can't ", "help with that.")),
    stream({"content": "It was a dark and"}, finish="length"),
    stream({"content": "It was"}, finish="content_filter"),
    chunk(FIRST)
    + chunk(FIRST, index=1)
    + chunk({"content": "zw"}, index=1)
    + chunk({"content": "eins"})
    + chunk({"content": "ei"}, index=1)
    + chunk({}, "stop")
    + chunk({}, "length", index=1)
    + END,
    stream(
        {
            "tool_calls": [
                {"index": 0, "id": "call_p", "type": "custom", "custom": {"name": "apply_patch", "input": ""}}
            ]
        },
        {"tool_calls": [{"index": 0, "custom": {"input": "+é\n"}}]},
        {"tool_calls": [{"index": 0, "custom": {"input": "-e"}}]},
        finish="tool_calls",
    ),
    stream(
        begun(0, "call_1", "get_time", "{}", extra_content={"google": {"thought_signature": "c2ln"}}),
        finish="tool_calls",
    ),
]
"""In the same order as `RESPONSES`: each is the same answer, streamed."""
