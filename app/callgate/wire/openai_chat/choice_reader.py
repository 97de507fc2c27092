"""One choice of an answer: what each piece of it means. A whole message is read as a single piece."""

from collections.abc import Collection, Mapping
from typing import Literal

from callgate.core.deltas import (
    Cited,
    Delta,
    Failed,
    Finished,
    ReasoningDelta,
    ReasoningSigned,
    RefusalDelta,
    TextDelta,
    TokensWeighed,
)
from callgate.core.errors import Fault
from callgate.core.json.text import dump_text
from callgate.core.messages import Json
from callgate.wire.openai_chat.annotations import read_annotations, unread_annotations
from callgate.wire.openai_chat.call_slots import CallSlots
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_chat.finish import is_broken, is_native, read_finish
from callgate.wire.openai_chat.reasoning_details import Details, merge, read_details
from callgate.wire.openai_logprobs import read_logprobs, unread_logprobs
from callgate.wire.unknown_fields import Beside, unread

_MESSAGE = "choices.message."
_KNOWN = frozenset(
    (
        "role",
        "content",
        "refusal",
        "tool_calls",
        "function_call",
        "reasoning_content",
        "reasoning",
        "reasoning_details",
        "annotations",
    )
)
_KNOWN_OF_LOGPROBS = frozenset(("content",))
_KNOWN_OF_CALL = frozenset(("index", "id", "type", "function", "custom", "extra_content"))


class ChoiceReader:
    def __init__(self, index: int, ids: set[str], tools: Collection[str] = ()) -> None:
        self.finished = False
        self._index = index
        self._parts = 0
        self._open: Literal["", "text", "refusal", "reasoning"] = ""
        self._part = 0
        self._texts: list[tuple[int, int]] = []
        """Text parts, with the place in the whole content where each begins."""
        self._length = 0
        """Characters of content so far."""
        self._details: Details = []
        """The `reasoning_details` of the open reasoning part."""
        self._plain_thoughts = False
        self._calls = CallSlots(index, self._begin_call, ids, tools)
        self._calls_seen = False
        self._role_seen = False
        self._touched = False

    def take(
        self,
        piece: Mapping[str, Json],
        finish: Json,
        repairs: list[str],
        logprobs: Json = None,
        beside: list[Beside] | None = None,
    ) -> list[Delta]:
        """Thoughts, words, calls and the end, in this order, as one chunk may hold them all."""
        beside = [] if beside is None else beside
        self._check_role(piece, repairs)
        if self.finished:
            if any(piece.get(key) for key in ("content", "tool_calls", "refusal", "function_call")) or finish:
                repairs.append("the answer went on after its end")
            return []
        beside += unread(piece, _KNOWN, _MESSAGE)
        deltas = self._reason(piece)
        deltas += self._words(piece.get("content"), repairs, beside)
        refusal = piece.get("refusal")
        if isinstance(refusal, str) and refusal:
            deltas += self._speak("refusal", refusal)
        if (annotations := piece.get("annotations")) is not None:
            deltas += self._cite(annotations, beside)
        if logprobs is not None:
            deltas += self._weigh(logprobs, beside)
        deltas += self._call(piece, repairs, beside)
        if finish is None:
            return deltas
        if not isinstance(finish, str) or not finish:
            repairs.append("finish_reason was no word")
            return deltas
        return deltas + self.finish(finish, repairs)

    def finish(self, word: str, repairs: list[str]) -> list[Delta]:
        if is_broken(word):
            self.finished = True
            return [Failed(Fault("upstream", f"the provider broke off (finish_reason '{word}')"))]
        if self._calls.nameless:
            self.finished = True
            return [Failed(Fault("upstream", "the provider sent a tool call without a name"))]
        if not is_native(word):
            repairs.append(f"finish_reason '{word}' is unknown")
        deltas = [*self._close_reasoning(), *self._calls.end(repairs)]
        self.finished = True
        reason = read_finish(word, called=self._calls.called)
        return [*deltas, Finished(reason, choice=self._index)]

    def finish_unsaid(self, repairs: list[str]) -> list[Delta]:
        """The server said that all is done, but not why: what is there must be whole."""
        if not self._calls.are_whole:
            self.finished = True
            return [Failed(Fault("upstream", "the stream ended in the middle of a tool call"))]
        repairs.append("the answer had no finish_reason")
        return self.finish("stop", repairs)

    def _check_role(self, piece: Mapping[str, Json], repairs: list[str]) -> None:
        if "role" in piece:
            if self._role_seen:
                repairs.append("the role was repeated")
            self._role_seen = True
        elif not self._touched:
            repairs.append("the answer began without its role")
        self._touched = True

    def _next_part(self) -> int:
        self._parts += 1
        return self._parts - 1

    def _begin_call(self) -> int:
        self._open = ""
        return self._next_part()

    def _speak(self, kind: Literal["text", "refusal", "reasoning"], text: str) -> list[Delta]:
        deltas: list[Delta] = []
        if self._open != kind:
            deltas += self._close_reasoning()
            self._open, self._part = kind, self._next_part()
            if kind == "text":
                self._texts.append((self._part, self._length))
        match kind:
            case "text":
                self._length += len(text)
                deltas.append(TextDelta(self._part, text, self._index))
            case "refusal":
                deltas.append(RefusalDelta(self._part, text, self._index))
            case "reasoning":
                deltas.append(ReasoningDelta(self._part, text, choice=self._index))
        return deltas

    def _cite(self, annotations: Json, beside: list[Beside]) -> list[Delta]:
        """Places are counted over the whole content; here, over the part that they are in."""
        beside += unread_annotations(annotations, f"{_MESSAGE}annotations.")
        deltas: list[Delta] = []
        for citation in read_annotations(annotations):
            if not self._texts:
                beside.append((f"{_MESSAGE}annotations", citation.spelled))
                continue
            place = self._length if citation.start is None else citation.start
            part, begin = next((text for text in reversed(self._texts) if text[1] <= place), self._texts[0])
            deltas.append(Cited(part, citation.moved(-begin), self._index))
        return deltas

    def _weigh(self, logprobs: Json, beside: list[Beside]) -> list[Delta]:
        if not isinstance(logprobs, dict):
            return []
        beside += unread(logprobs, _KNOWN_OF_LOGPROBS, "choices.logprobs.")
        beside += unread_logprobs(logprobs.get("content"), "choices.logprobs.content.")
        tokens = read_logprobs(logprobs.get("content"))
        if tokens and not self._texts:
            beside.append(("choices.logprobs.content", True))
            return []
        return [TokensWeighed(self._texts[-1][0], tokens, self._index)] if tokens else []

    def _words(self, content: Json, repairs: list[str], beside: list[Beside]) -> list[Delta]:
        match content:
            case str():
                return self._speak("text", content) if content else []
            case list():  # Mistral, and old vLLM
                repairs.append("content was no string")
                return [delta for item in content for delta in self._item(item, beside)]
            case _:
                return []

    def _item(self, item: Json, beside: list[Beside]) -> list[Delta]:
        match item:
            case {"type": "text", "text": str(text)} if text:
                return self._speak("text", text)
            case {"type": "refusal", "refusal": str(text)} if text:
                return self._speak("refusal", text)
            case {"type": "thinking", "thinking": [*thoughts]}:
                texts = [thought["text"] for thought in thoughts if isinstance(thought, dict) and "text" in thought]
                return self._speak("reasoning", "".join(text for text in texts if isinstance(text, str)))
            case {"type": str(kind)} if kind not in ("text", "refusal", "thinking"):
                beside.append((f"{_MESSAGE}content.{kind}", True))
                return []
            case _:
                return []

    def _reason(self, piece: Mapping[str, Json]) -> list[Delta]:
        """Thinking has three names: `reasoning_content`, `reasoning`, and OpenRouter's detailed list."""
        entries = read_details(piece.get("reasoning_details"))
        texts = [piece.get("reasoning_content"), piece.get("reasoning")]
        text = next((text for text in texts if isinstance(text, str) and text), "")
        self._plain_thoughts = self._plain_thoughts or bool(text)
        if not self._plain_thoughts:  # else the details only repeat it
            texts = [entry.get("text") or entry.get("summary") for entry in entries]
            text = "".join(text for text in texts if isinstance(text, str))
        if not text and not entries:
            return []
        deltas = self._speak("reasoning", text)
        for entry in entries:
            merge(self._details, entry)
        return deltas

    def _close_reasoning(self) -> list[Delta]:
        """A part of another kind begins: the proof of the thoughts so far, if the server gave one."""
        if self._open != "reasoning" or not self._details:
            return []
        signature = dump_text([*self._details])
        self._details = []
        return [ReasoningSigned(self._part, signature, WIRE, choice=self._index)]

    def _call(self, piece: Mapping[str, Json], repairs: list[str], beside: list[Beside]) -> list[Delta]:
        fragments = piece.get("tool_calls")
        legacy = piece.get("function_call")
        deltas: list[Delta] = []
        if isinstance(fragments, list):
            for fragment in fragments:
                if isinstance(fragment, dict):
                    self._calls_seen = True
                    beside += unread(fragment, _KNOWN_OF_CALL, f"{_MESSAGE}tool_calls.")
                    deltas += self._close_reasoning()
                    deltas += self._calls.take(fragment, repairs)
        if isinstance(legacy, dict) and self._calls_seen:
            repairs.append("a call was repeated in the old style")
        elif isinstance(legacy, dict):
            repairs.append("a call was made in the old style")
            deltas += self._close_reasoning()
            deltas += self._calls.take({"index": 0, "type": "function", "function": legacy}, repairs)
        return deltas
