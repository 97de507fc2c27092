"""The whole program with its window: a conversation of 10,000 blocks, and a tool that returns a megabyte.

Run as a program, as memory counts only for a process that has done nothing else: so it loads no pytest, and as little
as it can beside the program itself. Prints what it measured.
"""

import asyncio
import gc
import os
import subprocess
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import orjson
from tests.bench.conversation_process import (
    EXCHANGES,
    Stalls,
    exchange,
    large_results,
    memory_mb,
    open_it,
    scroll,
    stream,
)
from tests.fakes.program import Program
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.runtime.loop import make_application
from callgate.store.database import Database
from callgate.store.journal import Journal

SETTLED_S = 2.0
"""As long as somebody takes to look at the window before the first click."""


async def fill(folder: Path) -> None:
    database = Database(folder / "data" / "callgate.db")
    journal = Journal(database)
    for number in range(EXCHANGES):
        for event in exchange(number):
            journal.record(event)
    await journal.settled()
    database.close()


def config(address: str, folder: Path) -> str:
    return (
        f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-a"]\n'
        '[[rules]]\nverdict = "allow"\ntool = "dump"\n'
        '[[sources]]\nname = "project"\nkind = "command"\n'
        f'[[sources.tools]]\nname = "dump"\ndescription = "x"\nargv = ["cat", "{folder / "big.json"}"]\n'
    )


async def large_result(program: Program) -> float:
    """The longest stall while a real tool returns a megabyte: run, trimmed, stored, sent on and shown."""
    panel = program.window_app.conversation
    panel.start_new()
    await asyncio.sleep(0.3)
    panel.composer.message.set_text("Go")
    await program.until(panel.composer.send_button.isEnabled)
    stalls = Stalls()
    panel.composer.send_button.click()
    await program.until(lambda: panel.view.transcript.blocks and not panel.view.transcript.running)
    await asyncio.sleep(0.5)
    return stalls.stop()


async def measure(program: Program) -> dict[str, float]:
    await asyncio.sleep(SETTLED_S)
    panel = program.window_app.conversation
    out = {"start_cpu_s": time.process_time(), "start_mb": memory_mb("VmRSS")}
    out |= await open_it(panel, "c", EXCHANGES * 8)
    out |= scroll(panel)
    out |= await stream(panel, program.runtime)  # type: ignore[arg-type]  # it has a bus, and no more is asked of it
    out["conversation_mb"] = memory_mb("VmRSS") - out["start_mb"]
    out["resident_mb"] = memory_mb("VmRSS")
    out["tool_result_stall_ms"] = await large_result(program)
    return out


def run(program: Program, work: Coroutine[Any, Any, dict[str, float]]) -> dict[str, float]:
    task = program.loop.create_task(work)
    task.add_done_callback(lambda _: program.loop.stop())
    program.loop.run_forever()
    return task.result()


def main(folder: Path) -> None:
    app = make_application(["callgate"])
    gc.disable()  # the window collects by a timer of its own, between frames
    called = chat_stream(*call_deltas(0, "call_1", "dump", "{}"), finish="tool_calls")
    with provider(Reply(called), Reply(chat_stream({"content": "Done."}))) as up:
        program = Program(app, folder, config(up.address, folder))
        program.begin()
        program.window_app.window._theme.apply(app)
        numbers = run(program, measure(program))
        program.stop()
    sys.stdout.write(orjson.dumps(numbers).decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    where = Path(sys.argv[1])
    if len(sys.argv) > 2:
        (where / "data").mkdir(parents=True)
        (where / "big.json").write_text(large_results()["json"], "utf-8")
        asyncio.run(fill(where))
    else:
        # the journal is written by another process, whose memory is not counted
        subprocess.run([sys.executable, __file__, sys.argv[1], "fill"], check=True, env=os.environ)
        main(where)
