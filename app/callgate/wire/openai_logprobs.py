"""How likely tokens were, in the one spelling that both of OpenAI's wires have for it."""

from collections.abc import Iterable

from callgate.core.messages import Json, TokenLogprob
from callgate.wire.unknown_fields import Beside, unread

_KNOWN = frozenset(("token", "logprob", "bytes", "top_logprobs"))


def read_logprobs(entries: Json) -> tuple[TokenLogprob, ...]:
    """What is no entry of the list is left out."""
    if not isinstance(entries, list):
        return ()
    return tuple(chance for entry in entries if (chance := _read(entry)) is not None)


def write_logprobs(tokens: Iterable[TokenLogprob], *, always_bytes: bool) -> list[Json]:
    """`always_bytes`: where the wire wants them, the token's text stands for what the provider did not say."""
    return [
        {**_write(token, always_bytes), "top_logprobs": [_write(other, always_bytes) for other in token.others]}
        for token in tokens
    ]


def unread_logprobs(entries: Json, path: str) -> list[Beside]:
    found: list[Beside] = []
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            found += unread(entry, _KNOWN, path)
            found += unread_logprobs(entry.get("top_logprobs"), f"{path}top_logprobs.")
    return found


def _read(entry: Json) -> TokenLogprob | None:
    match entry:
        case {"token": str(token), "logprob": int() | float() as logprob}:
            given = entry.get("bytes")
            whole = isinstance(given, list) and all(isinstance(one, int) for one in given)
            spelled = tuple(one for one in given if isinstance(one, int)) if whole and isinstance(given, list) else None
            return TokenLogprob(token, float(logprob), spelled, read_logprobs(entry.get("top_logprobs")))
        case _:
            return None


def _write(token: TokenLogprob, always_bytes: bool) -> dict[str, Json]:
    spelled = token.bytes
    if spelled is None and always_bytes:
        spelled = tuple(token.token.encode("utf-8", "replace"))
    return {"token": token.token, "bytes": None if spelled is None else [*spelled], "logprob": token.logprob}
