"""Calls that wait at the real gate of a running program, whoever they pretend to come from."""

import asyncio
import itertools
import json

from tests.flows.conftest import Program

from callgate.core.ids import new_id
from callgate.core.invocation import Invocation, Phase
from callgate.core.messages import Json
from callgate.core.tool import CLIENT_SOURCE, Owner

_NUMBERS = itertools.count(1)


def hold(
    program: Program,
    tool: str,
    arguments: Json | str,
    *,
    owner: Owner = "gate",
    source: str = "",
    agent: str = "claude-code",
    exchange_id: str = "",
    conversation_id: str = "",
    part: int = 0,
    fingerprint: str = "",
    client_until: float | None = None,
) -> "asyncio.Task[Invocation]":
    """Hands a call to the gate as an exchange would; the task ends with what became of it."""
    station = program.station
    known = station.catalog.get(tool) if owner == "gate" else None
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    number = next(_NUMBERS)
    clock = station.gate._clock  # the gate's own time, so that ages add up
    invocation = Invocation(
        new_id("inv"),
        exchange_id or f"exch_{number}",
        conversation_id or f"conv_{number}",
        1,
        part,
        f"call_{number}",
        tool,
        owner,
        source or (known.source if known is not None else CLIENT_SOURCE),
        agent,
        "claude-opus",
        fingerprint=known.fingerprint if known is not None else fingerprint,
        client_until=client_until,
        phases=(Phase("Streaming", clock()),),
    )
    station.gate.open(invocation)

    async def judge_and_run() -> Invocation:
        judged = await station.gate.judge(invocation.id, text)
        if judged.state != "Executing":
            return judged
        return await station.gate.ran(judged.id, await station.direct._parts.invoker.run(judged))

    return station.tasks.start(judge_and_run(), f"held {tool}")
