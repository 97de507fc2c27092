"""How likely tokens were ↔ `logprobsResult`: the chosen ones in one list, what else there was in another."""

from collections.abc import Iterable

from callgate.core.messages import Json, TokenLogprob
from callgate.wire.unknown_fields import Beside, unread

_PATH = "candidates.logprobsResult."
_KNOWN = frozenset(("chosenCandidates", "topCandidates", "logProbabilitySum"))
"""The sum is that of what is told token by token."""
_OF_OTHERS = frozenset(("candidates",))
_OF_TOKEN = frozenset(("token", "logProbability", "tokenId"))
"""The ids are numbers in one model's own vocabulary."""


def read_logprobs(result: Json) -> tuple[TokenLogprob, ...]:
    if not isinstance(result, dict):
        return ()
    chosen, top = result.get("chosenCandidates"), result.get("topCandidates")
    others = top if isinstance(top, list) else []
    tokens: list[TokenLogprob] = []
    for place, entry in enumerate(chosen if isinstance(chosen, list) else ()):
        beside = others[place] if place < len(others) else None
        token = _read(entry, beside.get("candidates") if isinstance(beside, dict) else None)
        tokens += [] if token is None else [token]
    return tuple(tokens)


def unread_logprobs(result: Json) -> list[Beside]:
    if not isinstance(result, dict):
        return []
    found = unread(result, _KNOWN, _PATH)
    for entry in _objects(result.get("chosenCandidates")):
        found += unread(entry, _OF_TOKEN, f"{_PATH}chosenCandidates.")
    for others in _objects(result.get("topCandidates")):
        found += unread(others, _OF_OTHERS, f"{_PATH}topCandidates.")
        for entry in _objects(others.get("candidates")):
            found += unread(entry, _OF_TOKEN, f"{_PATH}topCandidates.candidates.")
    return found


def write_logprobs(tokens: Iterable[TokenLogprob]) -> dict[str, Json]:
    """The field of a candidate; none where nothing is known."""
    listed = list(tokens)
    if not listed:
        return {}
    chosen: list[Json] = [_write(token) for token in listed]
    top: list[Json] = [{"candidates": [_write(other) for other in token.others]} for token in listed]
    return {"logprobsResult": {"chosenCandidates": chosen, "topCandidates": top}}


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _read(entry: Json, others: Json) -> TokenLogprob | None:
    match entry:
        case {"token": str(token), "logProbability": int() | float() as logprob}:
            found = [_read(other, None) for other in others] if isinstance(others, list) else []
            return TokenLogprob(token, float(logprob), others=tuple(other for other in found if other is not None))
        case _:
            return None


def _write(token: TokenLogprob) -> dict[str, Json]:
    return {"token": token.token, "logProbability": token.logprob}
