"""The rule that a decision with a lasting scope saves. Pure, so that what is shown is what is saved.

A grant for a tool that an agent runs itself is for that agent alone, if its name is proven. Where the name is only
claimed, the grant is for every agent that brings exactly this tool: a rule for the claimed name would not count, and
would keep no program away that claims the same. What binds it then is the fingerprint of the tool's definition.
"""

from callgate.core.invocation import Decision, Invocation
from callgate.core.policy import Rule


def agent_of_rule(invocation: Invocation, *, allows: bool) -> str:
    """Which agents a rule made from a call is for. What denies counts for claimed names too."""
    if invocation.owner != "client" or (allows and not invocation.agent_proven):
        return "*"
    return invocation.agent


def grant(invocation: Invocation, decision: Decision) -> Rule:
    """Bound to the tool's definition where it allows: a changed tool must be looked at again."""
    allows = decision.verb == "approve"
    return Rule(
        "allow" if allows else "deny",
        tool=invocation.tool,
        source=invocation.source or "*",
        agent=agent_of_rule(invocation, allows=allows),
        when=decision.when,
        note=decision.reason if decision.verb == "deny" else "",
        expires=decision.expires,
        uses=decision.uses,
        origin=decision.scope,
        fingerprint=invocation.fingerprint if decision.verb == "approve" else "",
        # who lets a tool run from now on has not said that its results need no look any more
        review=invocation.wording.review_result and decision.verb == "approve",
    )
