"""What the scripts here share: the tools they offer, and conversations that come in as lines and are told as lines.

Run by the Python of another environment, which has the framework and not Callgate.
"""

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SYSTEM = "Be brief."


class Deep(TypedDict):
    ratio: float
    now: bool
    zone: str | None


class Options(TypedDict):
    units: list[str]
    deep: Deep


class Place(BaseModel):
    name: str = Field(min_length=2)
    country: str | None = None


class Report(BaseModel):
    """The weather."""

    place: Place
    celsius: float = Field(ge=-90, le=60)
    sky: Literal["rain", "sun"] | None = None
    notes: list[str] = Field(max_length=5)


runs: list[dict[str, Any]] = []


def get_weather(city: str, options: Options) -> str:
    """Use get_weather.

    Args:
        city: A town’s name
        options: How to tell it
    """
    runs.append({"name": "get_weather", "arguments": {"city": city, "options": options}})
    return '{"sky": "Regen ☔", "celsius": 11.5}'


def find_note(query: str, limit: int, tags: list[str]) -> str:
    """Use find_note.

    Args:
        query: What to look for
        limit: How many
        tags: Of the note
    """
    runs.append({"name": "find_note", "arguments": {"query": query, "limit": limit, "tags": tags}})
    return "Schirm\nnicht „vergessen“"


def list_notes() -> str:
    """List all notes."""
    runs.append({"name": "list_notes", "arguments": {}})
    return "none"


def failing_notes() -> str:
    """List all notes."""
    runs.append({"name": "list_notes", "arguments": {}})
    raise ValueError("the shelf is empty")


failing_notes.__name__ = "list_notes"
TOOLS: dict[str, list[Callable[..., str]]] = {
    "two": [get_weather, find_note],
    "bare": [list_notes],
    "failing": [failing_notes],
    "none": [],
}


def tell(error: BaseException) -> dict[str, Any]:
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and len(chain) < 6:
        chain.append(cause)
    return {
        "kinds": [kind.__name__ for kind in type(error).__mro__],
        "chain": [type(one).__name__ for one in chain],
        "message": str(error),
        "trace": "".join(traceback.format_exception(error))[-6000:],
    }


def serve(play: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
    """Plays one conversation after the other."""
    asyncio.run(_serve(play))


async def _serve(play: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
    out = sys.stdout
    sys.stdout = sys.stderr  # frameworks print
    print(json.dumps({"ready": True}), file=out, flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        errand = json.loads(line)
        runs.clear()
        told: dict[str, Any] = {"replies": [], "usage": None, "error": None}
        try:
            told |= await play(errand)
        except Exception as error:
            told["error"] = tell(error)
        told["runs"] = list(runs)
        print(json.dumps(told, default=str), file=out, flush=True)
