"""The contract that every wire keeps, whatever its spelling; `test_contract.py` runs it over the samples of each.

A `samples_<wire>.py` offers `CODEC`, `REQUESTS`, `RESPONSES`, `STREAMS`, and optionally `PAIRS`: streams with the plain
answer that says the same (without it, `STREAMS` and `RESPONSES` are in the same order).
"""

import importlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from callgate.core.assembly import assemble
from callgate.core.deltas import CallStarted, Delta, Failed, Finished, Started, UsageReported
from callgate.core.messages import Json, Message, Opaque, Reasoning, Refusal, Text, ToolCall
from callgate.core.request import ChatRequest, ChatResponse
from callgate.wire.codec import Codec, Frame, StreamWriter


@dataclass(frozen=True)
class Samples:
    """What one wire brings to the contract."""

    codec: Codec
    requests: list[dict[str, Json]]
    responses: list[dict[str, Json]]
    streams: list[bytes]
    pairs: list[tuple[bytes, dict[str, Json]]]

    @property
    def request(self) -> ChatRequest:
        """A request whose answer is streamed, with all that a client can ask to see."""
        path = {"model": "m", "stream": True} if self.codec.wire == "gemini" else {}
        request = self.codec.read_request(self.requests[0], **path)
        return replace(request, stream=True, include_usage=True)


def all_samples() -> list[Samples]:
    found: list[Samples] = []
    for path in sorted(Path(__file__).parent.glob("samples_*.py")):
        module = importlib.import_module(f"tests.wire.{path.stem}")
        pairs = getattr(module, "PAIRS", None) or list(zip(module.STREAMS, module.RESPONSES, strict=False))
        found.append(Samples(module.CODEC, module.REQUESTS, module.RESPONSES, module.STREAMS, pairs))
    return found


def read_stream(codec: Codec, *chunks: bytes) -> list[Frame]:
    reader = codec.stream_reader()
    frames = [frame for chunk in chunks for frame in reader.decode(chunk)]
    return frames + reader.flush()


def deltas_of(frames: Iterable[Frame]) -> list[Delta]:
    return [delta for frame in frames for delta in frame.deltas]


def repairs_of(frames: Iterable[Frame]) -> list[str]:
    return [repair for frame in frames for repair in frame.repairs]


def writer_for(samples: Samples, deltas: list[Delta]) -> StreamWriter:
    """A writer for a client that asked for as many choices as there are."""
    count = 1 + max((getattr(delta, "choice", 0) for delta in deltas), default=0)
    request = samples.request
    return samples.codec.stream_writer(replace(request, sampling=replace(request.sampling, n=count)))


def write_stream(samples: Samples, deltas: list[Delta], *, keep_alive: bool = False) -> bytes:
    """The deltas as the client of this wire gets them."""
    writer = writer_for(samples, deltas)
    pieces: list[bytes] = []
    for delta in deltas:
        pieces.append(writer.write(delta))
        if keep_alive:
            pieces.append(writer.keep_alive())
    return b"".join(pieces) + writer.close()


def essence(response: ChatResponse) -> list[object]:
    """What an answer says, without what may be spelled in several ways."""
    return [(spoken(choice.message), choice.finish, choice.detail) for choice in response.choices]


def spoken(message: Message) -> list[tuple[object, ...]]:
    pieces: list[tuple[object, ...]] = []
    for part in message.parts:
        match part:
            case Text() | Refusal():
                pieces.append((part.kind, part.text))
            case Reasoning():
                pieces.append((part.kind, part.text, part.signature, part.redacted))
            case ToolCall():
                pieces.append((part.kind, part.id, part.name, part.variant, part.namespace, value_of(part)))
            case Opaque():
                pieces.append((part.kind, part.wire))
            case _:
                pieces.append((part.kind,))
    return pieces


def value_of(call: ToolCall) -> object:
    """Arguments by meaning: wires that carry objects cannot keep white space."""
    if call.variant == "custom":
        return call.arguments
    try:
        return json.loads(call.arguments)
    except ValueError:
        return call.arguments


def across(response: ChatResponse) -> tuple[str, list[tuple[str, str, object]], str]:
    """What must survive from any wire into any other: words, calls, and why it ended."""
    choice = response.choices[0]
    words = "".join(part.text for part in choice.message.parts if isinstance(part, Text | Refusal))
    calls = [(call.id, call.name, value_of(call)) for call in choice.message.calls]
    ends = {"pause": "stop", "refusal": "declined", "content_filter": "declined"}
    if choice.finish == "refusal":
        words += choice.detail  # where a wire has no field for the explanation, it is said
    refused = any(isinstance(part, Refusal) for part in choice.message.parts)
    finish = ends.get(choice.finish, choice.finish)
    # a refusal in words is an ordinary end in one wire and a reason of its own in another
    return words, calls, "declined" if refused and finish == "stop" else finish


def portable(deltas: list[Delta]) -> list[Delta] | None:
    """One choice of a stream, for another wire; None where it has calls that must be lowered first."""
    if any(isinstance(delta, CallStarted) and (delta.variant == "custom" or delta.namespace) for delta in deltas):
        return None
    return [_unexplained(delta) for delta in deltas if getattr(delta, "choice", 0) == 0]


def _unexplained(delta: Delta) -> Delta:
    """Why a filter struck has a field in one wire, counts as words in another, and is lost in the rest."""
    return replace(delta, detail="") if isinstance(delta, Finished) and delta.reason == "content_filter" else delta


def is_complete(deltas: list[Delta]) -> bool:
    begun = {delta.choice for delta in deltas if not isinstance(delta, Started | UsageReported | Failed)}
    return bool(begun) and begun == {delta.choice for delta in deltas if isinstance(delta, Finished)}


def answer(frames: Iterable[Frame]) -> ChatResponse:
    return assemble(deltas_of(frames))
