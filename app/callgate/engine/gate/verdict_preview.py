"""What the gate will say of a call that is still being written. Nothing is decided here, and nothing happens.

Conservative: “will” is said only where no further text could change the outcome; else it is what the gate would say if
the call ended now, counting only values that are whole.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import orjson

from callgate.core.calls.invocation import Invocation
from callgate.core.json.partial import Sketch, Step
from callgate.core.messages import Json
from callgate.core.rules.expression import Always, And, Compare, Expression, Not, Or, Word, fields_of
from callgate.core.rules.judgement import Prepared
from callgate.core.rules.match import ExpressionError
from callgate.core.rules.policy import Policy, Verdict, VerdictKind
from callgate.engine.gate.gate import Gate

_NAMES = frozenset({"tool", "source", "agent", "model"})


@dataclass(frozen=True, slots=True)
class VerdictPreview:
    kind: VerdictKind
    certain: bool
    """True: whatever comes, it stays so, unless rules or the gate's mode change."""
    rule: str = ""
    """The rule that speaks, in words; empty = none does."""
    reason: str = ""


class Foreseer:
    """Reads the rules once, and again when told that they changed."""

    def __init__(self, gate: Gate, policy: Policy, clock: Callable[[], float] = time.time) -> None:
        self._gate = gate
        self.policy = policy
        self._clock = clock

    def foresee(self, invocation: Invocation, sketch: Sketch | None) -> VerdictPreview:
        """`sketch`: the arguments so far; None = nothing can be read of them."""
        written = orjson.dumps({} if sketch is None else _closed(sketch)).decode()
        verdict, outcome = self._gate.foresee(invocation, written)
        certain = (sketch is not None and sketch.open is None) or self._is_certain(invocation, verdict, outcome)
        return VerdictPreview(outcome, certain, verdict.rule, verdict.reason)

    def _is_certain(self, invocation: Invocation, verdict: Verdict, outcome: VerdictKind) -> bool:
        rules = self.policy.about(invocation.tool, invocation.source, invocation.agent)
        about = [one for one in rules if not one.over(self._clock())]
        match outcome:
            case "allow":
                return not self._gate.could_refuse(
                    invocation.tool,
                    invocation.source,
                    invocation.agent,
                    invocation.fingerprint,
                    owner_is_client=invocation.owner == "client",
                    agent_proven=invocation.agent_proven,
                    sub_agent=invocation.sub_agent,
                )
            case "deny":
                return any(one.words == verdict.rule and _stays(one) for one in about)
            case "ask":
                if any(one.rule.verdict == "deny" for one in about) or self._gate.conduct.on_ask != "wait":
                    return False
                asked = self._gate.mode.kind == "ask"
                asked = asked or any(one.words == verdict.rule and _stays(one) for one in about)
                return asked or not any(one.rule.verdict == "allow" for one in about)
            case _:
                assert_never(outcome)


def _stays(one: Prepared) -> bool:
    """Whether a rule that holds for the values that are whole also holds for all that may follow."""
    when = one.when
    if isinstance(when, ExpressionError):
        return True  # it asks, whatever comes
    known = all(field in _NAMES or field.startswith("args.") for field in fields_of(when))
    return known and _is_positive(when)


def _is_positive(expression: Expression) -> bool:
    match expression:
        case Always() | Compare():
            return True
        case Word() | Not():
            return False
        case And() | Or():
            return all(map(_is_positive, expression.parts))
        case _:
            assert_never(expression)


def _closed(sketch: Sketch) -> Json:
    """The value without the text that is still growing."""
    if sketch.open is None:
        return sketch.value
    return _without(sketch.value, sketch.open)


def _without(value: Json, path: tuple[Step, ...]) -> Json:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        inner = value[step]
        kept = {key: item for key, item in value.items() if key != step}
        return {**kept, step: _without(inner, rest)} if rest or isinstance(inner, dict | list) else kept
    if isinstance(value, list) and isinstance(step, int):
        inner = value[step]
        return [*value[:-1], _without(inner, rest)] if rest or isinstance(inner, dict | list) else value[:-1]
    return value
