"""A rule desk without an engine: lists to fill, and a record of what the person did."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from callgate.core.calls.invocation import GrantScope, Invocation
from callgate.core.errors import UserFault
from callgate.core.rules.policy import Rule
from callgate.engine.console.rule_service import CallBackground, ImportPlan, SuspendedGrant


@dataclass(eq=False)
class FakeRuleService:
    """Implements `RuleService`."""

    suspended_grants: list[SuspendedGrant] = field(default_factory=list)
    backgrounds: dict[str, CallBackground] = field(default_factory=dict)
    """By tool."""
    reaccepted: list[tuple[str, str]] = field(default_factory=list)
    plan: ImportPlan | None = None
    """What any text is read as; None = it can't be read."""
    taken: list[tuple[ImportPlan, GrantScope]] = field(default_factory=list)
    exported: str = ""
    obstacles: dict[str, str] = field(default_factory=dict)
    """By tool: why its calls can't be made again."""
    retried: list[Invocation] = field(default_factory=list)

    async def suspended(self) -> Sequence[SuspendedGrant]:
        return tuple(self.suspended_grants)

    async def background(self, invocation: Invocation) -> CallBackground:
        return self.backgrounds.get(invocation.tool, CallBackground())

    def reaccept(self, rule_id: str, fingerprint: str) -> Rule | None:
        self.reaccepted.append((rule_id, fingerprint))
        found = [grant.rule for grant in self.suspended_grants if grant.rule.id == rule_id]
        self.suspended_grants = [grant for grant in self.suspended_grants if grant.rule.id != rule_id]
        return found[0] if found else None

    def read_import(self, text: str) -> ImportPlan:
        if self.plan is None:
            raise UserFault("no permission rules were found")
        return self.plan

    def take_import(self, plan: ImportPlan, scope: GrantScope) -> tuple[Rule, ...]:
        self.taken.append((plan, scope))
        return plan.rules

    def export(self) -> str:
        return self.exported

    def why_no_retry(self, invocation: Invocation) -> str:
        return self.obstacles.get(invocation.tool, "")

    async def retry(self, invocation: Invocation) -> None:
        self.retried.append(invocation)
