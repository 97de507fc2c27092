"""A content part of a message while it streams in: its text, what that rests on, how likely its tokens were.

Servers tell the last two piece by piece, only at the end, or both: each is taken once.
"""

from dataclasses import dataclass, field

from callgate.core.deltas import Cited, Delta, TokensWeighed
from callgate.core.messages import Json
from callgate.wire.openai_logprobs import read_logprobs
from callgate.wire.openai_responses.annotations import read_annotations
from callgate.wire.openai_responses.call_in_making import Growing


@dataclass(slots=True)
class WordsInMaking:
    part: int
    grown: Growing = field(default_factory=Growing)
    _cited: int = 0
    _weighed: bool = False

    def cite(self, annotation: Json) -> list[Delta]:
        """The next annotation."""
        self._cited += 1
        return [Cited(self.part, citation) for citation in read_annotations([annotation])]

    def weigh(self, logprobs: Json) -> list[Delta]:
        """The next tokens."""
        tokens = read_logprobs(logprobs)
        self._weighed = self._weighed or bool(tokens)
        return [TokensWeighed(self.part, tokens)] if tokens else []

    def end(self, annotations: Json, logprobs: Json) -> list[Delta]:
        """All annotations and all tokens: what of them has not been told yet."""
        untold = annotations[self._cited :] if isinstance(annotations, list) else []
        deltas = [delta for annotation in untold for delta in self.cite(annotation)]
        return deltas if self._weighed else [*deltas, *self.weigh(logprobs)]
