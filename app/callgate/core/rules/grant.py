"""The rule that a decision with a lasting scope saves. Pure, so that what is shown is what is saved.

A grant for a tool that an agent runs itself is for that agent alone, if its name is proven. Where the name is only
claimed, the grant is for every agent that brings exactly this tool: a rule for the claimed name would not count, and
would keep no program away that claims the same. What binds it then is the fingerprint of the tool's definition.

A grant for a turn or a conversation is bound to that conversation and to the identity of its agent, proven or not, as
well as to the fingerprint. It never covers a sub-agent, even one that goes on from the same history.
"""

from dataclasses import replace

from callgate.core.calls.invocation import Decision, Invocation, Scope
from callgate.core.rules.policy import Rule
from callgate.core.rules.rule import Within


def agent_of_rule(invocation: Invocation, *, allows: bool) -> str:
    """Which agents a rule made from a call is for. What denies counts for claimed names too."""
    if invocation.owner != "client" or (allows and not invocation.agent_proven):
        return "*"
    return invocation.agent


def within_of(invocation: Invocation, scope: Scope) -> Within | None:
    """What a rule saved with this scope is limited to; None = neither a turn nor a conversation."""
    match scope:
        case "turn":
            return invocation.within
        case "conversation":
            return replace(invocation.within, turn="")
        case _:
            return None


def grant(invocation: Invocation, decision: Decision) -> Rule:
    """Bound to the tool's definition where it allows: a changed tool must be looked at again."""
    allows = decision.verb == "approve"
    within = within_of(invocation, decision.scope)
    return Rule(
        "allow" if allows else "deny",
        tool=invocation.tool,
        source=invocation.source or "*",
        # a rule within a conversation is bound to its agent's identity already
        agent="*" if within is not None else agent_of_rule(invocation, allows=allows),
        when=decision.when,
        note=decision.reason if decision.verb == "deny" else "",
        expires=decision.expires,
        uses=decision.uses,
        origin=decision.scope,
        fingerprint=invocation.fingerprint if decision.verb == "approve" else "",
        # who lets a tool run from now on has not said that its results need no look any more
        review=invocation.wording.review_result and decision.verb == "approve",
        within=within,
        # one within a conversation never covers them
        sub_agents=not allows or within is not None or decision.sub_agents,
    )
