"""How much to think: a level for newer models and a budget for older ones here, one `Thinking` elsewhere."""

from callgate.core.errors import BadRequest
from callgate.core.json.fields import Fields
from callgate.core.messages import Json
from callgate.core.request import Thinking
from callgate.wire.gemini_generate.field_names import Camel
from callgate.wire.gemini_generate.traits import ModelTraits

_LEVELS = ("minimal", "low", "medium", "high")
_UNSAID = "thinking_level_unspecified"
_BUDGETS = {"minimal": 512, "low": 1024, "medium": 8192, "high": 24576}
"""The provider's own equivalents, where it takes efforts on its compatible service."""
_LEAST_BUDGET = 128
"""Of models that cannot but think."""
_ABOVE_HIGH = ("xhigh", "max")
_camel = Camel("thinkingLevel", "thinkingBudget", "includeThoughts")


def normal_thinking(given: Fields) -> dict[str, Json]:
    """The section with its fields in camelCase."""
    return dict(_camel(given).value)


def read_thinking(given: Fields | None) -> Thinking | None:
    if given is None:
        return None
    config = _camel(given)
    level = config.text("thinkingLevel", "").lower()
    if level not in ("", _UNSAID, *_LEVELS):
        supported = ", ".join(f"'{name.upper()}'" for name in _LEVELS)
        raise BadRequest(
            f"Invalid value: '{level}'. Supported values are: {supported}.",
            config.at("thinkingLevel"),
            code="invalid_value",
        )
    budget = config.integer("thinkingBudget", None, minimum=-1)
    effort = "none" if budget == 0 else "" if level == _UNSAID else level
    summary = "auto" if config.boolean("includeThoughts", False) else ""
    return Thinking(effort, budget, summary)  # -1: as much as the model likes


def write_thinking(wanted: Thinking | None, traits: ModelTraits, warnings: list[str]) -> dict[str, Json]:
    if wanted is None:
        return {}
    off = wanted.effort == "none" or wanted.budget == 0
    if not traits.thinking:
        if not off:
            warnings.append("thinking: not known to this model; left out")
        return {}
    if off and not traits.thinking_off:
        warnings.append("thinking: this model cannot do without; the least was asked for")
    if wanted.effort in _ABOVE_HIGH:
        warnings.append(f"thinking: Gemini does not know the effort '{wanted.effort}'; the most was asked for")
    if traits.thinking_levels:
        level = "minimal" if off else _level(wanted)
        spelled: dict[str, Json] = {"thinkingLevel": level.upper()} if level else {}
    else:
        budget = (0 if traits.thinking_off else _LEAST_BUDGET) if off else _budget(wanted)
        spelled = {"thinkingBudget": budget} if budget is not None else {}
    if not off and wanted.summary != "none":
        spelled["includeThoughts"] = True
    return spelled


def _level(wanted: Thinking) -> str:
    """The named effort, or the smallest level whose budget covers the wanted one."""
    if wanted.effort:
        return "high" if wanted.effort in _ABOVE_HIGH else wanted.effort if wanted.effort in _LEVELS else ""
    if wanted.budget is None or wanted.budget < 0:
        return ""
    enough = (level for level, budget in _BUDGETS.items() if budget >= (wanted.budget or 0))
    return next(enough, "high")


def _budget(wanted: Thinking) -> int | None:
    if wanted.budget is not None:
        return min(wanted.budget, _BUDGETS["high"])
    return _BUDGETS["high"] if wanted.effort in _ABOVE_HIGH else _BUDGETS.get(wanted.effort)
