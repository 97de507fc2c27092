"""The part of the album that shows what went over the wires: the timeline with an MCP lane, and every tab of the
inspector.

A client of OpenAI's wire talks to a model of Gemini's, so that each form differs; a server that talks while it works
gives the timeline its lane.
"""

import asyncio
import sys
from pathlib import Path
from typing import Final, Protocol

import httpx
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.fakes.program import Program
from tests.fakes.scripted_provider import Reply
from tests.flows.test_inspector import CHAT, GEMINI

from callgate.core.calls.invocation import Decision
from callgate.core.question import Answer

SOURCE: Final = f"""
[[sources]]
name = "tracker"
kind = "mcp"
command = ["{sys.executable}", "{Path(__file__).parents[1] / "fakes/mcp_servers/talkative.py"}"]
era = "legacy"
"""
REPLIES: Final = (
    Reply(GEMINI),
    Reply(
        b'{"error": {"code": 400, "message": "logprobs: not for this model.", "status": "INVALID_ARGUMENT"}}',
        status=400,
        content_type="application/json",
    ),
)
_REQUEST, _RESPONSE, _TOOLS, _CHANGES = range(4)
_STRUCTURE, _RAW, _EVENTS, _HEADERS = range(4)
_TABS: Final = (
    ("request", _REQUEST, _STRUCTURE),
    ("raw", _REQUEST, _RAW),
    ("headers", _REQUEST, _HEADERS),
    ("response", _RESPONSE, _STRUCTURE),
    ("events", _RESPONSE, _EVENTS),
    ("tools", _TOOLS, _STRUCTURE),
    ("changes", _CHANGES, _STRUCTURE),
)
_WORK: Final = '{"steps": 4, "pause": 0.15, "ask": true}'
_SETTLE_S: Final = 0.35
_KEY: Final = "sk-secret-0123456789"


class Camera(Protocol):
    program: Program

    async def shoot(self, name: str, widget: QWidget | None = None, *, settle: float = 0.35) -> None: ...


def upstream(address: str) -> str:
    return f'[[upstreams]]\nname = "gemini"\nwire = "gemini"\nbase_url = "{address}"\nmodels = ["g-*"]\n'


async def timeline(album: Camera) -> None:
    """A conversation with a question that an MCP server put to the person, then its last exchange, then a message."""
    program, window_app = album.program, album.program.window_app
    panel = window_app.timeline
    await program.until(lambda: any(tool.name == "work" for tool in program.runtime.console.tools()))
    conversation = await _talk(program)
    window_app.conversation.open(conversation)
    window_app.window.show_pane("traffic")
    window_app.window.show_pane("timeline")
    panel.show_conversation(conversation)
    await program.until(lambda: any(lane.kind == "mcp" for lane in panel.timeline.lanes))
    await album.shoot("timeline-conversation")
    lane = next(lane for lane in panel.timeline.lanes if lane.kind == "mcp")
    panel.show_exchange(conversation, lane.exchange_id)
    await album.shoot("timeline-exchange")
    message = [mark for mark in panel.timeline.marks if mark.frame_id][-1]
    panel.canvas.choose(message)
    panel.canvas.message_opened.emit()
    await program.until(window_app.inspector.isVisible)
    await album.shoot("inspector-mcp", settle=2 * _SETTLE_S)
    window_app.window.leave_page()
    window_app.window.reset_layout()


async def inspector(album: Camera) -> None:
    program, window_app = album.program, album.program.window_app
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        for agent in ("answered", "refused"):
            sent = {"authorization": f"Bearer {_KEY}", "x-callgate-agent": agent}
            await client.post(f"{program.runtime.address}/v1/chat/completions", json=CHAT, headers=sent)
    window_app.window.show_pane("traffic")
    await _inspect(program, "answered")
    for name, tab, mode in _TABS:
        window_app.inspector.tabs.setCurrentIndex(tab)
        window_app.inspector.modes.button(mode).click()
        await album.shoot(f"inspector-{name}", settle=2 * _SETTLE_S)
    await _inspect(program, "refused")
    window_app.inspector.tabs.setCurrentIndex(_RESPONSE)
    window_app.inspector.modes.button(_STRUCTURE).click()
    await album.shoot("inspector-refused", settle=2 * _SETTLE_S)
    window_app.window.leave_page()
    window_app.window.reset_layout()


async def _talk(program: Program) -> str:
    console = program.runtime.console
    reading = asyncio.ensure_future(console.send("What does notes.txt say?", model="callgate-demo"))
    (call,) = await program.until(console.waiting)
    await asyncio.sleep(0.4)
    console.decide(call.id, Decision("approve"), "card")
    await reading
    conversation = call.conversation_id
    asked = console.send("Use #work for me", model="callgate-demo", conversation_id=conversation)
    working = asyncio.ensure_future(asked)
    (call,) = await program.until(console.waiting)
    await asyncio.sleep(0.3)
    console.decide(call.id, Decision("approve", arguments=_WORK), "card")
    (question,) = await program.until(console.questions.waiting)
    await asyncio.sleep(0.6)
    console.questions.answer(question.id, Answer("accept", {"name": "Ada"}), "dialog")
    await working
    return conversation


async def _inspect(program: Program, agent: str) -> None:
    traffic = program.window_app.traffic
    row = await program.until(
        lambda: next((r for r in traffic.model.shown if r.agent == agent and not r.is_live), None)
    )
    traffic.table.select_row(row.id)
    QTest.keyClick(traffic.table, Qt.Key.Key_Space)
    await program.until(lambda: program.window_app.inspector.client_response.capture is not None)
