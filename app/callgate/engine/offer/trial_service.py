"""What the person needs to try a tool: a call of its own through the gate, earlier ones, and examples to keep.

The person's own click decides a try (`core.own_act`), unless a rule denies it or it may do harm.

Part of the console. How a try goes on is told by `InvocationChanged` and `ToolOutput`, as for every call.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.tool_example import ToolExample
from callgate.core.errors import UserFault
from callgate.core.tool import Tool
from callgate.engine.console.live_conversation_service import PERSON
from callgate.engine.exchange.direct_call import DirectCalls
from callgate.store.files.tool_examples import ToolExamples
from callgate.store.tables.trial_calls import TrialCalls
from callgate.tools.catalog import Catalog, UnknownTool

SHOWN_TRIES: Final = 50
"""Older ones are found in the traffic."""


class TryService(Protocol):
    @property
    def address(self) -> str:
        """Where programs reach Callgate; empty = nowhere for now."""
        ...

    @property
    def needs_token(self) -> bool:
        """Whether programs must send a token."""
        ...

    def why_not(self, tool: Tool) -> str:
        """Why a tool can't be tried now; empty = it can."""
        ...

    async def run(self, tool: Tool, arguments: str, begun: Callable[[str], None]) -> None:
        """Calls the tool and lives until the call is over; `begun` is told its invocation's id. Raises `UserFault`."""
        ...

    def cancel(self, invocation_id: str) -> None:
        """Stops a try, waiting or running."""
        ...

    async def tries(self, tool: Tool) -> Sequence[Invocation]:
        """Earlier ones, the newest first."""
        ...

    def examples(self, tool: Tool) -> tuple[ToolExample, ...]: ...

    def save_example(self, tool: Tool, example: ToolExample) -> None:
        """One of the same name is replaced. Raises `UserFault` where it can't be kept."""
        ...

    def delete_example(self, tool: Tool, name: str) -> None:
        """Raises `UserFault`."""
        ...


class LiveTryService:
    def __init__(
        self,
        catalog: Catalog,
        direct: DirectCalls,
        tries: TrialCalls,
        examples: ToolExamples,
        address: Callable[[], str],
        needs_token: bool,
    ) -> None:
        self._catalog = catalog
        self._direct = direct
        self._tries = tries
        self._examples = examples
        self._address = address
        self.needs_token = needs_token

    @property
    def address(self) -> str:
        return self._address()

    def why_not(self, tool: Tool) -> str:
        known = self._catalog.get(tool.name)
        if known is None or known.source != tool.source:
            return "This tool is gone."
        if known.unavailable:
            return f"It is not offered now: {known.unavailable}"
        if self._catalog.offers(tool.name, PERSON) is None:
            return "It is switched off. Switch it on to try it." if not known.enabled else "It is not offered now."
        return ""

    async def run(self, tool: Tool, arguments: str, begun: Callable[[str], None]) -> None:
        problem = self.why_not(tool)
        if problem:
            raise UserFault(problem)
        try:
            await self._direct.act(tool, arguments, f"try {tool.name}", begun)
        except UnknownTool as gone:
            raise UserFault("This tool is gone.") from gone

    def cancel(self, invocation_id: str) -> None:
        self._direct.stop(invocation_id, "person", "stopped by the person")

    async def tries(self, tool: Tool) -> Sequence[Invocation]:
        return await self._tries.of_tool(tool.source, tool.name, PERSON, SHOWN_TRIES)

    def examples(self, tool: Tool) -> tuple[ToolExample, ...]:
        return self._examples.of_tool(tool.source, tool.name)

    def save_example(self, tool: Tool, example: ToolExample) -> None:
        if not example.name.strip():
            raise UserFault("An example needs a name.")
        self._examples.save(tool.source, tool.name, example)

    def delete_example(self, tool: Tool, name: str) -> None:
        self._examples.delete(tool.source, tool.name, name)
