"""The demonstration: a small agent on the embedded model, in a copy of the sample workspace, whatever is configured.

It uses the person's own engine, so that its calls are shown, judged and recorded like all others; but it brings its own
endpoint and tools, which no other agent is offered, and what it was granted is taken away when it ends.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.core.errors import CallgateError, PeerFault, UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.messages import Message, Text
from callgate.core.request import ChatRequest, GateOptions
from callgate.core.rules.policy import Rule
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchange import Exchange
from callgate.engine.offer.offer import Offer, OfferConduct, offer
from callgate.engine.offer.offering import Offering
from callgate.runtime.resources import resource
from callgate.runtime.runtime import Runtime
from callgate.tools.builtin.read_files import read_tools
from callgate.tools.builtin.search_files import search_tools
from callgate.tools.builtin.source import BuiltinSource, BuiltinTool
from callgate.tools.confinement import Confinement
from callgate.upstream.demo.model import DEMO_MODEL, demo_endpoint
from callgate.upstream.routing import Routing

AGENT = "demo-agent"
FIRST = "List the station folder"
SECOND = "Read README.md and search for TODO in station"
SAMPLE = "sample workspace"
"""The source of its tools: names of configured sources have no spaces, so no rule for it means another source."""
ENDING = "_sample"
_OFFERED = ("list_directory", "read_file", "search_text")
_ALLOWED = Rule(
    "allow",
    tool=f"list_directory{ENDING}",
    source=SAMPLE,
    agent=AGENT,
    note="the demonstration allows listing folders",
    origin="session",
)
"""One call is allowed by a rule, so that both kinds can be seen."""


class _SampleSource(BuiltinSource):
    name = SAMPLE


@dataclass(slots=True)
class _SampleOffering(Offering):
    def offer(self, request: ChatRequest, agent: str, conversation_id: str) -> Offer:
        """The tools of the sample, whatever is switched on, grouped or blocked for others."""
        sample = (tool for tool in self.catalog.tools() if tool.source == SAMPLE)
        return offer(request, [replace(tool, private=False) for tool in sample], OfferConduct())


class Demonstration:
    """One at a time; it can be shown again once it has ended."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.conversation_id = ""
        """Of the one that runs, or ran last."""

    @property
    def is_running(self) -> bool:
        return any(source.name == SAMPLE for source in self._runtime.catalog.sources)

    async def show(self) -> None:
        """Two requests of one conversation, one of which waits for the person. Raises `UserFault`."""
        async with self._stage():
            first = (Message("user", (Text(FIRST),)),)
            answer = await self._ask(first)
            if answer is not None:
                await self._ask((*first, answer, Message("user", (Text(SECOND),))))

    async def ask(self, text: str) -> str:
        """One request; what the model answers in the end."""
        async with self._stage():
            answer = await self._ask((Message("user", (Text(text),)),))
            return "" if answer is None else answer.text

    @contextlib.asynccontextmanager
    async def _stage(self) -> AsyncIterator[None]:
        """Its workspace, tools and rule: all of it goes when the demonstration ends, however it does."""
        if self.is_running:
            raise UserFault("The demonstration is running already.")
        runtime, self.conversation_id = self._runtime, ""
        with tempfile.TemporaryDirectory(prefix="callgate-sample-", ignore_cleanup_errors=True) as folder:
            workspace = Path(shutil.copytree(resource("samples", "workspace"), Path(folder) / "workspace"))
            source = _SampleSource(_tools(Confinement(workspace)))
            runtime.catalog.add(source)
            runtime.rulebook.add(_ALLOWED, "session")
            try:
                yield
            finally:
                for rule in runtime.rulebook.rules():
                    if rule.source == SAMPLE:
                        runtime.rulebook.remove(rule.id)
                runtime.catalog.remove(source)

    async def _ask(self, messages: tuple[Message, ...]) -> Message | None:
        """The answer; None = the person has stopped it."""
        gate = GateOptions(True, "auto", conversation=self.conversation_id)
        request = ChatRequest("openai-chat", DEMO_MODEL, messages, stream=True, gate=gate)
        exchange = self._runtime.exchanges.start_apart(
            Arrival(request, AGENT, agent_proven=True),
            Routing([demo_endpoint()]),
            _SampleOffering(self._runtime.catalog),
        )
        self.conversation_id = exchange.conversation_id
        try:
            return await _answer(exchange)
        except CallgateError as failure:
            if exchange.stopped_by_person:
                return None
            raise UserFault(f"The demonstration failed: {failure}") from failure
        finally:
            exchange.cancel("person", "the demonstration has ended")
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(exchange.wait())


def _tools(workspace: Confinement) -> list[BuiltinTool]:
    known = {entry.tool.name: entry for entry in (*read_tools(workspace), *search_tools(workspace))}
    return [
        replace(known[name], tool=replace(known[name].tool, name=f"{name}{ENDING}", source=SAMPLE, private=True))
        for name in _OFFERED
    ]


async def _answer(exchange: Exchange) -> Message:
    reader = exchange.outbox.reader()
    while await reader.read() is not None:
        pass
    if (fault := exchange.outbox.reply.fault) is not None:
        raise PeerFault(fault)
    return exchange.outbox.reply.message()


async def show(runtime: Runtime) -> None:
    """For the window."""
    await Demonstration(runtime).show()


async def narrate(runtime: Runtime, say: Callable[[str], None]) -> None:
    """For a machine with no screen: one exchange, told as it happens; the demonstration approves its own calls."""
    say("There is no screen, so Callgate runs without its window. A demonstration:")
    say(f"\n  you: {SECOND}")
    told = _Narrator(runtime, say)
    subscription = runtime.bus.subscribe(told.hear)
    try:
        answer = await Demonstration(runtime).ask(SECOND)
    finally:
        subscription.close()
    say("\n  model: " + answer.strip().replace("\n", "\n         "))
    say(
        f"\nPoint any OpenAI client at {runtime.address}/v1 (any key, model {DEMO_MODEL!r}), for example:\n"
        f"  curl {runtime.address}/v1/tools\n"
        "Ctrl+C ends it. With a screen, the same command opens the window."
    )


class _Narrator:
    def __init__(self, runtime: Runtime, say: Callable[[str], None]) -> None:
        self._runtime = runtime
        self._say = say

    def hear(self, event: Event) -> None:
        if not isinstance(event, InvocationChanged) or event.invocation.source != SAMPLE:
            return
        invocation = event.invocation
        match invocation.state:
            case "WaitingForConfirmation":
                self._say(f"  … {invocation.tool} {invocation.arguments} waits for approval")
                self._runtime.tasks.start(self._approve(invocation), "demonstration approves")
            case "Completed":
                text = invocation.result.text if invocation.result else ""
                first = text.strip().splitlines()[0] if text.strip() else "(nothing)"
                self._say(f"  ✓ {invocation.tool} ran; its result begins: {first}")
            case _:
                pass

    async def _approve(self, invocation: Invocation) -> None:
        await asyncio.sleep(0)  # after everyone has heard that it waits
        decision = Decision("approve", reason="the demonstration", shown=shown_hash(invocation))
        if self._runtime.console.decide(invocation.id, decision, "demonstration"):
            self._say(f"  ✓ {invocation.tool} approved (by the demonstration; in the window this is your click)")


def has_display() -> bool:
    """Whether a window can be shown here."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
