"""What is asked of a model that cannot do it: taken back, and said so.

The codecs of Anthropic and Gemini see to some of it for their own models; here is what no codec does.
"""

from dataclasses import replace

from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice, WireName
from callgate.wire.capabilities import Capabilities, effort_of, nearest_effort

_OPENAI: tuple[WireName, ...] = ("openai-chat", "openai-responses")

_USUAL = ((None, 1), (None, 1), (None,), (None, 0), (None, 0))
"""Values that ask for what happens anyway, in the order of the knobs."""


def within_limits(
    request: ChatRequest, target: WireName, model: str, capabilities: Capabilities, warnings: list[str]
) -> ChatRequest:
    if target != "anthropic":
        request = _unforced(request, model, capabilities, warnings)
        request = replace(request, sampling=_sampling(request.sampling, model, capabilities, warnings))
    if target != "gemini":
        request = replace(request, thinking=_thinking(request.thinking, target, model, capabilities, warnings))
    return request


def _unforced(request: ChatRequest, model: str, capabilities: Capabilities, warnings: list[str]) -> ChatRequest:
    choice = request.tool_choice
    if capabilities.forced_choice or choice is None or choice.mode != "required":
        return request
    warnings.append(f"tool_choice: {model} cannot be made to call a tool; sent as auto")
    return replace(request, tool_choice=ToolChoice("auto", choice.names))


def _sampling(sampling: Sampling, model: str, capabilities: Capabilities, warnings: list[str]) -> Sampling:
    if capabilities.sampling:
        return sampling
    plain = replace(sampling, temperature=None, top_p=None, top_k=None, presence_penalty=None, frequency_penalty=None)
    asked = (
        sampling.temperature,
        sampling.top_p,
        sampling.top_k,
        sampling.presence_penalty,
        sampling.frequency_penalty,
    )
    if any(value not in usual for value, usual in zip(asked, _USUAL, strict=True)):
        warnings.append(f"temperature, top_p, top_k, penalties: {model} takes none of them; left out")
    return plain


def _thinking(
    thinking: Thinking | None, target: WireName, model: str, capabilities: Capabilities, warnings: list[str]
) -> Thinking | None:
    if thinking is None:
        return None
    wanted = thinking.effort or effort_of(thinking.budget)
    if capabilities.thinking == "none":
        if wanted not in ("", "none"):
            warnings.append(f"thinking: {model} does not think; left out")
        return None
    effort = nearest_effort(wanted, capabilities.efforts)
    if target not in _OPENAI or effort == wanted:
        return thinking
    warnings.append(f"thinking: {model} does not know the effort '{wanted}'; sent as '{effort}'")
    return replace(thinking, effort=effort, budget=None)
