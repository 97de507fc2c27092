"""A chat request and a whole reply, in no wire's spelling."""

from dataclasses import dataclass, field
from typing import Literal

from callgate.core.messages import Extras, FinishReason, Json, Message, Usage
from callgate.core.tool import HostedTool, ToolSpec

Execution = Literal["none", "auto"]
WireName = Literal["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """What the model may or must call. `names` narrows it: one name with `required` is a forced call."""

    mode: Literal["auto", "none", "required"]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sampling:
    """Knobs that most wires share; None = not given."""

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    n: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logprobs: int | None = None
    """How likely each token is to be told, beside so many others. Set on the way to another wire only: a client's own
    has it in its extras."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """How much the model should think: a named effort, a budget of tokens, or both."""

    effort: str = ""
    """none | minimal | low | medium | high | xhigh | max"""
    budget: int | None = None
    """-1: as much as the model likes."""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ReplyFormat:
    """A demanded shape of the answer: any JSON object, or one that fits a schema."""

    kind: Literal["text", "json_object", "json_schema"]
    name: str = ""
    schema: Json = None
    strict: bool | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What a client asked of Callgate itself, by body field or header; None = not said."""

    use_tools: bool | None = None
    execution: Execution | None = None
    max_rounds: int | None = None
    conversation: str = ""
    tools: tuple[str, ...] = ()
    """Names of tools and toolsets that the catalog's tools are narrowed to; empty = all of them."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    wire: WireName
    """The wire it was read from."""
    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec | HostedTool, ...] = ()
    tool_choice: ToolChoice | None = None
    parallel_calls: bool | None = None
    stream: bool = False
    include_usage: bool = False
    """The client wants the usage chunk of a stream (OpenAI Chat); other wires always send it."""
    sampling: Sampling = Sampling()
    thinking: Thinking | None = None
    reply_format: ReplyFormat | None = None
    legacy_functions: bool = False
    """It used OpenAI's old `functions`: the answer must use `function_call`."""
    previous_id: str = ""
    """Responses: `previous_response_id`; Anthropic threads: `previous_message_id`."""
    store: bool | None = None
    gate: GateOptions = GateOptions()
    extras: Extras = field(default_factory=dict[str, Json])
    """Top-level fields that this form does not know, kept for the same wire."""


@dataclass(frozen=True, slots=True)
class Choice:
    message: Message
    finish: FinishReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ChatResponse:
    id: str
    model: str
    choices: tuple[Choice, ...]
    usage: Usage | None = None
    created: int = 0
    extras: Extras = field(default_factory=dict[str, Json])
    repairs: tuple[str, ...] = ()
    """What broke the wire's own rules and was mended in reading it: such an answer must not be relayed as it came."""
    beside: tuple[tuple[str, Json], ...] = ()
    """What it says that this form has no word for: where it stands, and what it holds."""
