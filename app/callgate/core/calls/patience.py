"""How long a client bears to be held: what it says itself, and what was measured of those that say nothing.

A held client has its headers and is kept alive, which resets most timers: those for silence before headers (Gemini CLI
60 s, Qwen Code 120 s) and after them (240 to 600 s). What is left is either a limit on the whole answer, or the moment
at which a hang-up was a time-out and not a person's Ctrl+C.
"""

from collections.abc import Mapping

_HINTS = ("x-stainless-read-timeout", "x-stainless-timeout", "x-server-timeout")
SHORTEST_SILENCE = 55.0
"""No known client gives up by itself earlier than after a minute, unless it says so."""

_WHOLE_ANSWER: dict[str, float] = {"claude-code": 600.0}
"""Agents that limit the whole answer, whatever flows; measured."""
_WHOLE_PLAIN_ANSWER: dict[str, float] = {"openai-js": 600.0, "qwen-code": 120.0}
"""Agents whose time limit covers the body of a plain answer, white space or not. Qwen Code is made with openai-js, and
sets that limit to two minutes."""
_AT_THE_LIMIT = 5.0
"""A client that leaves so short a time before its limit has run into it: clocks and headers take their time."""
_SHORTEST_BEAT = 0.2
_SAYS_IT = ("google-genai", "gl-node")
"""Google's package under Node does the same, and says for how long where a limit is set at all; that for Python, which
says it too, goes by silence alone."""


def hinted_silence(headers: Mapping[str, str]) -> float | None:
    """Seconds of silence that a client says it bears; header names are lower case."""
    for name in _HINTS:
        try:
            seconds = float(headers.get(name, ""))
        except ValueError:  # some send NOT_GIVEN, literally
            continue
        if seconds > 0:
            return seconds
    return None


def gives_up_after(agent: str, stream: bool, headers: Mapping[str, str]) -> float | None:
    """Seconds after which a client leaves although it is kept alive; None = it does not."""
    if agent in _WHOLE_ANSWER:
        return _WHOLE_ANSWER[agent]
    if stream:
        return None
    name, platform = _SAYS_IT
    said = f"{headers.get('user-agent', '')} {headers.get('x-goog-api-client', '')}"
    if agent == name and platform in said:
        return hinted_silence(headers)
    return _WHOLE_PLAIN_ANSWER.get(agent)


def beat_within(headers: Mapping[str, str]) -> float | None:
    """How often a client must hear something that says how much silence it bears; None = it does not say."""
    hint = hinted_silence(headers)
    return None if hint is None else max(_SHORTEST_BEAT, hint / 2)


def was_a_timeout(held_seconds: float, headers: Mapping[str, str], seconds_left: float | None = None) -> bool:
    """Whether a client that left after being held for so long has probably run into its own limit and will retry.

    `seconds_left`: until the limit on its whole answer, where it has one.
    """
    if seconds_left is not None and seconds_left <= _AT_THE_LIMIT:
        return True
    hint = hinted_silence(headers)
    return held_seconds >= min(SHORTEST_SILENCE, 0.9 * hint if hint else SHORTEST_SILENCE)
