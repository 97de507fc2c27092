"""What people do with rules beside adding and removing them: look at what became of grants and calls, bring rules in
and take them out. The values and the door; `live_rule_desk` is who stands behind it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from callgate.core.calls.invocation import GrantScope, Invocation
from callgate.core.catalog.definition_diff import Change
from callgate.core.messages import Json
from callgate.core.rules.policy import Rule

Remark = tuple[str, str]
"""The original text, and what is to be said of it."""


@dataclass(frozen=True, slots=True)
class DefinitionChange:
    """A tool that is defined otherwise than it was."""

    tool: str
    source: str
    fingerprint: str
    """Of the definition that holds now."""
    after: Mapping[str, Json]
    before: Mapping[str, Json] | None = None
    """None: the old definition is not kept any more."""
    changes: tuple[Change, ...] = ()
    """What differs, in order; empty where the old one is not known."""


@dataclass(frozen=True, slots=True)
class SuspendedGrant:
    """A rule that was granted for a definition that its tool no longer has: until it is accepted, it does not count."""

    rule: Rule
    change: DefinitionChange


@dataclass(frozen=True, slots=True)
class CallBackground:
    """What is known of a call's tool from before."""

    last: Invocation | None = None
    """The latest call of the same tool by the same agent that is over."""
    change: DefinitionChange | None = None
    """How its definition differs from the one that was last approved, or that a grant was given for."""
    suspended: tuple[Rule, ...] = ()
    """Grants that would count, were the definition still the same."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What would be taken over from another program's rules."""

    program: str
    rules: tuple[Rule, ...] = ()
    skipped: tuple[Remark, ...] = ()
    """What has no counterpart here, and why."""
    widened: tuple[Remark, ...] = ()
    """What restricts more here than it did there."""


class RuleService(Protocol):
    async def suspended(self) -> Sequence[SuspendedGrant]:
        """All grants that do not count because a definition has changed; `RulesChanged` and `ToolsChanged` say when
        to ask again."""
        ...

    async def background(self, invocation: Invocation) -> CallBackground:
        """What helps to judge a call that waits."""
        ...

    def reaccept(self, rule_id: str, fingerprint: str) -> Rule | None:
        """Lets a suspended grant count for the definition with this fingerprint; None: there is no such rule.

        Raises `UserFault` where that can't be saved."""
        ...

    def read_import(self, text: str) -> ImportPlan:
        """Rules of Claude Code, VS Code, Zed or Callgate itself; nothing is taken yet. Raises `UserFault`."""
        ...

    def take_import(self, plan: ImportPlan, scope: GrantScope) -> tuple[Rule, ...]:
        """Saves all rules of a plan; those that hold already are not doubled. Raises `UserFault`."""
        ...

    def export(self) -> str:
        """All rules that can be written down, as a person would write them into a configuration file."""
        ...

    def why_no_retry(self, invocation: Invocation) -> str:
        """Why a refused call can't be run again from here; empty = it can."""
        ...

    async def retry(self, invocation: Invocation) -> None:
        """Makes the same call once more, through the gate. Raises `UserFault`."""
        ...
