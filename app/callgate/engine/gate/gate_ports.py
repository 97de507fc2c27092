"""What the gate is handed: where rules are kept, how to behave without one, and what can be told of a call.

Each is a small port with a default that knows nothing, so that a gate can be built from its rules alone.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from callgate.core.calls.binding import Binding, BoundTool
from callgate.core.calls.invocation import GrantScope, Invocation
from callgate.core.calls.preview import Preview
from callgate.core.calls.targets import Targets
from callgate.core.calls.wording import Wording
from callgate.core.rules.policy import Rule

OnAsk = Literal["wait", "allow", "deny"]
"""What becomes of a call that no rule settles: a person decides, or (headless) a fixed answer."""


class RuleStore(Protocol):
    """Where rules are kept; the store's rule book is one."""

    def rules(self) -> tuple[Rule, ...]: ...

    def add(self, rule: Rule, scope: GrantScope) -> Rule: ...

    def problem_with(self, rule: Rule, scope: GrantScope) -> str: ...

    def enter_turn(self, conversation_id: str, exchange_id: str, *, begins: bool) -> str: ...

    def use(self, rule_id: str) -> None: ...

    def on_change(self, listener: Callable[[], None]) -> None: ...


@dataclass(frozen=True, slots=True)
class GateConduct:
    """How the gate behaves where no rule speaks."""

    observe_client_tools: bool = False
    """True: calls that a client runs itself are let through and only watched."""
    deadline_seconds: float = 300
    on_ask: OnAsk = "wait"
    attended: bool = False
    """Whether what waits is shown to a person: then the deadline does not run out on a call that was not."""


CheckArguments = Callable[[Invocation, str], str]
"""Why the tool must not be given these arguments; empty = they are fine."""


TwinOf = Callable[[str], str]
"""The known tool that a name only looks like; empty = none."""


def no_twin(name: str) -> str:
    return ""


Describe = Callable[[Invocation, str], Wording]
"""How the call's tool speaks of it, with these arguments."""


def wordless(invocation: Invocation, arguments: str) -> Wording:
    return Wording()


Prepare = Callable[[Invocation], Awaitable[Preview | None]]
"""What a call would do, in the words of its tool."""


async def unprepared(invocation: Invocation) -> Preview | None:
    return None


Unrecorded = Callable[[Invocation | None], bool]
"""Whether a call would have effects and leave no record, as the journal cannot be written; None = any call might."""


def recorded(invocation: Invocation | None) -> bool:
    return False


TargetsOf = Callable[[Invocation, str], Targets | None]
"""The commands, files and addresses that a call is about; None = told from the tool's name alone."""


def named_targets(invocation: Invocation, arguments: str) -> Targets | None:
    return None


class Bindings(Protocol):
    """What the calls of tools are bound to."""

    def now(self, invocation: Invocation) -> BoundTool | None:
        """The tool of a call and what would run it; None = there is no such tool any more."""
        ...

    def earlier(self, invocation: Invocation) -> BoundTool | None:
        """A client's own tool as its conversation was offered it before, if that was another; None = it was not."""
        ...


class Unbound:
    """Knows nothing of tools: whatever a call says of itself holds."""

    def now(self, invocation: Invocation) -> BoundTool | None:
        return BoundTool(Binding(invocation.fingerprint, source=invocation.source))

    def earlier(self, invocation: Invocation) -> BoundTool | None:
        return None
