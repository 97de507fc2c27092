"""What a provider's reply says and its client is not told, as the client's wire has no word for it: named in a warning,
unless it is known to be of no weight. Nothing is lost in silence.

What has a counterpart is spelled by the writers: words and what they rest on, how likely they were, thinking, calls,
pictures where there is a place for them. What the readers make nothing of comes here as it is called in the reply.
"""

from collections.abc import Iterable

from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Cited,
    Delta,
    Failed,
    Finished,
    PartArrived,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    Started,
    TextDelta,
    TokensWeighed,
    UsageReported,
)
from callgate.core.messages import Citation, File, FinishReason, Image, Json, Opaque, Part
from callgate.core.request import WireName
from callgate.wire.registry import TRAITS
from callgate.wire.unknown_fields import Beside

OF_NO_WEIGHT: dict[str, str] = {
    "obfuscation": "padding, so that nobody can tell words by their length",
    "keepalive": "a sign of life",
    "timings": "how fast a local server was",
    "usage.queue_time": "how fast a service was",
    "usage.prompt_time": "how fast a service was",
    "usage.completion_time": "how fast a service was",
    "usage.total_time": "how fast a service was",
    "x_groq": "a service's own number for the request",
    "billing": "whose account it was, which its owner knows",
    "metadata": "repeats the request",
    "prompt_cache_options": "repeats the request",
    "choices.native_finish_reason": "the finish once more, in the words of whoever is behind a gateway",
    "provider": "who is behind a gateway",
    "createTime": "Callgate itself knows when it was",
    "candidates.tokenCount": "part of a sum that is told",
    "usage.cache_creation": "part of a sum that is told",
    "usage.inference_geo": "of use to those who can ask for a place, and only the provider's own wire can",
    "usageMetadata.promptTokensDetails": "part of a sum that is told",
    "usageMetadata.candidatesTokensDetails": "part of a sum that is told",
    "usageMetadata.cacheTokensDetails": "part of a sum that is told",
    "usageMetadata.toolUsePromptTokensDetails": "part of a sum that is told",
}
"""Fields whose loss nobody misses, and why."""
OF_WEIGHT_WITH_A_SEED = ("system_fingerprint",)
"""The build that answered: of use to those who want the same answer twice."""
USUAL: dict[str, tuple[Json, ...]] = {
    "service_tier": ("auto", "default", "standard"),
    "usage.service_tier": ("standard",),
    "usage.speed": ("standard",),
    "usageMetadata.trafficType": ("ON_DEMAND",),
    "content.tool_use.caller": ({"type": "direct"},),
    "output.message.phase": ("final_answer",),
}
"""Values that say what is so anyway."""

_RATINGS = (
    "candidates.safetyRatings",
    "promptFeedback.safetyRatings",
    "choices.content_filter_results",
    "prompt_filter_results",
)
"""Said of every answer by those who say it at all; of weight where they found something."""
_DETAILS: dict[FinishReason, tuple[str, tuple[WireName, ...]]] = {
    "stop": ("stop_sequence", ("anthropic",)),
    "length": ("model_context_window_exceeded", ("anthropic",)),
    "content_filter": ("why it was filtered", ("anthropic", "gemini")),
}
"""Of a finish with a detail: what the detail is, and the wires that carry it. Words of refusal are carried by all."""


class ReplyLosses:
    """One reply on its way to one client; only what is not relayed in the provider's own bytes is to be heard here."""

    def __init__(self, client: WireName, provider: WireName, *, streamed: bool, seeded: bool = False) -> None:
        """`seeded`: the client asked for the same answer every time."""
        self._client: WireName = client
        self._traits = TRAITS[client]
        self._rewritten = client == provider
        self._streamed = streamed
        self._seeded = seeded
        self._names: dict[str, None] = {}
        self._newest = -1
        """The part that was begun last, of the first choice."""
        self._lengths: dict[int, int] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        if not self._names:
            return ()
        shown = ", ".join(self._names)
        if self._rewritten:
            return (f"answer: {shown}: left out, as the answer had to be written anew",)
        return (
            f"answer: {shown}: {self._client} has no word for {'it' if len(self._names) == 1 else 'them'}; left out",
        )

    def hear(self, deltas: Iterable[Delta], beside: Iterable[Beside] = ()) -> None:
        for delta in deltas:
            self._hear(delta)
        for name, value in beside:
            if name not in self._names and not self._is_light(name, value):
                self._names[name] = None

    def _hear(self, delta: Delta) -> None:
        if isinstance(delta, Started | UsageReported | Failed):
            return
        if delta.choice:
            if not self._traits.several_choices:
                self._lose("choices")
                return
        elif not isinstance(delta, Finished) and delta.part > self._newest:
            self._newest = delta.part
        match delta:
            case TextDelta():
                if self._client == "anthropic":
                    self._lengths[delta.part] = self._lengths.get(delta.part, 0) + len(delta.text)
            case ArgumentsDelta() | CallStarted() | CallEnded() | ReasoningDelta() | ReasoningSigned() | RefusalDelta():
                pass
            case Cited():
                self._cited(delta)
            case TokensWeighed():
                if not self._traits.logprobs or self._is_closed(delta.part):
                    self._lose("logprobs")
            case PartArrived():
                self._whole(delta.value)
            case Finished():
                detail, carried_by = _DETAILS.get(delta.reason, ("", ()))
                if delta.detail and detail and self._client not in carried_by:
                    self._lose(detail)

    def _cited(self, delta: Cited) -> None:
        citation = delta.citation
        own = citation.wire == self._client
        if not self._traits.citations or self._is_closed(delta.part):
            self._lose("citations")
            return
        if not (own or citation.url or self._client == "gemini"):
            self._lose("citations of documents")
            return
        if citation.quote and not own and self._client != "anthropic" and citation.url:
            self._lose("citations' quotes")
        if self._client == "anthropic" and self._streamed and not self._is_of_all(citation, delta.part):
            self._lose("citations' places")

    def _is_of_all(self, citation: Citation, part: int) -> bool:
        """Whether all of a text rests on it: in a stream, this client can be told no other place."""
        return citation.start is None or (citation.start, citation.end) == (0, self._lengths.get(part, 0))

    def _is_closed(self, part: int) -> bool:
        return self._streamed and self._traits.closes_text and part != self._newest

    def _whole(self, value: Part) -> None:
        match value:
            case Opaque():
                if value.wire != self._client:
                    self._lose(_kind_of(value.value))
            case Image() | File():
                held = value.data or (value.url if self._client == "gemini" else "")
                if value.kind not in self._traits.shown_parts or not held:
                    heard = value.media_type.partition("/")[0]
                    self._lose(heard if heard in ("audio", "video") else value.kind)
            case _:
                pass

    def _lose(self, name: str) -> None:
        self._names[name] = None

    def _is_light(self, name: str, value: Json) -> bool:
        if name in OF_NO_WEIGHT or value in USUAL.get(name, ()):
            return True
        if name in OF_WEIGHT_WITH_A_SEED:
            return not self._seeded
        return name in _RATINGS and _are_harmless(value)


def _are_harmless(ratings: Json) -> bool:
    """Gemini's ratings are a list; Azure's are named by what they rate, and may be nested."""
    if isinstance(ratings, list):
        return all(_are_harmless(rating) for rating in ratings)
    if not isinstance(ratings, dict):
        return True
    if any(ratings.get(found) for found in ("blocked", "filtered", "detected")):
        return False
    if ratings.get("probability", "NEGLIGIBLE") != "NEGLIGIBLE" or ratings.get("severity", "safe") != "safe":
        return False
    return all(_are_harmless(rating) for rating in ratings.values())


def _kind_of(value: Json) -> str:
    if not isinstance(value, dict):
        return "something"
    kind = value.get("type")
    return kind if isinstance(kind, str) and kind else next(iter(value), "something")
