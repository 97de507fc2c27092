"""A reply, whole or chunk by chunk: response objects → deltas. How they were framed is not known here."""

from callgate.core.deltas import Delta, Failed, Finished, Started, UsageReported
from callgate.core.ids import new_id
from callgate.core.messages import Json, Usage
from callgate.wire.gemini_generate.candidate_reader import CandidateReader
from callgate.wire.gemini_generate.errors import fault_of
from callgate.wire.gemini_generate.finish import read_block
from callgate.wire.gemini_generate.usage import COUNTED, read_usage
from callgate.wire.unknown_fields import Beside, unread

_KNOWN = frozenset(("candidates", "responseId", "modelVersion", "usageMetadata", "error", "promptFeedback"))
_OF_FEEDBACK = frozenset(("blockReason", "blockReasonMessage"))
_OF_USAGE = frozenset(COUNTED)


class ReplyReader:
    """What one response object after another adds to a reply."""

    def __init__(self) -> None:
        self._candidates: dict[int, CandidateReader] = {}
        self._ids: set[str] = set()
        self._usage: Usage | None = None
        self._place = ""
        """Tells this reply from all others; set with the first object."""
        self._blocked = False

    @property
    def complete(self) -> bool:
        if self._blocked:
            return True
        return bool(self._candidates) and all(candidate.finished for candidate in self._candidates.values())

    def take(self, chunk: dict[str, Json], repairs: list[str], beside: list[Beside] | None = None) -> list[Delta]:
        """Up to the first failure, after which nothing counts."""
        beside = [] if beside is None else beside
        if chunk.get("error"):
            return [Failed(fault_of(chunk))]
        deltas: list[Delta] = []
        if not self._place:
            id, model = chunk.get("responseId"), chunk.get("modelVersion")
            started = Started(id if isinstance(id, str) else "", model if isinstance(model, str) else "")
            self._place = started.id or new_id("resp")
            deltas.append(started)
        candidates = chunk.get("candidates")
        for place, candidate in enumerate(candidates if isinstance(candidates, list) else ()):
            if isinstance(candidate, dict):
                deltas += self._candidate(candidate, place).take(candidate, repairs, beside)
        beside += unread(chunk, _KNOWN)
        if isinstance(feedback := chunk.get("promptFeedback"), dict):
            deltas += self._judged(feedback, beside)
        usage = read_usage(chunk.get("usageMetadata"))
        if usage is not None and usage != self._usage:
            self._usage = usage
            given = chunk.get("usageMetadata")
            beside += unread(given, _OF_USAGE, "usageMetadata.") if isinstance(given, dict) else []
            deltas.append(UsageReported(usage))
        failed = next((place for place, delta in enumerate(deltas) if isinstance(delta, Failed)), len(deltas))
        return deltas[: failed + 1]

    def _judged(self, feedback: dict[str, Json], beside: list[Beside]) -> list[Delta]:
        """What the provider makes of the prompt; if it refuses it, that is all there is."""
        beside += unread(feedback, _OF_FEEDBACK, "promptFeedback.")
        blocked = read_block(feedback)
        if not blocked:
            return []
        if self._candidates:
            beside.append(("promptFeedback.blockReason", blocked))
            return []
        self._blocked = True
        return [Finished("content_filter", blocked)]

    def _candidate(self, candidate: dict[str, Json], place: int) -> CandidateReader:
        index = candidate.get("index")
        number = index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else place
        if number not in self._candidates:
            self._candidates[number] = CandidateReader(number, self._ids, f"{self._place}:{number}")
        return self._candidates[number]
