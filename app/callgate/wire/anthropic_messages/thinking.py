"""Thinking: `thinking` and `output_config.effort` here, one `Thinking` elsewhere."""

from dataclasses import dataclass, field

from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import Thinking
from callgate.wire.anthropic_messages.traits import ModelTraits

MIN_BUDGET = 1024
"""The least the wire accepts; it must also be less than `max_tokens`."""

_BUDGETS = {"minimal": MIN_BUDGET, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 20000, "max": 23000}
"""With the default room for the answer, the largest stays under 32,000: the output limit of the older models."""
_EFFORTS = {"minimal": "low"}


def read_thinking(fields: Fields) -> Thinking | None:
    config = fields.child("output_config")
    effort = config.text("effort", "") if config is not None else ""
    thinking = fields.child("thinking")
    if thinking is None:
        return Thinking(effort) if effort else None
    summary = "auto" if thinking.text("display", "") == "summarized" else ""
    match thinking.text("type"):
        case "disabled":
            return Thinking("none")
        case "enabled":
            return Thinking(effort, thinking.integer("budget_tokens", None), summary)
        case _:
            return Thinking(effort, summary=summary)


@dataclass(slots=True)
class Spelled:
    """Thinking for one request. `thinking` is empty where it is off or not said."""

    thinking: dict[str, Json] = field(default_factory=dict[str, Json])
    effort: str = ""
    max_tokens: int = 0

    @property
    def on(self) -> bool:
        return self.thinking.get("type") in ("adaptive", "enabled")


def write_thinking(
    wanted: Thinking | None, max_tokens: int | None, default: int, traits: ModelTraits, warnings: list[str]
) -> Spelled:
    """`max_tokens`: what the client gave; else there is room for the thinking and `default` for the answer.

    Whoever wants to be shown it wants it: the other wires' models think unasked.
    """
    room = max_tokens if max_tokens is not None else default
    shown = wanted is not None and wanted.summary not in ("", "none")
    if wanted is None or not (wanted.budget is not None or wanted.effort or shown):
        return Spelled(max_tokens=room)
    if wanted.budget == 0 or wanted.effort == "none":
        return Spelled({"type": "disabled"} if traits.adaptive_thinking else {}, max_tokens=room)
    if traits.adaptive_thinking:
        thinking: dict[str, Json] = {"type": "adaptive"}
        if shown:
            thinking["display"] = "summarized"
        return Spelled(thinking, _effort(wanted), room)
    budget = wanted.budget if wanted.budget is not None and wanted.budget > 0 else _BUDGETS.get(wanted.effort, 8192)
    budget = max(budget, MIN_BUDGET)
    if max_tokens is None:
        room = budget + default
    elif budget >= room:
        budget = room - 1
    if budget < MIN_BUDGET:
        warnings.append(f"thinking: max_tokens {room} leaves no room for it; left out")
        return Spelled(max_tokens=room)
    return Spelled({"type": "enabled", "budget_tokens": budget}, max_tokens=room)


def _effort(wanted: Thinking) -> str:
    """The named effort, or the smallest one whose budget covers the wanted one."""
    if wanted.effort or wanted.budget is None or wanted.budget < 0:
        return _EFFORTS.get(wanted.effort, wanted.effort)
    enough = (name for name, budget in _BUDGETS.items() if budget >= (wanted.budget or 0))
    effort = next(enough, "max")
    return _EFFORTS.get(effort, effort)
