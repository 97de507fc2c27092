"""A server's stream → frames: what each chunk means, and what in it broke the rules."""

from collections.abc import Collection, Mapping

from callgate.core.assembly import disassemble
from callgate.core.deltas import Delta, Failed, Started, UsageReported
from callgate.core.errors import Fault, PeerFault
from callgate.core.json.text import parse_object
from callgate.core.messages import Json, Usage
from callgate.wire.codec import Frame
from callgate.wire.openai_chat.choice_reader import ChoiceReader
from callgate.wire.openai_chat.errors import fault_of, read_error
from callgate.wire.openai_chat.response import KNOWN, number_of, read_response, text_of, unread_usage
from callgate.wire.openai_chat.usage import read_usage
from callgate.wire.sse import SseEvent, SseParser
from callgate.wire.sse_noise import SseNoise
from callgate.wire.unknown_fields import Beside, unread

_KNOWN_OF_CHOICE = frozenset(("index", "delta", "message", "finish_reason", "logprobs"))
_WENT_ON = "the stream went on after its end"


class ChatStreamReader:
    """`tools` are the names that were offered, where the caller knows them: some servers send names in pieces."""

    def __init__(self, tools: Collection[str] = ()) -> None:
        self._parser = SseParser()
        self._tools = tools
        self._choices: dict[int, ChoiceReader] = {}
        self._ids: set[str] = set()
        self._usage: Usage | None = None
        self._started = False
        self._over = False
        """`[DONE]` or a failure was seen: what follows nobody has judged, so no client gets it."""
        self._stray = SseNoise()

    def decode(self, data: bytes) -> list[Frame]:
        return [self._frame(event) for event in self._parser.feed(data)]

    def flush(self) -> list[Frame]:
        frames = [self._frame(event) for event in self._parser.flush()]
        if not self._over:
            last = self._at_end()
            if last is not None:
                frames.append(last)
            self._over = True
        return frames

    def _frame(self, event: SseEvent) -> Frame:
        if self._over:
            return Frame(event.raw, (), (_WENT_ON,) if event.data is not None else ())
        repairs = [event.flaw] if event.flaw else []
        if event.data is None:
            return Frame(event.raw, (), tuple(repairs)) if repairs else self._outside(event.raw)
        self._stray.forget()
        beside: list[Beside] = []
        if event.data.strip() == "[DONE]":
            deltas = self._done(repairs)
            self._over = True
        else:
            deltas = self._chunk(event.data, repairs, beside)
        failed = next((place for place, delta in enumerate(deltas) if isinstance(delta, Failed)), None)
        if failed is not None:
            deltas = deltas[: failed + 1]
            self._over = True
        confessed = isinstance((parse_object(event.data) or {}).get("error"), dict) if failed is not None else False
        return Frame(event.raw, tuple(deltas), tuple(dict.fromkeys(repairs)), tuple(beside), confessed)

    def _outside(self, raw: bytes) -> Frame:
        """A comment, a blank line, or something that does not belong into an event stream."""
        if raw.startswith(b"error:"):  # llama.cpp of old
            self._over = True
            fault = read_error(0, raw.removeprefix(b"error:").strip(), {})
            return Frame(raw, (Failed(fault),), ("an error was sent under an unknown field",))
        return Frame(raw, (), self._stray.take(raw))

    def _chunk(self, data: str, repairs: list[str], beside: list[Beside]) -> list[Delta]:
        chunk = parse_object(data)
        if chunk is None:
            return [Failed(Fault("upstream", f"the stream holds something that is no JSON object: {data[:200]}"))]
        if chunk.get("error") or chunk.get("object") == "error":
            if not isinstance(chunk.get("error"), dict):
                repairs.append("an error was not under 'error'")
            return [Failed(fault_of(chunk))]
        beside += unread(chunk, KNOWN)
        deltas: list[Delta] = []
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            repairs.append("a chunk had no list of choices")  # clients go through it without looking
            choices = []
        if not self._started and (choices or chunk.get("id")):
            self._started = True
            created = number_of(chunk.get("created"))
            deltas.append(Started(text_of(chunk.get("id")), text_of(chunk.get("model")), created))
        for place, choice in enumerate(choices):
            if isinstance(choice, dict):
                deltas += self._choice(choice, place, repairs, beside)
        usage = read_usage(chunk.get("usage"))
        if usage is None and self._usage is not None:
            repairs.append("the usage was not in the last chunk")  # clients forget it at the next one
        if usage is not None and usage != self._usage:
            self._usage = usage
            beside += unread_usage(chunk.get("usage"))
            deltas.append(UsageReported(usage))
        return deltas

    def _choice(self, choice: Mapping[str, Json], place: int, repairs: list[str], beside: list[Beside]) -> list[Delta]:
        index = choice.get("index")
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            repairs.append("a choice had no index")
            index = place
        if index not in self._choices:
            if not self._choices and index > 0:
                repairs.append("the first choice was not number 0")
            self._choices[index] = ChoiceReader(index, self._ids, self._tools)
        piece = choice.get("delta")
        if not isinstance(piece, dict):
            message = choice.get("message")
            repairs.append("a choice had no delta")
            piece = message if isinstance(message, dict) else {}
        elif isinstance(choice.get("message"), dict):
            repairs.append("a piece of an answer came with a whole one")
        beside += unread(choice, _KNOWN_OF_CHOICE, "choices.")
        return self._choices[index].take(piece, choice.get("finish_reason"), repairs, choice.get("logprobs"), beside)

    def _done(self, repairs: list[str]) -> list[Delta]:
        if not self._choices:
            return [Failed(Fault("upstream", "the stream ended without an answer"))]
        deltas: list[Delta] = []
        for choice in self._choices.values():
            if not choice.finished:
                deltas += choice.finish_unsaid(repairs)
        return deltas

    def _at_end(self) -> Frame | None:
        """The bytes have ended without `[DONE]`: fine if every choice is finished."""
        if self._choices and all(choice.finished for choice in self._choices.values()):
            return None
        if not self._started and self._stray.said.strip():
            return Frame(b"", tuple(self._plain_answer()), ("a plain answer came instead of a stream",))
        return Frame(b"", (Failed(Fault("upstream", "the stream broke off before the answer was complete")),))

    def _plain_answer(self) -> list[Delta]:
        said = bytes(self._stray.said)
        body = parse_object(said)
        if body is None or "choices" not in body:
            return [Failed(read_error(0, said, {}))]
        try:
            return disassemble(read_response(body))
        except PeerFault as error:
            return [Failed(error.fault)]
