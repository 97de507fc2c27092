"""Thinking and signatures on their way up: a target gets only proofs of its own making, taken out of their envelopes.

A foreign one would be refused, and thinking without a proof means nothing to most providers.
"""

from collections.abc import Iterable
from dataclasses import replace

from callgate.core.json.text import parse
from callgate.core.messages import Message, Reasoning, Text, ToolCall
from callgate.core.request import WireName
from callgate.wire.anthropic_messages.blocks import without_foreign_citations
from callgate.wire.dialects import Dialect
from callgate.wire.signature_envelope import is_sealed, open_envelope


class Signatures:
    def __init__(self, target: WireName, dialect: Dialect) -> None:
        self._target: WireName = target
        self._replays = dialect.replay_reasoning
        self._of_calls = {target, "gemini"} if _takes_gemini_proofs(target, dialect) else {target}

    def reasoning(self, part: Reasoning) -> Reasoning | None:
        """None where the target must not see it."""
        if not is_sealed(part.signature):
            if part.wire == self._target:
                return part
        else:
            envelope = open_envelope(part.signature)
            if envelope is not None and envelope.wire == self._target and self._is_readable(envelope.signature):
                text = "" if envelope.redacted else part.text
                return Reasoning(text, envelope.signature, envelope.redacted, self._target, envelope.id)
        if self._replays and part.text:
            return Reasoning(part.text)
        return None

    def call(self, part: ToolCall) -> ToolCall:
        if not part.signature:
            return part
        if not is_sealed(part.signature):
            return part if part.wire in self._of_calls else replace(part, signature="", wire="")
        envelope = open_envelope(part.signature)
        if envelope is None or envelope.wire not in self._of_calls:
            return replace(part, signature="", wire="")
        return replace(part, signature=envelope.signature, wire=envelope.wire)

    def _is_readable(self, signature: str) -> bool:
        """What comes back from a client may be anything; a Chat server's own proof is a list of JSON."""
        if self._target != "openai-chat":
            return bool(signature)
        try:
            return isinstance(parse(signature), list)
        except ValueError:
            return False


def carries_foreign_proofs(messages: Iterable[Message], wire: WireName, dialect: Dialect) -> bool:
    """True: a provider of the history's own wire would refuse it as it is, as other providers' thinking is in it, or
    what they cited.

    Anthropic's own service proves all of its thinking; compatible servers may not, and know their own.
    """
    unproven = wire == "anthropic" and not dialect.name
    for message in messages:
        for part in message.parts:
            match part:
                case Text(extras=extras) if "citations" in extras and wire == "anthropic":
                    if without_foreign_citations(extras) is not extras:
                        return True
                case Reasoning(signature="") if unproven:
                    return True
                case Reasoning() | ToolCall() if is_sealed(part.signature):
                    return True
                case _:
                    pass
    return False


def _takes_gemini_proofs(target: WireName, dialect: Dialect) -> bool:
    """Gemini behind Google's Chat-compatible service, or behind a gateway that speaks Chat."""
    return target == "openai-chat" and dialect.thought_signatures
