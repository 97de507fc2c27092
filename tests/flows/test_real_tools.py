"""One streamed request reads a real file, runs a real command once a person has agreed, and asks a real MCP server."""

import asyncio
from collections.abc import Callable

import httpx
import orjson
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.fakes.mcp_sources import BIN
from tests.flows.conftest import Program

from callgate.ui.decision.click_guard import RAISE_MS

MakeProgram = Callable[..., Program]

CONFIG = f"""
[[sources]]
name = "time"
kind = "mcp"
command = ["{BIN / "mcp-server-time"}"]

[[rules]]
verdict = "allow"
tool = "read_file"

[[rules]]
verdict = "allow"
source = "time"
"""
PROMPT = "Read notes.txt, then run `echo hello-from-the-shell`, then use get_current_time with timezone Asia/Tokyo"


async def streamed(address: str, prompt: str, **headers: str) -> tuple[str, list[str]]:
    """The answer's text, and every line of the stream."""
    body = {
        "model": "callgate-demo",
        "messages": [{"role": "user", "content": prompt}],
        "stream": True,
        "use_vscode_tools": True,
        "tool_execution": "auto",
    }
    text, lines = "", []
    async with httpx.AsyncClient(trust_env=False, timeout=15) as client:
        async with client.stream("POST", f"{address}/v1/chat/completions", json=body, headers=headers) as reply:
            assert reply.status_code == 200
            async for line in reply.aiter_lines():
                lines.append(line)
                if line.startswith("data: {"):
                    for choice in orjson.loads(line[6:])["choices"]:
                        text += choice["delta"].get("content") or ""
    return text, lines


async def hold_down(program: Program, name: str) -> None:
    """A command may do harm: its button is held, not clicked."""
    dialog = program.window_app.approvals.dialog
    dialog.activateWindow()
    button = await program.until(lambda: program.find(QPushButton, name, dialog))
    await program.until(lambda: button.isActiveWindow() and button.isEnabled())
    await asyncio.sleep(RAISE_MS / 1000 + 0.02)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    await program.until(lambda: not program.runtime.console.waiting())
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)


def test_a_file_a_command_and_an_mcp_tool_are_used_and_answered_from(make_program: MakeProgram) -> None:
    program = make_program(CONFIG)

    async def play() -> None:
        await program.until(lambda: program.runtime.catalog.offers("get_current_time"))
        asking = program.runtime.tasks.start(
            streamed(program.runtime.address, PROMPT, **{"x-callgate-progress": "1"}), "client"
        )
        await program.until(lambda: program.window_app.approvals.dialog.isVisible())
        (waiting,) = program.runtime.console.waiting()
        assert waiting.tool == "run_command"
        assert not asking.done()
        await hold_down(program, "approveButton")
        text, lines = await asking
        assert "buy milk" in text
        assert "hello-from-the-shell" in text
        assert "timezone: Asia/Tokyo" in text
        assert lines[-2] == "data: [DONE]"
        told = [line for line in lines if line.startswith(": callgate-progress ")]
        assert any('"tool":"run_command"' in line and "WaitingForConfirmation" in line for line in told)
        assert any('"text":"hello-from-the-shell' in line for line in told), "live output is sent on"

    program.play(play())
