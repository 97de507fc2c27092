"""How a person's answer to a result becomes a step, how a call that did not run is answered, and which decisions can't
be taken."""

from callgate.core.calls.invocation import Decision, Invocation, Review, Settle, Step
from callgate.core.errors import UserFault
from callgate.core.messages import Text, ToolResult
from callgate.core.rules.match import ExpressionError, parse


def reviewed_step(invocation: Invocation, decision: Decision) -> Step:
    ran = invocation.ran_result
    if ran is None:
        raise UserFault(f"{invocation.tool} has no result to review.")
    match decision.verb:
        case "accept" | "approve":
            return Review(ran, decision.reason)
        case "edit_result" | "answer":
            return Review(result_of(invocation, decision.result), decision.reason)
        case "withhold" | "deny" | "skip":
            why = f" Reason given: {decision.reason}" if decision.reason else ""
            text = f"Tool call '{invocation.tool}' ran, but the user withholds its result.{why}"
            return Review(result_of(invocation, text, is_error=True), decision.reason)


def result_of(invocation: Invocation, text: str, *, is_error: bool = False) -> ToolResult:
    return ToolResult(invocation.call_id, (Text(text),), is_error, name=invocation.tool, variant=invocation.variant)


def unfit(invocation: Invocation, problem: str) -> Settle:
    return Settle(
        result_of(invocation, problem, is_error=True),
        "ConfirmationNotNeeded",
        "rule",
        explanation="the arguments do not fit the tool's schema",
    )


def refuse_unreadable(when: str) -> None:
    """Before anything is decided: a decision must not be taken and its rule lost."""
    try:
        parse(when)
    except ExpressionError as bad:
        raise UserFault(bad.pointed()) from bad


def refuse_ungrantable(invocation: Invocation, decision: Decision) -> None:
    if decision.verb == "approve" and invocation.verdict is not None and not invocation.verdict.grantable:
        raise UserFault(f"It can only be approved once: {invocation.verdict.reason}.")
