"""The invoker: runs an approved call and turns whatever happens into exactly one result."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from callgate.core.calls.binding import Binding, BoundTool, Outdated, executor
from callgate.core.calls.invocation import Invocation
from callgate.core.calls.preview import Preview
from callgate.core.calls.wording import Wording
from callgate.core.errors import PeerFault
from callgate.core.events import ToolOutput
from callgate.core.json.dotted_path import loaded
from callgate.core.json.text import mend
from callgate.core.messages import Json, ResultPart, Text, ToolResult
from callgate.core.tool import GROUP_SOURCE, Outcome, Schema, Tool
from callgate.engine.bus import Bus
from callgate.engine.gate.result_limit import ResultLimit
from callgate.engine.offer.tool_groups import ToolGroups
from callgate.tools.arguments import ArgumentChecker, BadArguments
from callgate.tools.builtin.source import SOURCE_NAME as BUILTIN_SOURCE
from callgate.tools.catalog import Catalog, UnknownTool
from callgate.tools.source import CallContext
from callgate.tools.time_limit import TimeLimit

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.3
"""Between a failed call and its second try: a server that was restarted is mostly there again."""
PREVIEW_SECONDS = 2.0
"""A call must be asked about even if a slow disk does not show what it would change."""


class Invoker:
    def __init__(
        self,
        catalog: Catalog,
        bus: Bus,
        timeout_seconds: float,
        clock: Callable[[], float] = time.time,
        *,
        groups: ToolGroups | None = None,
        result_limit: ResultLimit | None = None,
        workspace: Path | None = None,
    ) -> None:
        """`groups`: tools that only open others; `result_limit`: None = results go to the model as they are."""
        self._groups = groups
        self._result_limit = result_limit
        self._workspace = workspace
        self._catalog = catalog
        self._bus = bus
        self._timeout = timeout_seconds
        self._clock = clock
        self._checker = ArgumentChecker()

    def problem_with(self, invocation: Invocation, arguments: str) -> str:
        """Why the tool must not be given these arguments; empty = they are fine."""
        tool = self._find(invocation)
        if tool is None:
            return f"There is no tool named '{invocation.tool}' any more."
        try:
            self._checker.read(tool, arguments)
        except BadArguments as bad:
            return f"The arguments for '{tool.name}' do not fit its schema: {bad}. Nothing was run; correct them."
        return ""

    def bound(self, invocation: Invocation) -> BoundTool | None:
        """What a call is bound to as of now; None = there is no such tool (any more)."""
        opener = self._opener(invocation)
        if opener is None:
            return self._catalog.bound(invocation.tool)
        by = executor("group", ("Only shows the tools of a group",))
        return BoundTool(Binding(opener.fingerprint, by.digest, by.shown_lines, opener.source), opener.definition)

    async def run(self, invocation: Invocation) -> ToolResult:
        """Runs the call. Raises `Outdated` if it is not what was decided, and nothing ran; else only a cancellation."""
        self._compare(invocation)
        tool = self._find(invocation)
        seconds = self._timeout if tool is None or tool.timeout_seconds is None else tool.timeout_seconds
        limit = TimeLimit(seconds)
        try:
            if tool is None:
                raise UnknownTool(invocation.tool)
            arguments = self._checker.read(tool, invocation.effective_arguments)
            async with limit:
                outcome = await self._call(tool, arguments, invocation, limit)
        except Outdated:
            raise
        except UnknownTool:
            return _failed(invocation, f"The tool '{invocation.tool}' has gone; nothing was run.")
        except BadArguments as bad:
            return _failed(invocation, f"The arguments do not fit the tool's schema: {bad}. Nothing was run.")
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # nobody cancelled the call: its source gave it up, for instance because a server has died
            return _failed(invocation, f"'{invocation.tool}' broke off before it had a result.")
        except PeerFault as fault:
            return _failed(invocation, f"'{invocation.tool}' failed: {fault}")
        except Exception as error:  # a tool's bug is the tool's failure, told to the model and logged in full
            if limit.expired:
                told = f"'{invocation.tool}' did not finish within {seconds:g} seconds and was stopped."
                return _failed(invocation, told)
            log.exception("tool %s failed", invocation.tool)
            return _failed(invocation, f"'{invocation.tool}' failed: {type(error).__name__}: {error}")
        parts = tuple(_encodable(part) for part in outcome.parts)
        if self._result_limit is not None:
            parts = await self._result_limit.apply(invocation.id, parts, for_model=bool(invocation.model))
        return ToolResult(
            invocation.call_id,
            parts,
            outcome.is_error,
            name=invocation.tool,
            variant=invocation.variant,
            structured=outcome.structured if parts == outcome.parts else None,
        )

    def describe(self, invocation: Invocation, arguments: str) -> Wording:
        """The tool's own words for the call, where Callgate runs it."""
        tool = self._find(invocation) if invocation.owner == "gate" else None
        given = loaded(arguments)
        if tool is None or not isinstance(given, dict):
            return Wording()
        return tool.wording.filled({**_defaults(tool.schema), **given})

    async def preview(self, invocation: Invocation) -> Preview | None:
        """What the call would do, where Callgate runs it and its source can tell; looking changes nothing."""
        tool = self._catalog.get(invocation.tool)
        if tool is None or invocation.owner == "client":
            return None
        try:
            arguments = self._checker.read(tool, invocation.effective_arguments)
        except BadArguments:
            return None
        try:
            async with asyncio.timeout(PREVIEW_SECONDS):
                return await asyncio.to_thread(self._catalog.preview, tool.name, arguments)
        except TimeoutError:
            return None
        except Exception:  # as above: the call can be decided without it
            log.exception("a preview of %s failed", invocation.tool)
            return None

    def runs_beside_others(self, invocation: Invocation) -> bool:
        """Whether the tool says that it changes nothing, so that its calls need no order."""
        tool = self._find(invocation)
        return tool is not None and tool.annotations.read_only is True

    def only_reads(self, invocation: Invocation) -> bool:
        """Whether it is known to have no effects; what other programs say of their tools is no proof of that."""
        tool = self._find(invocation) if invocation.owner == "gate" else None
        if tool is None or tool.source not in (BUILTIN_SOURCE, GROUP_SOURCE):
            return False
        return tool.annotations.read_only is True and tool.annotations.open_world is not True

    def _find(self, invocation: Invocation) -> Tool | None:
        return self._opener(invocation) or self._catalog.get(invocation.tool)

    def _opener(self, invocation: Invocation) -> Tool | None:
        return self._groups.find(invocation.conversation_id, invocation.tool) if self._groups is not None else None

    def _compare(self, invocation: Invocation) -> None:
        """What is there now, with what the call was decided as."""
        now = self.bound(invocation)
        if invocation.executor and (now is None or now.binding != invocation.binding):
            raise Outdated

    async def _call(
        self, tool: Tool, arguments: Mapping[str, Json], invocation: Invocation, limit: TimeLimit
    ) -> Outcome:
        """Once more where the source failed and the tool says that a second time does no harm."""
        if tool.source == GROUP_SOURCE and self._groups is not None:
            return self._groups.open(invocation.conversation_id, tool.name)
        context = self._context(invocation, limit)
        entry = self._catalog.entry(tool.name)
        if entry is None:
            raise UnknownTool(tool.name)
        try:
            # from here to the source's own first wait nothing else happens: what was compared is what runs
            self._compare(invocation)
            return await entry.call(arguments, context)
        except PeerFault as fault:
            if not tool.annotations.may_be_repeated:
                raise
            failed = fault
            context.report(f"{fault}; trying once more\n", None, None)
        await asyncio.sleep(RETRY_SECONDS)
        entry = self._catalog.entry(tool.name)
        try:
            self._compare(invocation)
            if entry is None:
                raise Outdated
            return await entry.call(arguments, context)
        except Outdated:
            # the first try may have done something, so this is not a call that never ran
            message = f"{failed}; it was not tried again, as the tool has changed since"
            raise PeerFault(replace(failed.fault, message=message)) from failed

    def _context(self, invocation: Invocation, limit: TimeLimit) -> CallContext:
        def report(text: str, progress: float | None = None, total: float | None = None) -> None:
            self._bus.publish(
                ToolOutput(invocation.id, invocation.conversation_id, mend(text), self._clock(), progress, total)
            )

        budget = (self._result_limit.tokens if self._result_limit is not None else 0) or None
        return CallContext(
            invocation.call_id,
            invocation.conversation_id,
            report,
            self._workspace,
            budget,
            limit.hold,
            invocation.id,
            invocation.previewed,
            partial(self._compare, invocation),
        )


def _defaults(schema: Schema) -> dict[str, Json]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    said = {name: value for name, value in properties.items() if isinstance(value, Mapping)}
    return {name: value["default"] for name, value in said.items() if "default" in value}


def _encodable(part: ResultPart) -> ResultPart:
    """Names of files may hold bytes that are no text; no wire could carry them."""
    return replace(part, text=mend(part.text)) if isinstance(part, Text) else part


def _failed(invocation: Invocation, text: str) -> ToolResult:
    return ToolResult(
        invocation.call_id, (Text(text),), is_error=True, name=invocation.tool, variant=invocation.variant
    )
