"""What is asked of a model that cannot do it: taken back, and said so.

The codecs of Anthropic and Gemini see to some of it for their own models; here is what no codec does.
"""

from dataclasses import replace

from callgate.core.request import ChatRequest, Sampling, Thinking, ToolChoice, WireName
from callgate.wire.capabilities import Capabilities, capabilities_of, effort_of, nearest_effort
from callgate.wire.dialects import Dialect

_OPENAI: tuple[WireName, ...] = ("openai-chat", "openai-responses")

_USUAL = {"temperature": 1, "top_p": 1, "top_k": None, "presence_penalty": 0, "frequency_penalty": 0}
"""What happens anyway: Copilot says `temperature: 1` to every model."""


def within_limits(
    request: ChatRequest, target: WireName, model: str, dialect: Dialect, warnings: list[str]
) -> ChatRequest:
    capabilities = capabilities_of(model)
    if target != "anthropic" and not capabilities.forced_choice:
        request = _unforced(request, model, dialect, warnings)
    if target != "gemini":
        request = replace(request, thinking=_thinking(request.thinking, target, model, capabilities, warnings))
    if target != "anthropic":
        request = replace(request, sampling=_sampling(request, model, capabilities, warnings))
    return request


def _unforced(request: ChatRequest, model: str, dialect: Dialect, warnings: list[str]) -> ChatRequest:
    choice = request.tool_choice
    if choice is None or choice.mode != "required":
        return request
    dialect.unforced(f"tool_choice: {model} cannot be made to call a tool; sent as auto", warnings)
    return replace(request, tool_choice=ToolChoice("auto", choice.names))


def _sampling(request: ChatRequest, model: str, capabilities: Capabilities, warnings: list[str]) -> Sampling:
    sampling, thinking = request.sampling, request.thinking
    if capabilities.samples(_wanted(thinking) if thinking else ""):
        return sampling
    lost = [name for name, usual in _USUAL.items() if getattr(sampling, name) not in (None, usual)]
    if lost:
        when = " while it thinks" if capabilities.sampling == "unthinking" else ""
        warnings.append(f"{', '.join(lost)}: not taken by {model}{when}; left out")
    return replace(sampling, temperature=None, top_p=None, top_k=None, presence_penalty=None, frequency_penalty=None)


def _thinking(
    thinking: Thinking | None, target: WireName, model: str, capabilities: Capabilities, warnings: list[str]
) -> Thinking | None:
    if thinking is None:
        return None
    wanted = _wanted(thinking)
    if capabilities.thinking == "none":
        if wanted not in ("", "none"):
            warnings.append(f"thinking: {model} does not think; left out")
        return None
    effort = nearest_effort(wanted, capabilities.efforts)
    if target not in _OPENAI or effort == wanted:
        return thinking
    if thinking.effort or wanted == "none":  # other budgets have no exact equal in any case
        warnings.append(f"thinking: {model} does not know the effort '{wanted}'; sent as '{effort}'")
    return replace(thinking, effort=effort, budget=None)


def _wanted(thinking: Thinking) -> str:
    return thinking.effort or effort_of(thinking.budget)
