"""What is said in the tool loop that all four services play: two calls in parallel, then an answer.

Only words and numbers; each service spells them in the bytes of its own wire.
"""

import json
from typing import Any

ASK = "What is the weather in Zürich, and what does my note say?"
THANKS = "Danke schön!"
THINKING = "Two tools are needed: naïve, but „gründlich“."
OPENING = "Ich sehe nach – einen Moment … 🌍"
FINAL = "Es regnet in Zürich 🌧️; die Notiz sagt „Schirm“."
WELCOME = "Gern geschehen."
REFUSAL = "Das kann ich nicht tun."

WEATHER = "get_weather"
NOTE = "find_note"
WEATHER_ARGUMENTS: dict[str, Any] = {
    "city": "Zürich 🌧️",
    "options": {"units": ["°C", "°F"], "deep": {"ratio": 1.5, "now": True, "zone": None}},
}
NOTE_ARGUMENTS: dict[str, Any] = {"query": 'naïve “quotes” \\ / "x"\n\tend', "limit": 3, "tags": []}
WEATHER_RESULT = '{"sky": "Regen ☔", "celsius": 11.5}'
NOTE_RESULT = "Schirm\nnicht „vergessen“"

WEATHER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "A town’s name"},
        "options": {
            "type": "object",
            "properties": {
                "units": {"type": "array", "items": {"type": "string"}},
                "deep": {"type": "object", "properties": {"ratio": {"type": "number"}, "now": {"type": "boolean"}}},
            },
        },
    },
    "required": ["city"],
}
NOTE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}

INPUT, CACHED, OUTPUT, REASONED = 120, 40, 55, 15
"""Tokens of the reply with the calls: `INPUT` with what was cached, `OUTPUT` with the reasoning."""


def written(arguments: dict[str, Any]) -> str:
    """Arguments as a model writes them: spaces and all."""
    return json.dumps(arguments, ensure_ascii=False)


def fragments(text: str, length: int = 7) -> list[str]:
    """A text in pieces as tokens come."""
    return [text[start : start + length] for start in range(0, len(text), length)]
