"""How a person's answer to a result becomes a step, and how a call that did not run is answered."""

from callgate.core.errors import UserFault
from callgate.core.invocation import Decision, Invocation, Review, Step
from callgate.core.messages import Text, ToolResult


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
