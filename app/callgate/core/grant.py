"""The rule that a decision with a lasting scope saves. Pure, so that what is shown is what is saved."""

from callgate.core.invocation import Decision, Invocation
from callgate.core.policy import Rule


def grant(invocation: Invocation, decision: Decision) -> Rule:
    """Bound to the tool's definition where it allows: a changed tool must be looked at again."""
    return Rule(
        "allow" if decision.verb == "approve" else "deny",
        tool=invocation.tool,
        source=invocation.source or "*",
        agent=invocation.agent if invocation.owner == "client" else "*",
        when=decision.when,
        note=decision.reason if decision.verb == "deny" else "",
        expires=decision.expires,
        uses=decision.uses,
        origin=decision.scope,
        fingerprint=invocation.fingerprint if decision.verb == "approve" else "",
        # who lets a tool run from now on has not said that its results need no look any more
        review=invocation.wording.review_result and decision.verb == "approve",
    )
