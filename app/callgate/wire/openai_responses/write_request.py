"""`ChatRequest` → a provider's body. What a request from another wire leaves open is said aloud: this wire's defaults
(stored, strict) are not the others'."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from callgate.core.errors import Unspeakable
from callgate.core.messages import Json, Message
from callgate.core.request import ChatRequest, ReplyFormat, Thinking, ToolChoice
from callgate.core.tool import HostedTool, ToolSpec
from callgate.wire.codec import Written
from callgate.wire.dialects import Dialect
from callgate.wire.openai_responses.marks import CHOICE, FORMAT, INPUT, INSTRUCTIONS, ITEM, WIRE, mapping, own
from callgate.wire.openai_responses.tools import AnyTool, without_removed, write_tool_choice, write_tools
from callgate.wire.openai_responses.write_items import write_items
from callgate.wire.openai_shared import in_responses, shared_fields
from callgate.wire.openai_strict import is_strict

ENCRYPTED_REASONING = "reasoning.encrypted_content"
_LOGPROBS = "message.output_text.logprobs"

_SYSTEM_APART = ("anthropic", "gemini")
"""Wires that keep the system prompt out of the messages, as `instructions` does."""
_USUAL = {"temperature": 1, "top_p": 1}
_SILENCE: Mapping[str, Json] = {"type": "message", "role": "user", "content": ""}
"""Says as little as an empty list of items, which is refused."""
_LEAST_TOKENS = 16
"""A lower limit for the answer is refused here; clients of other wires ask for one token to see whether it works."""
_LOW_BUDGET, _MEDIUM_BUDGET = 4096, 16384
"""Tokens of thinking below which an effort is called low, or medium."""


def write_request(request: ChatRequest, dialect: Dialect) -> Written:
    if request.sampling.n is not None and request.sampling.n > 1:
        raise Unspeakable("OpenAI Responses gives one answer a request: 'n' must be 1.", "n")
    native = request.wire == WIRE
    body = own(request.extras) if native else in_responses(shared_fields(request, WIRE, dialect))
    if not request.stream:
        body.pop("stream_options", None)
    body["model"] = request.model
    body |= _written_input(request, dialect, native)
    body |= _written_tools(request, dialect, native)
    body |= _written_knobs(request, native, mapping(body.get("text")))
    if request.stream:
        body["stream"] = True
    if not native:
        weighed = request.sampling.logprobs is not None
        body |= {"store": False, "include": [ENCRYPTED_REASONING, *([_LOGPROBS] if weighed else [])]}
        if request.sampling.logprobs:
            body["top_logprobs"] = request.sampling.logprobs
        return Written(body, _warnings(request, dialect))
    if request.previous_id:
        body["previous_response_id"] = request.previous_id
    if request.store is not None:
        body["store"] = request.store
    return Written(body, _warnings(request, dialect))


def _written_input(request: ChatRequest, dialect: Dialect, native: bool) -> dict[str, Json]:
    instructions, messages = _split_instructions(request)
    if not dialect.developer_role:
        messages = [replace(message, role="system") if message.role == "developer" else message for message in messages]
    body: dict[str, Json] = {} if instructions is None else {"instructions": instructions}
    if native and len(messages) == 1 and messages[0].extras.get(INPUT) == "text":
        return {**body, "input": messages[0].text}
    if native:
        messages = [_with_offered_tools(message, request.tools) for message in messages]
    items = write_items(messages, native=native, upstream=True, text_only=dialect.text_only_results)
    if not items and native and not request.messages:
        return body
    return {**body, "input": items if items or native else [dict(_SILENCE)]}


def _split_instructions(request: ChatRequest) -> tuple[str | None, list[Message]]:
    """The system prompt where it belongs into `instructions`, and the other messages."""
    messages = list(request.messages)
    if messages and messages[0].extras.get(INSTRUCTIONS) is True:
        return messages[0].text, messages[1:]
    if request.wire not in _SYSTEM_APART:
        return None, messages
    leading = 0
    while leading < len(messages) and messages[leading].role == "system":
        leading += 1
    said = [part.text for message in messages[:leading] for part in message.parts if part.kind == "text" and part.text]
    text = "\n\n".join(said)
    return text or None, messages[leading:]


def _with_offered_tools(message: Message, tools: Sequence[AnyTool]) -> Message:
    item = message.extras.get(ITEM)
    if message.parts or not isinstance(item, dict):
        return message
    return replace(message, extras={ITEM: without_removed(item, tools)})


def _written_tools(request: ChatRequest, dialect: Dialect, native: bool) -> dict[str, Json]:
    body: dict[str, Json] = {}
    tools: Iterable[ToolSpec | HostedTool] = request.tools
    choice = request.tool_choice
    if choice is not None and choice.names and not _names_choices(dialect, choice):
        names = choice.names
        tools = [tool for tool in request.tools if not isinstance(tool, ToolSpec) or tool.name in names]
        choice = replace(choice, names=())
    if choice is not None and not dialect.tool_choice:
        tools = [] if choice.mode == "none" else tools
        choice = None
    written = write_tools(tools, native=native)
    if written:
        body["tools"] = written
    if not native and not written:
        return body
    if choice is not None:
        body["tool_choice"] = write_tool_choice(choice, request.tools, request.extras.get(CHOICE) if native else None)
    if request.parallel_calls is not None and dialect.parallel_switch:
        body["parallel_tool_calls"] = request.parallel_calls
    return body


def _names_choices(dialect: Dialect, choice: ToolChoice) -> bool:
    """True: the server heeds the names in this choice; else only those tools are offered."""
    forced = choice.mode == "required" and len(choice.names) == 1
    return dialect.named_choice and (forced or dialect.allowed_choice)


def _written_knobs(request: ChatRequest, native: bool, beside_format: Mapping[str, Json]) -> dict[str, Json]:
    sampling = request.sampling
    given: dict[str, Json] = {
        "max_output_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
    }
    if not native:
        # what happens anyway need not be said, and models that reason refuse to be told even that
        given = {key: None if value == _USUAL.get(key) else value for key, value in given.items()}
        if sampling.max_tokens is not None:
            given["max_output_tokens"] = max(sampling.max_tokens, _LEAST_TOKENS)
    body: dict[str, Json] = {key: value for key, value in given.items() if value is not None}
    if request.thinking is not None:
        kept: Mapping[str, Json] = mapping(request.extras.get("reasoning")) if native else {}
        body["reasoning"] = {**kept, **write_thinking(request.thinking)}
    if request.reply_format is not None:
        shape = {**mapping(beside_format.get(FORMAT)), **write_format(request.reply_format, native)}
        body["text"] = {**own(beside_format), "format": shape}
    return body


def write_thinking(thinking: Thinking) -> dict[str, Json]:
    body: dict[str, Json] = {}
    effort = thinking.effort or _effort(thinking.budget)
    if effort:
        body["effort"] = effort
    if thinking.summary:
        body["summary"] = thinking.summary
    return body


def write_format(shape: ReplyFormat, native: bool = True) -> dict[str, Json]:
    """`native`: a client of this wire asked for it."""
    if shape.kind != "json_schema":
        return {"type": shape.kind}
    if shape.schema is None:
        return {"type": "json_object"}  # Chat lets a schema be left out, which means any object
    body: dict[str, Json] = {"type": "json_schema", "name": shape.name or "answer", "schema": shape.schema}
    if shape.strict is not None:
        body["strict"] = shape.strict if native else shape.strict and is_strict(shape.schema)
    if shape.description:
        body["description"] = shape.description
    return body


def _effort(budget: int | None) -> str:
    if budget is None or budget < 0:
        return ""
    if budget == 0:
        return "none"
    return "low" if budget < _LOW_BUDGET else "medium" if budget < _MEDIUM_BUDGET else "high"


def _warnings(request: ChatRequest, dialect: Dialect) -> tuple[str, ...]:
    sampling = request.sampling
    missing: dict[str, object] = {
        "stop": sampling.stop or None,
        "seed": sampling.seed,
        "top_k": sampling.top_k,
        "presence_penalty": sampling.presence_penalty or None,
        "frequency_penalty": sampling.frequency_penalty or None,
    }
    warnings = [f"OpenAI Responses has no '{name}'" for name, value in missing.items() if value is not None]
    choice = request.tool_choice
    if choice is not None and choice.mode == "required" and request.tools and not dialect.tool_choice:
        dialect.unforced(f"tool_choice: {dialect.name} cannot be made to call a tool", warnings)
    if sampling.max_tokens is not None and sampling.max_tokens < _LEAST_TOKENS and request.wire != WIRE:
        warnings.append(f"max_output_tokens: OpenAI Responses takes no less than {_LEAST_TOKENS}; sent so")
    return tuple(warnings)
