"""Whether a value suits a field, and which of several shapes it has. Pure; guesses well, and never changes a value."""

from typing import Final, assert_never

from callgate.core.messages import Json
from callgate.core.schema.form_plan import (
    BranchPlan,
    ChoicePlan,
    FlagPlan,
    ListPlan,
    NullPlan,
    NumberPlan,
    ObjectPlan,
    Plan,
    RawPlan,
    SubSchema,
    TextPlan,
)
from callgate.core.schema.form_planner import Planner
from callgate.core.schema.form_schema import Flat, Undescribed, types_of
from callgate.core.schema.form_value import same

_DEEPEST: Final = 4
"""How far into a value is looked to tell shapes apart."""
_LOOKED_AT: Final = 3
"""Items of a list, for the same."""
_MISSING, _UNKNOWN, _WRONG, _OTHER_KIND = 5, 4, 6, 40


def fits(planner: Planner, plan: Plan, value: Json) -> bool:
    """Whether the field of a plan can hold the value exactly as it is."""
    match plan:
        case TextPlan():
            return isinstance(value, str)
        case NumberPlan():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case FlagPlan():
            return isinstance(value, bool)
        case NullPlan():
            return value is None
        case ChoicePlan():
            return any(same(value, choice.value) for choice in plan.choices)
        case ObjectPlan():
            return isinstance(value, dict)
        case ListPlan():
            return isinstance(value, list)
        case BranchPlan():
            return branch_for(planner, plan, value) is not None
        case RawPlan():
            return True
        case _:
            assert_never(plan)


def branch_for(planner: Planner, plan: BranchPlan, value: Json) -> int | None:
    """The shape that a value most likely has; None = none of them."""
    scores = [(likeness(planner, branch.schema, value), -index) for index, branch in enumerate(plan.branches)]
    best = max(((score, index) for score, index in scores if score is not None), default=None)
    return None if best is None else -best[1]


def likeness(planner: Planner, schema: SubSchema, value: Json, depth: int = 0) -> int | None:
    """How well a value suits a schema; None = it can't be meant."""
    try:
        flat = planner.schemas.flat(schema)
    except Undescribed:
        return None if schema is False else 0
    if depth > _DEEPEST:
        return 0
    if "const" in flat:
        return 10 if same(flat["const"], value) else None
    values = flat.get("enum")
    if isinstance(values, list):
        return 10 if any(same(one, value) for one in values) else None
    types = types_of(flat)
    if types and not any(_is_of(value, one) for one in types):
        return None
    branches = planner.branches(flat)
    if branches:
        scores = [likeness(planner, branch.schema, value, depth + 1) for branch in branches]
        return max((score for score in scores if score is not None), default=None)
    base = 5 if types else 1
    if isinstance(value, dict):
        return base + _object_likeness(planner, flat, value, depth)
    if isinstance(value, list):
        return base + _list_likeness(planner, flat, value, depth)
    return base + _narrowness(flat, value)


def _object_likeness(planner: Planner, flat: Flat, value: dict[str, Json], depth: int) -> int:
    plan = planner.plan({**flat, "type": "object"})
    if not isinstance(plan, ObjectPlan):
        return 0
    score = 0
    listed = plan.listed
    score -= _MISSING * sum(1 for known in plan.properties if known.required and known.name not in value)
    for name, inner in value.items():
        if name not in listed and plan.closed:
            score -= _UNKNOWN
            continue
        found = likeness(planner, planner.field_schema(plan, name), inner, depth + 1)
        telling = name in listed and _is_telling(listed[name].schema)
        score += min(found, 3) if found is not None else -_OTHER_KIND if telling else -_WRONG
    return score


def _list_likeness(planner: Planner, flat: Flat, value: list[Json], depth: int) -> int:
    plan = planner.plan({**flat, "type": "array"})
    if not isinstance(plan, ListPlan):
        return 0
    scores = [likeness(planner, plan.item(index), item, depth + 1) for index, item in enumerate(value[:_LOOKED_AT])]
    return sum(-_WRONG if score is None else 1 for score in scores)


def _narrowness(flat: Flat, value: Json) -> int:
    """Between two shapes of the same type, the one whose limits the value keeps."""
    low, high = flat.get("minimum"), flat.get("maximum")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if isinstance(low, int | float) and value < low:
            return -3
        if isinstance(high, int | float) and value > high:
            return -3
    if isinstance(value, str):
        short, long = flat.get("minLength"), flat.get("maxLength")
        if isinstance(short, int) and len(value) < short:
            return -3
        if isinstance(long, int) and len(value) > long:
            return -3
    return 0


def _is_telling(schema: SubSchema) -> bool:
    """A field with but one or a few values tells shapes apart."""
    return isinstance(schema, dict) and ("const" in schema or "enum" in schema)


def _is_of(value: Json, kind: str) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "integer":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return whole and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)
