"""Very many tools of very many sources, as different as tools are; and a schema with very many properties."""

import random

from callgate.core.messages import Json
from callgate.core.tool import Annotations, Tool

VERBS = ("get", "set", "list", "find", "create", "delete", "update", "search", "read", "write", "run", "fetch")
NOUNS = ("issue", "file", "branch", "user", "page", "event", "row", "message", "pull_request", "commit", "invoice")
SOURCES = ("github", "jira", "postgres", "slack", "browser", "files", "calendar", "mail", "sheets", "sentry")
TAGS = ("read", "edit", "search", "network", "admin", "reports", "beta")


def many_tools(sources: int = 50, each: int = 200, seed: int = 7) -> tuple[Tool, ...]:
    """The same every time."""
    chance = random.Random(seed)
    tools: list[Tool] = []
    for source in range(sources):
        name = f"{SOURCES[source % len(SOURCES)]}-{source}"
        for number in range(each):
            verb, noun = chance.choice(VERBS), chance.choice(NOUNS)
            tools.append(
                Tool(
                    f"{verb}_{noun}_{source}_{number}",
                    name,
                    f"{verb.capitalize()}s one {noun.replace('_', ' ')} of {name} and returns what became of it, "
                    f"as a list of at most {number + 1} entries.",
                    {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string", "description": f"Which {noun}."},
                            "limit": {"type": "integer", "minimum": 1, "default": 20},
                            "mode": {"type": "string", "enum": ["fast", "full"]},
                        },
                        "required": ["id"],
                    },
                    tags=(TAGS[number % len(TAGS)],),
                    annotations=Annotations(read_only=verb in ("get", "list", "find", "search", "read")),
                )
            )
    return tuple(tools)


def wide_schema(properties: int = 2000) -> dict[str, Json]:
    kinds: tuple[dict[str, Json], ...] = (
        {"type": "string", "maxLength": 200, "examples": ["abc"]},
        {"type": "integer", "minimum": 0, "default": 1},
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"type": "string", "enum": ["red", "green", "blue"]},
    )
    described: dict[str, Json] = {
        f"field_{number}": {**kinds[number % len(kinds)], "description": f"What belongs into field {number}, in words."}
        for number in range(properties)
    }
    return {"type": "object", "properties": described, "required": ["field_0", "field_5"]}
