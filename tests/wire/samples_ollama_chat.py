"""Samples of Ollama's own wire, as its server and the official Python package write them."""

import json
from typing import Any

from callgate.wire.ollama_chat import OllamaChat

CODEC = OllamaChat()
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Its name."}},
            "required": ["city"],
        },
    },
}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


REQUESTS: list[dict[str, Any]] = [
    {
        "model": "qwen3:8b",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Weather in Bern and Rome?"},
        ],
        "tools": [WEATHER],
        "stream": True,
        "options": {
            "num_predict": 200,
            "temperature": 0.2,
            "top_p": 0.9,
            "top_k": 40,
            "stop": ["END"],
            "seed": 7,
            "num_ctx": 8192,
        },
        "keep_alive": "10m",
        "think": True,
    },
    {
        "model": "qwen3:8b",
        "messages": [
            {"role": "user", "content": "Weather in Bern and Rome?"},
            {
                "role": "assistant",
                "content": "Let me look.",
                "thinking": "Two cities.",
                "tool_calls": [call("get_weather", city="Bern"), call("get_weather", city="Rome")],
            },
            {"role": "tool", "content": "wet", "tool_name": "get_weather"},
            {"role": "tool", "content": "dry", "tool_name": "get_weather"},
        ],
        "tools": [WEATHER],
        "stream": False,
    },
    {
        "model": "gpt-oss:20b",
        "messages": [
            {"role": "user", "content": "What is this?", "images": [PIXEL]},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "call_7", **call("look")}]},
            {"role": "tool", "content": "", "tool_name": "look", "tool_call_id": "call_7"},
            {"role": "assistant", "content": "A pixel."},
            {"role": "user", "content": "As JSON, please."},
        ],
        "stream": True,
        "format": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        "options": {"num_predict": -1, "presence_penalty": 0.5, "frequency_penalty": 0.25, "repeat_penalty": 1.1},
        "think": "high",
    },
    {
        "model": "llama3.2",
        "messages": [
            {"role": "user", "content": "Run it."},
            {"role": "assistant", "content": "", "tool_calls": [call("run")]},
            {"role": "tool", "content": "done"},
        ],
        "stream": False,
        "format": "json",
        "think": False,
        "logprobs": True,
        "top_logprobs": 2,
    },
]

END = {
    "total_duration": 5191566416,
    "load_duration": 2154458,
    "prompt_eval_count": 26,
    "prompt_eval_duration": 383809000,
    "eval_count": 298,
    "eval_duration": 4799921000,
}


def reply(*messages: dict[str, Any], reason: str = "stop", model: str = "qwen3:8b", **end: Any) -> list[dict[str, Any]]:
    """The objects of a stream; the last one is the end."""
    lines = [
        {
            "model": model,
            "created_at": f"2026-11-19T08:52:03.38768{place}Z",
            "message": {"role": "assistant", "content": "", **message},
            "done": False,
        }
        for place, message in enumerate(messages)
    ]
    last = {
        "model": model,
        "created_at": "2026-11-19T08:52:09.10287Z",
        "message": {"role": "assistant", "content": ""},
        "done_reason": reason,
        "done": True,
        **(end or END),
    }
    return [*lines, last]


def whole(message: dict[str, Any], reason: str = "stop", **end: Any) -> dict[str, Any]:
    return {
        "model": "qwen3:8b",
        "created_at": "2026-11-19T08:52:03.387680Z",
        "message": {"role": "assistant", "content": "", **message},
        "done_reason": reason,
        "done": True,
        **(end or END),
    }


def stream(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)


def weighed(token: str) -> dict[str, Any]:
    entry = {"token": token, "logprob": -0.1, "bytes": list(token.encode())}
    return {**entry, "top_logprobs": [entry]}


CALLS = [call("get_weather", city="Bern"), call("get_weather", city="Zürich 🌧")]
IDENTIFIED = [{"id": "call_a", **call("look")}, {"id": "call_b", **call("look")}]
LIKELY = reply({"content": "Sun"}, {"content": "ny"})
LIKELY[0]["logprobs"], LIKELY[1]["logprobs"] = [weighed("Sun")], [weighed("ny")]

STREAMS: list[bytes] = [
    stream(reply({"content": "Hello"}, {"content": ", world \u2028 naïve 👋"}, {"content": "!"})),
    stream(reply({"thinking": "Two"}, {"thinking": " cities."}, {"content": "Let me look."}, {"tool_calls": CALLS})),
    stream(reply({"tool_calls": IDENTIFIED[:1]}, {"tool_calls": IDENTIFIED[1:]})),
    stream(reply({"content": "Once upon a"}, reason="length")),
    stream(LIKELY),
]
RESPONSES: list[dict[str, Any]] = [
    whole({"content": "Hello, world \u2028 naïve 👋!"}),
    whole({"content": "Let me look.", "thinking": "Two cities.", "tool_calls": CALLS}),
    whole({"tool_calls": IDENTIFIED}),
    whole({"content": "Once upon a"}, reason="length"),
    {**whole({"content": "Sunny"}), "logprobs": [weighed("Sun"), weighed("ny")]},
]
