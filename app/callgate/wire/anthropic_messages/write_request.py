"""`ChatRequest` → the body for a provider of this wire.

A request that came over the same wire is given back as it was, extras and all. One from another wire is translated;
what cannot be said is named in the warnings, or refused where leaving it out would change what was asked.
"""

from collections.abc import Mapping

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json, Message, Text
from callgate.core.request import ChatRequest, Sampling
from callgate.wire.anthropic_messages.blocks import WIRE, write_plain
from callgate.wire.anthropic_messages.closed_schema import close_schema
from callgate.wire.anthropic_messages.thinking import Spelled, write_thinking
from callgate.wire.anthropic_messages.tools import write_tools
from callgate.wire.anthropic_messages.traits import ModelTraits, guess_traits
from callgate.wire.anthropic_messages.turns import Turn, TurnWriter, lacks_thinking
from callgate.wire.codec import Written
from callgate.wire.dialects import Dialect

_FORCED = ("any", "tool")
_MIN_TOP_P = 0.95
"""With thinking on, the provider takes nothing lower."""


def write_request(request: ChatRequest, dialect: Dialect, traits: ModelTraits | None = None) -> Written:
    """`traits`: what the model can do; guessed from its name if not given."""
    return _RequestWriting(request, dialect, traits or guess_traits(request.model)).written()


class _RequestWriting:
    def __init__(self, request: ChatRequest, dialect: Dialect, traits: ModelTraits) -> None:
        self._request = request
        self._dialect = dialect
        self._traits = traits
        self._same = request.wire == WIRE
        self._warnings: list[str] = []

    def written(self) -> Written:
        request = self._request
        system, messages = self._split_system()
        turns = TurnWriter(self._same, self._dialect, self._warnings).write(messages)
        if not self._same:
            self._shape(turns)
        tools = write_tools(request, self._dialect, self._traits, self._warnings)
        thinking = self._thinking(turns, tools)
        body: dict[str, Json] = {"model": request.model, "max_tokens": thinking.max_tokens}
        if system:
            body["system"] = system
        body["messages"] = [turn.spelled() for turn in turns]
        body |= tools
        body |= self._sampling(thinking)
        if request.stream:
            body["stream"] = True
        if thinking.thinking:
            body["thinking"] = thinking.thinking
        if config := self._output_config(thinking):
            body["output_config"] = config
        body |= self._extras(body)
        return Written(body, tuple(dict.fromkeys(self._warnings)))

    def _split_system(self) -> tuple[str | list[Json], list[Message]]:
        """The leading instructions, and the rest. The same wire has one leading message, made of `system`."""
        messages = list(self._request.messages)
        leading = 0
        while leading < len(messages) and messages[leading].role in ("system", "developer"):
            leading += 1
        if self._same:
            leading = min(leading, 1)
        elif leading == len(messages) and leading:
            leading -= 1  # nobody else has spoken: the wire needs a message, so the last one is said as the user's
            self._warnings.append("messages: there is only a system message; sent as the user's")
        parts = [part for message in messages[:leading] for part in message.parts if isinstance(part, Text)]
        return write_plain(parts, self._same), messages[leading:]

    def _shape(self, turns: list[Turn]) -> None:
        """What only a foreign history can get wrong."""
        if turns and turns[0].role == "assistant":
            self._warnings.append("messages: the first one is the assistant's; a user message was put before it")
            turns.insert(0, Turn("user", {"type": "text", "text": "(continued)"}))
        last = turns[-1].blocks[-1] if turns and turns[-1].role == "assistant" else {}
        if last.get("type") == "text" and isinstance(text := last.get("text"), str):
            last["text"] = text.rstrip() or text  # refused by the provider at the end of a prefilled answer

    def _thinking(self, turns: list[Turn], tools: dict[str, Json]) -> Spelled:
        request = self._request
        limit, usual = request.sampling.max_tokens, self._traits.max_tokens
        given = request.extras.get("thinking") if self._same else None
        if isinstance(given, dict):
            spelled = Spelled(given, max_tokens=limit if limit is not None else usual)
        elif self._same and "output_config" in request.extras:
            spelled = Spelled(max_tokens=limit if limit is not None else usual)
        else:
            spelled = write_thinking(request.thinking, limit, usual, self._traits, self._warnings)
            choice = tools.get("tool_choice")
            if spelled.on and isinstance(choice, dict) and choice.get("type") in _FORCED:
                self._warnings.append("thinking: not possible together with a forced tool_choice; left out")
                spelled.thinking = {}
        if spelled.thinking.get("type") == "enabled" and lacks_thinking(turns):
            self._warnings.append("thinking: the calls in the history came without it; off for this request")
            spelled.thinking = {"type": "disabled"} if self._same else {}
        return spelled

    def _sampling(self, thinking: Spelled) -> dict[str, Json]:
        sampling = self._request.sampling
        if not self._same:
            sampling = self._translated(sampling, thinking)
        fields: dict[str, Json] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "stop_sequences": list(sampling.stop) or None,
        }
        return {key: value for key, value in fields.items() if value is not None}

    def _translated(self, sampling: Sampling, thinking: Spelled) -> Sampling:
        if sampling.n is not None and sampling.n > 1:
            raise Unspeakable("n: Anthropic Messages gives one answer to a request", "n")
        self._miss("seed", sampling.seed is not None)
        self._miss("presence_penalty", bool(sampling.presence_penalty))
        self._miss("frequency_penalty", bool(sampling.frequency_penalty))
        stop = tuple(sequence for sequence in sampling.stop if sequence.strip())
        self._miss("stop (white space only)", len(stop) < len(sampling.stop))
        temperature, top_p, top_k = sampling.temperature, sampling.top_p, sampling.top_k
        if temperature is not None and not 0 <= temperature <= 1:
            temperature = min(max(temperature, 0), 1)
            self._warnings.append(f"temperature: Anthropic Messages takes 0 to 1; sent as {temperature}")
        given = {
            "temperature": temperature not in (None, 1),
            "top_p": top_p not in (None, 1),
            "top_k": top_k is not None,
        }
        if not self._traits.sampling:
            self._miss_some(given)
            temperature = top_p = top_k = None
        elif thinking.on:
            given["top_p"] = top_p is not None and top_p < _MIN_TOP_P
            self._miss_some(given, " (with thinking)")
            temperature, top_p, top_k = None, None if given["top_p"] else top_p, None
        return Sampling(temperature=temperature, top_p=top_p, top_k=top_k, stop=stop)

    def _miss_some(self, given: Mapping[str, bool], when: str = "") -> None:
        names = [name for name, missed in given.items() if missed]
        self._miss(", ".join(names) + when, bool(names))

    def _miss(self, name: str, missed: bool) -> None:
        if missed:
            self._warnings.append(f"{name}: not known to Anthropic Messages or this model; left out")

    def _output_config(self, thinking: Spelled) -> dict[str, Json]:
        config: dict[str, Json] = {"effort": thinking.effort} if thinking.effort else {}
        format = self._request.reply_format
        if format is None or format.kind == "text" or (self._same and "output_format" in self._request.extras):
            return config
        if format.kind == "json_schema":
            schema = format.schema
            if isinstance(schema, dict) and not self._same:
                schema = close_schema(schema)
            config["format"] = {"type": "json_schema", "schema": schema}
        else:
            self._miss("response_format json_object", True)
        return config

    def _extras(self, body: dict[str, Json]) -> dict[str, Json]:
        """The client's own fields, if it speaks this wire; a thread that was resolved here is no longer one."""
        if not self._same:
            return {}
        extras = dict(self._request.extras)
        if "thinking" in body:
            extras.pop("thinking", None)
        thread = extras.get("thread")
        if isinstance(thread, dict) and thread.get("type") == "continue" and not self._request.previous_id:
            del extras["thread"]
        return extras
