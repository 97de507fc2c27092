"""Opens one part of the window for the first time and prints the longest turn that the loop took over it.

Run as a program, as a first time comes only once in a process:
    QT_QPA_PLATFORM=offscreen python -m tests.bench.opening_process FOLDER NAME [--profile FILE]
"""

import argparse
import asyncio
import cProfile
import gc
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import orjson
from PySide6.QtCore import QTimer
from tests.fakes.busy_week import busy_week
from tests.fakes.program import Program
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider

from callgate.runtime.loop import make_application
from callgate.ui.theme.theme import Theme
from callgate.ui.tools.detail import HISTORY, SCHEMA, TRY, USE

SETTLED_S: Final = 0.6
"""As long as somebody takes to look at the window before the first click."""
AFTER_S: Final = 0.8
"""What is built bit by bit and what is read from disk comes within that time."""


class Turns:
    """How much of the main thread's own time each turn of Qt's loop takes."""

    def __init__(self) -> None:
        self.spans: list[float] = []
        self._last = time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(0)

    def _beat(self) -> None:
        now = time.thread_time()
        self.spans.append((now - self._last) * 1000)
        self._last = time.thread_time()

    def stop(self) -> list[float]:
        self._timer.stop()
        return sorted(self.spans, reverse=True)


Opening = Callable[[], object]
Part = Callable[["Stage"], Awaitable[Opening]]


class Stage:
    def __init__(self, program: Program) -> None:
        self.program, self.window_app, self.window = program, program.window_app, program.window_app.window

    async def call_waits(self) -> None:
        """A call that a person has to decide."""
        self.window_app.conversation.start_new()
        composer = self.window_app.conversation.composer
        composer.models.choose("gpt-a")
        composer.message.set_text("Run the tests.")
        await self.program.until(composer.send_button.isEnabled)
        composer.send_button.click()
        await self.program.until(self.program.runtime.console.waiting)

    def page(self, name: str) -> Opening:
        return lambda: self.window.show_page(name)

    def pane(self, name: str) -> Opening:
        return lambda: self.window.show_pane(name)

    async def tool_tab(self, tab: int) -> Opening:
        self.window_app._show_tool("read_file")
        await asyncio.sleep(SETTLED_S)
        return lambda: self.window_app.tools.detail.tabs.setCurrentIndex(tab)

    async def on_page(self, name: str, opening: Opening) -> Opening:
        self.window.show_page(name)
        await asyncio.sleep(SETTLED_S)
        return opening

    def in_rules(self, tab: int) -> Opening:
        return lambda: self.window_app.rules.tabs.setCurrentIndex(tab)

    def in_source(self, tab: int) -> Opening:
        return lambda: self.window_app.sources.detail.tabs.setCurrentIndex(tab)


async def _at_once(opening: Opening) -> Opening:
    return opening


async def _approval(stage: Stage) -> Opening:
    stage.window_app.approvals.set_quiet(True)
    await stage.call_waits()
    await asyncio.sleep(SETTLED_S)
    return lambda: stage.window_app.approvals.set_quiet(False)


async def _export(stage: Stage) -> Opening:
    return lambda: stage.window_app.export.export(["week_1"])


PARTS: Final[dict[str, Part]] = {
    "rules": lambda s: _at_once(s.page("rules")),
    "statistics": lambda s: _at_once(s.page("statistics")),
    "sources": lambda s: _at_once(s.page("sources")),
    "endpoints": lambda s: _at_once(s.page("endpoints")),
    "wire inspector, wide": lambda s: _at_once(s.page("wire")),
    "traffic": lambda s: _at_once(s.pane("traffic")),
    "timeline": lambda s: _at_once(s.pane("timeline")),
    "wire inspector": lambda s: _at_once(s.pane("inspector")),
    "approvals": lambda s: _at_once(s.window.show_approvals),
    "palette": lambda s: _at_once(s.window_app.palette.come_up),
    "approval dialog": _approval,
    "export": _export,
    "conversation": lambda s: _at_once(lambda: s.window_app.conversation.open("week_1")),
    "tool": lambda s: _at_once(lambda: s.window_app._show_tool("read_file")),
    "tool: schema": lambda s: s.tool_tab(SCHEMA),
    "tool: use": lambda s: s.tool_tab(USE),
    "tool: history": lambda s: s.tool_tab(HISTORY),
    "tool: try it": lambda s: s.tool_tab(TRY),
    "rules: editor": lambda s: s.on_page("rules", lambda: s.window_app.rules.add.click()),
    "rules: denied": lambda s: s.on_page("rules", s.in_rules(1)),
    "rules: tester": lambda s: s.on_page("rules", s.in_rules(2)),
    "rules: audit": lambda s: s.on_page("rules", s.in_rules(3)),
    "rules: import": lambda s: s.on_page("rules", lambda: s.window_app.rules.importing.open()),
    "sources: log": lambda s: s.on_page("sources", s.in_source(1)),
    "sources: wire": lambda s: s.on_page("sources", s.in_source(2)),
    "sources: tools": lambda s: s.on_page("sources", s.in_source(3)),
    "add source": lambda s: s.on_page("sources", lambda: s.window_app.sources.add_source()),
    "import sources": lambda s: s.on_page("sources", lambda: s.window_app.sources.import_sources()),
    "add command": lambda s: s.on_page("sources", lambda: s.window_app.sources.add_command()),
    "toolsets": lambda s: s.on_page("sources", lambda: s.window_app.sources.edit_toolsets()),
    "add endpoint": lambda s: s.on_page("endpoints", lambda: s.window_app.endpoints.add_endpoint()),
    "prices": lambda s: _at_once(lambda: s.window_app.traffic.price_editor.show()),
    "tool chooser": lambda s: _at_once(lambda: s.window_app.conversation.composer.tools_button.click()),
}


async def measure(program: Program, name: str, profile: Path | None) -> dict[str, object]:
    stage = Stage(program)
    now = time.time()
    for event in busy_week(now):
        program.runtime.bus.publish(event)
        await asyncio.sleep(0)
    await program.runtime.journal.settled()
    program.window_app.conversation.open("week_3")
    await asyncio.sleep(SETTLED_S)
    opening = await PARTS[name](stage)
    gc.collect()
    await asyncio.sleep(0.1)
    spy = cProfile.Profile() if profile is not None else None
    turns = Turns()
    await asyncio.sleep(0.02)
    turns.spans.clear()
    if spy:
        spy.enable()
    opening()
    await asyncio.sleep(AFTER_S)
    if spy:
        spy.disable()
        spy.dump_stats(str(profile))
    longest = turns.stop()
    return {"name": name, "longest": longest[0], "next": [round(span, 1) for span in longest[1:5]]}


def config(address: str) -> str:
    return f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["gpt-a"]\n'


def main(folder: Path, name: str, profile: Path | None) -> None:
    app = make_application(["callgate"])
    gc.disable()  # the window collects by a timer of its own, between frames
    look = Theme()
    look.apply(app)  # before anything is built, as in the program itself
    arguments = '{"command": "pytest -x tests/test_sync.py | tail -50"}'
    called = chat_stream(*call_deltas(0, "call_1", "run_command", arguments), finish="tool_calls")
    with provider(Reply(called), Reply(chat_stream({"content": "Done."}))) as up:
        program = Program(app, folder, config(up.address))
        program.begin()
        found = program.play(measure(program, name, profile))
        sys.stdout.write(orjson.dumps(found).decode() + "\n")
        sys.stdout.flush()
        program.window_app.approvals.set_quiet(True)
        program.stop()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("name", choices=sorted(PARTS))
    asked.add_argument("--profile", type=Path)
    given = asked.parse_args()
    main(given.folder, given.name, given.profile)
