"""A client that gave up waiting and asks again: recognised, so that the person is not asked twice.

No client sends an idempotency key. A retry has the same wire, agent (both proven, or both claimed), key and body;
Codex writes its keys in another order each time and appends what it had already received to `input`. The same body
alone proves nothing: a program run twice, or one that samples the same question several times at once, must not get two
calls for one approval. So only exchanges that wait for a person are joined, and only those whose client has gone,
unless the new one says that it retries.
"""

from collections.abc import Iterable, Mapping

from callgate.core.json.text import parse_object
from callgate.core.messages import Json
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchange import Exchange

_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key")
_RETRIES = "x-stainless-retry-count"
"""How often the official packages of OpenAI and Anthropic have tried already."""


def find_retried(arrival: Arrival, running: Iterable[Exchange]) -> Exchange | None:
    """The exchange that a request asks for again, if one waits."""
    says_so = arrival.headers.get(_RETRIES, "0").strip() not in ("", "0")
    held = [
        exchange
        for exchange in running
        if (exchange.was_given_up or (says_so and exchange.is_held)) and _same_asker(arrival, exchange.arrival)
    ]
    if not held or not arrival.body:
        return None
    body = parse_object(arrival.body) or {}
    return next((e for e in held if _same_body(body, parse_object(e.arrival.body) or {})), None)


def _same_asker(one: Arrival, other: Arrival) -> bool:
    return (
        # Gemini says the model and whether to stream in the path
        _asked_for(one) == _asked_for(other)
        and one.identity == other.identity
        and one.query == other.query
        and bool(other.body)
        and all(one.headers.get(name) == other.headers.get(name) for name in _KEY_HEADERS)
    )


def _asked_for(arrival: Arrival) -> tuple[str, str, bool]:
    return arrival.request.wire, arrival.request.model, arrival.request.stream


def _same_body(new: Mapping[str, Json], old: Mapping[str, Json]) -> bool:
    if new == old:
        return True
    new_input, old_input = new.get("input"), old.get("input")
    if not isinstance(new_input, list) or not isinstance(old_input, list):
        return False
    rest = {key: value for key, value in new.items() if key != "input"}
    old_rest = {key: value for key, value in old.items() if key != "input"}
    grown = len(new_input) > len(old_input) and new_input[: len(old_input)] == old_input
    return grown and _all_received(new_input[len(old_input) :]) and rest == old_rest


def _all_received(items: list[Json]) -> bool:
    """Only what the provider had said already may have been added; a new message is a new request."""
    return all(isinstance(item, dict) and item.get("type") == "reasoning" for item in items)
