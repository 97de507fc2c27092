"""A request brought down to what a target wire can say, and its reply brought back up to what the client asked for.

Stands between the neutral form and the codec of the target. What a codec does for itself is not done here: pictures
behind results, errors in words, subsets of tools, several choices refused, system prompts, schemas.
"""

from dataclasses import dataclass, replace

from callgate.core.errors import Unspeakable
from callgate.core.messages import Message, Part, Reasoning, ToolCall
from callgate.core.request import ChatRequest, WireName
from callgate.wire.capabilities import capabilities_of
from callgate.wire.dialects import PLAIN, Dialect
from callgate.wire.openai_responses.marks import WIRE as RESPONSES
from callgate.wire.registry import CODECS, TRAITS
from callgate.wire.signature_envelope import carries_envelopes, is_sealed
from callgate.wire.translate.history import HistoryTranslation
from callgate.wire.translate.kept_files import refuse_kept_files
from callgate.wire.translate.late_results import in_time
from callgate.wire.translate.model_limits import within_limits
from callgate.wire.translate.names import ToolNames
from callgate.wire.translate.own_wire import own_wire
from callgate.wire.translate.reply_translator import Changes, ReplyTranslator
from callgate.wire.translate.request_losses import refuse_unanswerable, request_losses
from callgate.wire.translate.signatures import Signatures, carries_foreign_proofs
from callgate.wire.translate.stops import split_stops
from callgate.wire.translate.tool_changes import changed_tools
from callgate.wire.translate.tools import (
    has_free_text,
    keys_of,
    loosened,
    spoken_tools,
    translated_choice,
    translated_tools,
)

__all__ = ["ReplyTranslator", "Translated", "carries_foreign_proofs", "translate"]


@dataclass(frozen=True, slots=True)
class Translated:
    request: ChatRequest
    """Only what the target wire can spell."""
    warnings: tuple[str, ...] = ()
    """What was left out or changed and may be missed."""
    changes: Changes = Changes()

    def restorer(self) -> ReplyTranslator:
        """Undoes for one reply what was lowered; each reply needs its own."""
        return self.changes.restorer()


def translate(request: ChatRequest, target: WireName, model: str, dialect: Dialect = PLAIN) -> Translated:
    """`model`: as the endpoint knows it. Raises `BadRequest` or `Unspeakable` where leaving out would be too much.

    A request of the target's own wire stays as it is, but for envelopes, which no provider can read, and for what the
    server's dialect lacks.
    """
    proofs = Signatures(target, dialect)
    if request.wire == target:
        if carries_envelopes(request.messages):
            request = replace(request, messages=tuple(_opened(message, proofs) for message in request.messages))
        request, changes = own_wire(request, dialect, switch=_has_parallel_switch(target, dialect))
        return Translated(request, changes=changes)
    refuse_unanswerable(request)
    _refuse_foreign_choice(request)
    refuse_kept_files(request.messages, request.wire, target)
    warnings = request_losses(request, target, dialect)
    if _goes_on(request) and target in ("openai-chat", RESPONSES):
        warnings.append("messages: the last one is the assistant's; a new answer is begun instead of going on with it")
    free_text = has_free_text(target, dialect)
    changed = changed_tools(request.tools, request.messages) if request.wire == "anthropic" else request.tools
    messages = in_time(request.messages) if request.wire == RESPONSES else request.messages
    tools = loosened(spoken_tools(changed, target, warnings), request.wire, target, warnings)
    called = [
        (part.namespace, part.name)
        for message in request.messages
        for part in message.parts
        if isinstance(part, ToolCall)
    ]
    names = ToolNames(target, [*keys_of(tools), *called])
    capabilities = capabilities_of(model)
    told, emulated = split_stops(request.sampling.stop, target, capabilities)
    one_call = request.parallel_calls is False or request.legacy_functions
    wanted = CODECS[request.wire].request_fields.logprobs(request.extras)
    switch = capabilities.parallel_switch and _has_parallel_switch(target, dialect)
    lowered = replace(
        request,
        messages=HistoryTranslation(target, names, proofs, warnings, free_text=free_text).lower(messages),
        tools=translated_tools(tools, names, free_text=free_text, plain_only=target != "gemini"),
        tool_choice=translated_choice(request, tools, names, warnings),
        parallel_calls=(False if one_call else request.parallel_calls) if switch else None,
        sampling=replace(request.sampling, stop=told, logprobs=wanted if TRAITS[target].logprobs else None),
    )
    lowered = within_limits(lowered, target, model, dialect, warnings)
    changes = Changes(
        names,
        frozenset() if free_text else frozenset(names.lower(key) for key in keys_of(tools, "custom")),
        first_call_only=one_call and not switch,
        stops=emulated,
    )
    return Translated(lowered, tuple(dict.fromkeys(warnings)), changes)


def _goes_on(request: ChatRequest) -> bool:
    """Whether the client has begun the answer itself, which only Anthropic's models are asked to end."""
    return request.wire == "anthropic" and bool(request.messages) and request.messages[-1].role == "assistant"


def _refuse_foreign_choice(request: ChatRequest) -> None:
    if request.wire != RESPONSES:
        return
    choice = request.extras.get("tool_choice")
    if isinstance(choice, dict):
        kind = choice.get("type")
        raise Unspeakable(f"'tool_choice' of type '{kind}' means a tool that this provider has not.", "tool_choice")


def _has_parallel_switch(target: WireName, dialect: Dialect) -> bool:
    """Anthropic's is part of its tool_choice."""
    return TRAITS[target].parallel_switch and dialect.parallel_switch and (target != "anthropic" or dialect.tool_choice)


def _opened(message: Message, proofs: Signatures) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, Reasoning) and is_sealed(part.signature):
            opened = proofs.reasoning(part)
            parts += [] if opened is None else [opened]
        elif isinstance(part, ToolCall):
            parts.append(proofs.call(part) if is_sealed(part.signature) else part)
        else:
            parts.append(part)
    return message.with_parts(parts)
