"""`ChatRequest` → a request body for a server that speaks this wire, in its dialect."""

from callgate.core.messages import Json
from callgate.core.request import ChatRequest, ReplyFormat, Thinking
from callgate.wire.codec import Written
from callgate.wire.dialects import Dialect
from callgate.wire.openai_chat.content import WIRE
from callgate.wire.openai_chat.write_messages import write_messages
from callgate.wire.openai_chat.write_tools import write_tools
from callgate.wire.openai_shared import shared_fields
from callgate.wire.openai_strict import is_strict

_BUDGETS = ((0, "none"), (4_096, "low"), (16_384, "medium"))
"""Up to so many thinking tokens are that effort; above, it is high."""


def write_request(request: ChatRequest, dialect: Dialect) -> Written:
    warnings: list[str] = []
    own = request.wire == WIRE
    extras = dict(request.extras) if own else shared_fields(request, WIRE, dialect)
    spelled_old = extras.pop("max_tokens", None) is not None
    stream_options = extras.pop("stream_options", None)
    body: dict[str, Json] = {
        "model": request.model,
        "messages": write_messages(request, dialect, warnings),
        **write_tools(request, dialect, warnings),
        **_write_sampling(request, dialect, spelled_old, warnings),
    }
    effort = _effort(request.thinking)
    if effort:
        body["reasoning_effort"] = effort
    if request.reply_format is not None:
        body["response_format"] = _write_reply_format(request.reply_format, own)
    if own and request.store is not None:
        body["store"] = request.store
    if request.stream:
        body["stream"] = True
        options = dict(stream_options) if isinstance(stream_options, dict) else {}
        if dialect.usage_in_stream:
            options["include_usage"] = True  # wanted for the person's eyes, whatever the client wants
        if options:
            body["stream_options"] = options
    body.update(extras)
    return Written(body, tuple(dict.fromkeys(warnings)))


def _write_sampling(request: ChatRequest, dialect: Dialect, spelled_old: bool, warnings: list[str]) -> dict[str, Json]:
    sampling = request.sampling
    limit = "max_tokens" if spelled_old or not dialect.max_completion_tokens else "max_completion_tokens"
    fields: dict[str, Json] = {
        limit: sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
        "n": sampling.n,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "stop": list(sampling.stop) or None,
    }
    if sampling.top_k is not None:
        if request.wire == WIRE or dialect.top_k:
            fields["top_k"] = sampling.top_k
        else:
            warnings.append("top_k was left out: OpenAI Chat does not know it")
    if sampling.logprobs is not None and request.stream and request.tools and not dialect.logprobs_with_calls:
        warnings.append(f"{dialect.name} cannot weigh tokens where it may call tools; logprobs was left out")
    elif sampling.logprobs is not None:
        fields |= {"logprobs": True, "top_logprobs": sampling.logprobs or None}
    if sampling.n is not None and sampling.n > 1 and not dialect.several_choices:
        warnings.append(f"{dialect.name} gives one choice only; n was left out")
        del fields["n"]
    return {key: value for key, value in fields.items() if value is not None}


def _effort(thinking: Thinking | None) -> str:
    if thinking is None:
        return ""
    if thinking.effort or thinking.budget is None or thinking.budget < 0:
        return thinking.effort
    return next((effort for budget, effort in _BUDGETS if thinking.budget <= budget), "high")


def _write_reply_format(reply_format: ReplyFormat, own: bool) -> Json:
    if reply_format.kind != "json_schema":
        return {"type": reply_format.kind}
    inner: dict[str, Json] = {"name": reply_format.name or "reply"}
    if reply_format.description:
        inner["description"] = reply_format.description
    if reply_format.schema is not None:
        inner["schema"] = reply_format.schema
    if reply_format.strict is not None:
        inner["strict"] = reply_format.strict if own else reply_format.strict and is_strict(reply_format.schema)
    return {"type": "json_schema", "json_schema": inner}
