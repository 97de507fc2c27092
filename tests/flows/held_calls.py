"""Calls that wait at the real gate of a running program, whoever they pretend to come from."""

import asyncio
import itertools
import json

from tests.flows.conftest import Program

from callgate.core.calls.invocation import Invocation, Phase
from callgate.core.ids import new_id
from callgate.core.messages import Json
from callgate.core.tool import CLIENT_SOURCE, Owner
from callgate.engine.exchange.call_run import CallRun

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
    turn: str = "",
) -> "asyncio.Task[Invocation]":
    """Hands a call to the gate as an exchange would; the task ends with what became of it."""
    runtime = program.runtime
    known = runtime.catalog.get(tool) if owner == "gate" else None
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    number = next(_NUMBERS)
    clock = runtime.gate._clock  # the gate's own time, so that ages add up
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
        turn=turn,
        phases=(Phase("Streaming", clock()),),
    )
    runtime.gate.open(invocation)

    run = CallRun(runtime.direct._parts, in_order=False)
    return runtime.tasks.start(run.judge_and_run(invocation.id, text), f"held {tool}")
