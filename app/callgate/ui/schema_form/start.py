"""What a form starts from: the least that a schema leaves no choice about. Pure."""

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
    RawPlan,
    SubSchema,
    TextPlan,
)
from callgate.core.schema.form_planner import Planner
from callgate.core.schema.form_value import present

_DEEPEST: Final = 6
"""Required objects inside one another; a schema that requires itself would never end."""


def starting_value(planner: Planner, schema: SubSchema, depth: int = 0) -> Json:
    """The value with which a field begins once a person adds it: its default, else the emptiest of its kind."""
    plan = planner.plan(schema)
    if present(plan.about.default) and depth > 0:
        return plan.about.default
    match plan:
        case TextPlan():
            return ""
        case NumberPlan():
            return 0
        case FlagPlan():
            return False
        case NullPlan() | RawPlan():
            return None
        case ChoicePlan():
            return plan.choices[0].value if plan.choices else None
        case ListPlan():
            return [starting_value(planner, one, depth + 1) for one in plan.first[: plan.fewest]] if depth < 3 else []
        case BranchPlan():
            filled = [one for one in plan.branches if not isinstance(planner.plan(one.schema), NullPlan)]
            chosen = (filled or list(plan.branches))[0]
            return None if depth > _DEEPEST else starting_value(planner, chosen.schema, depth + 1)
        case ObjectPlan():
            return _object(planner, plan, depth)
        case _:
            assert_never(plan)


def _object(planner: Planner, plan: ObjectPlan, depth: int) -> Json:
    """Only what leaves no choice: required objects, and fields that can have but one value."""
    value: dict[str, Json] = {}
    for known in plan.properties:
        if not known.required or depth > _DEEPEST:
            continue
        inner = planner.plan(known.schema)
        if isinstance(inner, ChoicePlan) and len(inner.choices) == 1:
            value[known.name] = inner.choices[0].value
        elif isinstance(inner, ObjectPlan):
            value[known.name] = _object(planner, inner, depth + 1)
    return value
