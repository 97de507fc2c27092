"""The demonstration: a small agent that talks to Callgate over its real port, exactly as anyone's would."""

import asyncio
import os
import sys
from collections.abc import Callable

import httpx
import orjson

from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged
from callgate.core.invocation import Decision, Invocation, shown_hash
from callgate.core.policy import Rule
from callgate.station import Station
from callgate.upstream.demo_model import DEMO_MODEL

AGENT = "demo-agent"
FIRST = "List the station folder"
SECOND = "Read README.md and search for TODO in station"
_TIMEOUT = httpx.Timeout(10, read=None)
"""The agent waits for as long as the person takes to decide."""


_ALLOWED = Rule("allow", tool="list_directory", note="the demonstration allows listing folders", origin="session")


def prepare(station: Station) -> None:
    """One call of the demonstration is allowed by a rule, so that both kinds can be seen."""
    station.rulebook.add(_ALLOWED, "session")


async def ask(address: str, text: str, heard: Callable[[str], None]) -> str:
    """One streamed exchange; `heard` gets the text as it arrives."""
    body = {
        "model": DEMO_MODEL,
        "stream": True,
        "messages": [{"role": "user", "content": text}],
        "use_tools": True,
        "tool_execution": "auto",
    }
    said: list[str] = []
    headers = {"x-callgate-agent": AGENT}
    async with (
        httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False) as client,
        client.stream("POST", f"{address}/v1/chat/completions", json=body, headers=headers) as response,
    ):
        if response.status_code != 200:
            raise UserFault(f"The demonstration was refused: {(await response.aread()).decode()}")
        buffer = b""
        async for chunk in response.aiter_bytes():
            buffer += chunk
            *events, buffer = buffer.split(b"\n\n")
            for event in events:
                piece = _text_of(event)
                said.append(piece)
                heard(piece)
    return "".join(said)


async def show(station: Station) -> None:
    """For the window: two requests, one of which waits for the person."""
    prepare(station)
    await ask(station.address, FIRST, _unheard)
    await ask(station.address, SECOND, _unheard)


async def narrate(station: Station, say: Callable[[str], None]) -> None:
    """For a machine with no screen: one exchange, told as it happens; the demonstration approves its own calls."""
    prepare(station)
    say("There is no screen, so Callgate runs without its window. A demonstration through the real port:")
    say(f"\n  you: {SECOND}")
    told = _Narrator(station, say)
    subscription = station.bus.subscribe(told.hear)
    try:
        answer = await ask(station.address, SECOND, _unheard)
    finally:
        subscription.close()
    say("\n  model: " + answer.strip().replace("\n", "\n         "))
    say(
        f"\nPoint any OpenAI client at {station.address}/v1 (any key, model {DEMO_MODEL!r}), for example:\n"
        f"  curl {station.address}/v1/tools\n"
        "Ctrl+C ends it. With a screen, the same command opens the window."
    )


class _Narrator:
    def __init__(self, station: Station, say: Callable[[str], None]) -> None:
        self._station = station
        self._say = say

    def hear(self, event: Event) -> None:
        if not isinstance(event, InvocationChanged):
            return
        invocation = event.invocation
        match invocation.state:
            case "WaitingForConfirmation":
                self._say(f"  … {invocation.tool} {invocation.arguments} waits for approval")
                self._station.tasks.start(self._approve(invocation), "demonstration approves")
            case "Completed":
                text = invocation.result.text if invocation.result else ""
                first = text.strip().splitlines()[0] if text.strip() else "(nothing)"
                self._say(f"  ✓ {invocation.tool} ran; its result begins: {first}")
            case _:
                pass

    async def _approve(self, invocation: Invocation) -> None:
        await asyncio.sleep(0)  # after everyone has heard that it waits
        decision = Decision("approve", reason="the demonstration", shown=shown_hash(invocation))
        if self._station.console.decide(invocation.id, decision, "demonstration"):
            self._say(f"  ✓ {invocation.tool} approved (by the demonstration; in the window this is your click)")


def _text_of(event: bytes) -> str:
    data = event.removeprefix(b"data: ").strip()
    if not data.startswith(b"{"):
        return ""
    choices = orjson.loads(data).get("choices") or [{}]
    return choices[0].get("delta", {}).get("content") or ""


def _unheard(piece: str) -> None:
    """The window shows it; nobody else listens."""


def has_display() -> bool:
    """Whether a window can be shown here."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
