"""Pictures of the tool browser and its sources, in every state that matters, dark and light, to be looked at.

Run as a program, as the scale is a matter of the whole process:
    QT_QPA_PLATFORM=offscreen python -m tests.flows.browser_album FOLDER [--scale 2] [--only details,try] [--dark]
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QToolButton, QWidget
from tests.fakes.many_tools import many_tools
from tests.fakes.mcp_sources import rude
from tests.fakes.program import Program
from tests.fakes.tokenizers import table, tokenizer_json
from tests.flows.test_inspector import BODY

from callgate.core.events import ToolsChanged
from callgate.core.tool import Tool
from callgate.runtime.loop import make_application
from callgate.ui.theme.theme import Mode
from callgate.ui.tools.detail import ABOUT, HISTORY, SCHEMA, TRY, USE

SIZE: Final = (1280, 800)
SETTLE_S: Final = 0.4
LONG_WAIT_S: Final = 600.0
ORDER: Final[dict[str, Any]] = {
    "name": "place_order",
    "answered_by": "person",
    "description": "Places an order for a customer and returns its number.\n\nUse it **only** after the customer has "
    "agreed to the total. Prices are in cents; `express` costs more.\n\n- checks the stock first\n- sends a mail",
    "tags": ["shop", "write"],
    "inputSchema": {
        "type": "object",
        "properties": {
            "customer": {"type": "string", "format": "email", "description": "Who orders.", "examples": ["a@b.org"]},
            "items": {
                "type": "array",
                "minItems": 1,
                "description": "What is ordered, each article once.",
                "items": {
                    "type": "object",
                    "properties": {
                        "article": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$"},
                        "count": {"type": "integer", "minimum": 1, "maximum": 99, "default": 1},
                    },
                    "required": ["article"],
                },
            },
            "delivery": {"enum": ["standard", "express", "pickup"], "default": "standard"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "pay": {
                "oneOf": [
                    {"title": "Card", "type": "object", "properties": {"card": {"type": "string"}}},
                    {"title": "Invoice", "type": "object", "properties": {"days": {"type": "integer"}}},
                ]
            },
            "when": {"type": "string", "format": "date-time"},
            "gift": {"type": "boolean"},
        },
        "required": ["customer", "items"],
    },
    "annotations": {"readOnlyHint": False, "destructiveHint": True},
}  # fmt: skip
DOUBTFUL: Final[dict[str, Any]] = {
    "name": "delete_all",
    "answered_by": "person",
    "description": "",
    "inputSchema": {"type": "object", "properties": {"mode": {"oneOf": [{"const": "a"}, {"const": "b"}]}, "x": {}}},
    "annotations": {"readOnlyHint": True},
}


class Album:
    def __init__(self, program: Program, folder: Path, modes: tuple[Mode, ...]) -> None:
        self.program, self.window_app, self.window = program, program.window_app, program.window_app.window
        self.panel, self.page = program.window_app.tools, program.window_app.sources
        self._folder, self._modes = folder, modes
        self.saved: list[Path] = []

    async def run(self, wanted: set[str]) -> None:
        self.window.resize(*SIZE)
        for mode in ("light", "dark"):  # dressed once more: the window stood before its style was there
            self.window._theme.set_mode(mode)
        chapters: tuple[tuple[str, Callable[[], Awaitable[None]]], ...] = (
            ("details", self.details), ("try", self.try_it), ("sources", self.sources), ("sent", self.sent),
            ("composer", self.composer), ("tree", self.tree),
        )  # fmt: skip
        async with httpx.AsyncClient(base_url=self.program.runtime.address, timeout=20) as self.client:
            await self._fill()
            for name, chapter in chapters:
                if not wanted or name in wanted:
                    await chapter()

    async def shoot(self, name: str, widget: QWidget | None = None) -> None:
        for mode in self._modes:
            self.window._theme.set_mode(mode)
            await asyncio.sleep(SETTLE_S)
            path = self._folder / f"{name}-{mode}.png"
            assert _photograph(widget or self.window).save(str(path)), path
            self.saved.append(path)

    async def _fill(self) -> None:
        """Some use, some changes and some doubt, through the real port."""
        for tool in (ORDER | {"description": "Places an order."}, ORDER, DOUBTFUL):
            await self.client.delete(f"/v1/tools/{tool['name']}")
            (await self.client.post("/v1/tools", json=tool)).raise_for_status()
            await asyncio.sleep(0.05)
        auto = {"use_tools": True, "tool_execution": "auto", "model": "any"}
        for agent in ("claude-code", "codex", "my_script.py"):
            said = {"messages": [{"role": "user", "content": "What does notes.txt say?"}]}
            await self.client.post("/v1/chat/completions", json=said | auto, headers={"x-callgate-agent": agent})
        own = {"type": "function", "function": {"name": "apply_patch", "parameters": {"type": "object"}}}
        asked = {"model": "any", "messages": [{"role": "user", "content": "hello"}], "tools": [own]}
        await self.client.post("/v1/chat/completions", json=asked, headers={"x-callgate-agent": "codex"})
        await self.program.until(lambda: self.panel.knowledge.counting.is_done)

    async def _open(self, name: str, page: int) -> None:
        self.panel.reveal(name)
        self.panel.detail.tabs.setCurrentIndex(page)
        await asyncio.sleep(SETTLE_S)

    # ---- chapters --------------------------------------------------------------------------------------------------

    async def tree(self) -> None:
        panel, line = self.panel, self.program.find(QLineEdit, "toolFilter")
        self.window.leave_page()
        await self.shoot("tree-usual")
        for by in ("tag", "toolset", "agent"):
            panel._choose_grouping(by)
            await self.shoot(f"tree-by-{by}", panel)
        panel._choose_grouping("source")
        for name, text in (
            ("fuzzy", "rdf"),
            ("wildcard", "git_*"),
            ("token", "tag:files readonly:yes"),
            ("nothing", "xyzzy"),
        ):
            line.clear()
            QTest.keyClicks(line, text)
            await self.shoot(f"filter-{name}", panel)
        line.clear()
        line.setFocus()
        QTest.keyClicks(line, "ta")
        await self.shoot("filter-completion", panel)
        line.clear()
        for count, tools in ((0, ()), (12, many_tools(3, 4)), (10_000, many_tools())):
            self._pretend(tools)
            panel.knowledge.appraiser.finish()
            await self.shoot(f"tree-{count}")
        panel.tree.expand(panel.model.index(0, 0))
        line.setFocus()
        QTest.keyClicks(line, "get issue")
        await self.shoot("tree-10000-filtered")
        line.clear()

    def _pretend(self, tools: Sequence[Tool]) -> None:
        console: Any = self.program.runtime.console
        console.tools = lambda: tuple(tools)
        console.client_tools = tuple
        self.panel.knowledge.facts.ask_enabled = lambda agent: frozenset(tool.name for tool in tools[::2])
        console.sources.sources = tuple
        self.program.runtime.bus.publish(ToolsChanged(tuple(tools), time.time()))
        self.window_app.bridge.flush()

    async def details(self) -> None:
        await self._open("place_order", ABOUT)
        await self.shoot("details-about")
        await self._open("delete_all", ABOUT)
        await self.shoot("details-findings")
        await self._open("place_order", SCHEMA)
        await self.shoot("details-schema")
        self.program.find(QPushButton, "schemaJSON").click()
        await self.shoot("details-json")
        self.program.find(QPushButton, "schemaParameters").click()
        await self._open("read_file", USE)
        await self.shoot("details-use")
        await self._open("place_order", HISTORY)
        (await self.program.until(lambda: self.program.find(QToolButton, "toolCompare"))).click()
        await self.shoot("details-history")
        self.panel.home.move_to("tree")
        await self._open("place_order", ABOUT)
        await self.shoot("details-with-tree")
        self.panel.home.move_to("page")

    async def try_it(self) -> None:
        await self._open("place_order", TRY)
        await self.shoot("try-empty")
        tried = self.panel.detail.try_it
        assert tried is not None and tried.editor.form is not None
        self.program.find(QPushButton, "runTry").click()
        await self.shoot("try-missing")
        tried.editor.set_arguments({"customer": "nobody", "items": [{"article": "AB-1", "count": 200}]})
        await self.shoot("try-invalid")
        await self._open("run_command", TRY)
        self._write("command", "echo started; for i in 1 2 3; do echo line $i; done; sleep 20")
        self.program.find(QPushButton, "runTry").click()
        await asyncio.sleep(0.8)
        await self.shoot("try-running")
        self.program.find(QPushButton, "cancelTry").click()
        await asyncio.sleep(0.3)
        await self.shoot("try-cancelled")
        await self._open("read_file", TRY)
        self._write("path", "notes.txt")
        self.program.find(QPushButton, "runTry").click()
        await asyncio.sleep(0.5)
        await self.shoot("try-result")
        self._write("path", "missing.txt")
        self.program.find(QPushButton, "runTry").click()
        await asyncio.sleep(0.5)
        await self.shoot("try-error")

    def _write(self, field: str, text: str) -> None:
        tried = self.panel.detail.try_it
        assert tried is not None and tried.editor.form is not None
        form = tried.editor.form
        form.settle()
        for editor in (*form.findChildren(QPlainTextEdit), *form.findChildren(QLineEdit)):
            if editor.accessibleName() == field:
                editor.setFocus()
                editor.selectAll()
                QTest.keyClicks(editor, text)
                return
        raise AssertionError(field)

    async def sources(self) -> None:
        program, page = self.program, self.page
        self.window.show_page("sources")
        await program.until(lambda: _state(program, "polite") == "ready")
        page.show_source("polite")
        await self.shoot("sources-page")
        for tab, name in ((1, "log"), (2, "wire"), (3, "tools")):
            page.detail.tabs.setCurrentIndex(tab)
            await asyncio.sleep(0.2)
            if name == "wire":
                page.detail.wire.table.selectRow(1)
            await self.shoot(f"sources-{name}")
        page.show_source("broken")
        await self.shoot("sources-failed")
        await self._adding()
        page.import_sources()
        await program.until(lambda: len(page.import_dialog.rows) >= 3)
        await self.shoot("sources-import", page.import_dialog)
        page.import_dialog.hide()
        page.add_command()
        page.command_dialog.name.setText("count_words")
        page.command_dialog.command.setText("wc -w {file}")
        await self.shoot("sources-command", page.command_dialog)
        page.command_dialog.hide()
        await program.click("toolsetsButton")
        dialog = page.toolset_dialog
        await program.until(dialog.isVisible)
        dialog.start_new()
        dialog.name.setText("reader")
        dialog.members.add(["read_file", "list_directory", "find_files"])
        await self.shoot("sources-toolset", dialog)
        dialog.hide()
        self.window.leave_page()

    async def _adding(self) -> None:
        program, dialog = self.program, self.page.add_dialog
        self.page.add_source()
        await self.shoot("sources-add-empty", dialog)
        for name, pasted in (
            ("fails", shlex.join(rude("quits"))),
            ("unknown", "no-such-server-anywhere --flag"),
            ("works", shlex.join(rude("polite", "x"))),
        ):
            dialog.paste.setPlainText(pasted)
            dialog.read()
            await self.shoot(f"sources-add-read-{name}", dialog)
            dialog.check.click()
            await program.until(lambda: dialog.doctor.steps and dialog.check.isEnabled())
            await self.shoot(f"sources-add-{name}", dialog)
        dialog.hide()

    async def sent(self) -> None:
        headers = {"x-api-key": "k", "x-callgate-agent": "claude-code", "x-callgate-tools": "all"}
        self.program.runtime.console.enable_tool("write_file", False)
        (await self.client.post("/v1/messages", json=BODY, headers=headers)).raise_for_status()
        self.window.show_pane("traffic")
        model = self.window_app.traffic.model
        row = await self.program.until(lambda: next((r for r in model.shown if r.wire == "anthropic"), None))
        self.window_app.traffic.table.select_row(row.id)
        QTest.keyClick(self.window_app.traffic.table, Qt.Key.Key_Space)
        self.window.show_page("wire")
        self.window_app.inspector.tabs.setCurrentIndex(2)
        await self.program.until(lambda: self.window_app.inspector.sent_tools.told)
        await self.shoot("sent-tools")
        self.window.leave_page()
        self.window.reset_layout()

    async def composer(self) -> None:
        composer = self.window_app.conversation.composer
        self.window_app.conversation.start_new()
        self.window.show_conversation("new")
        self.window.activateWindow()
        composer.message.setFocus()
        await self.program.until(composer.message.hasFocus)
        QTest.keyClicks(composer.message, "Please look with #re")
        await self.program.until(composer.references.isVisible)
        await self.shoot("hash-completion")
        composer.message.clear()


def _state(program: Program, name: str) -> str:
    view = program.runtime.console.sources.source(name)
    return view.state if view is not None else ""


def _photograph(widget: QWidget) -> QPixmap:
    """With the popups that stand over it: each of them is a window of its own."""
    taken = widget.grab()
    corner = widget.mapToGlobal(QPoint(0, 0))
    painter = QPainter(taken)
    for other in QApplication.topLevelWidgets():
        if (
            other.isVisible()
            and other is not widget.window()
            and other.windowType() in (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
        ):
            painter.drawPixmap(other.mapToGlobal(QPoint(0, 0)) - corner, other.grab())
    painter.end()
    return taken


def _config(folder: Path) -> str:
    o200k = folder / "o200k_base.tiktoken"
    o200k.write_bytes(table())
    qwen = tokenizer_json(folder / "qwen.json")
    servers = {
        "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"]},
        "github": {"url": "https://api.example.com/mcp", "headers": {"Authorization": "Bearer abc-secret"}},
        "polite": {"command": rude("polite")[0], "args": [*rude("polite")[1:]], "env": {"API_KEY": "s3cret"}},
        "broken one": {"command": ""},
    }
    cursor = folder / ".cursor" / "mcp.json"
    cursor.parent.mkdir()
    cursor.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return (
        '[[rules]]\nverdict = "allow"\ntool = "*"\nnote = "all is fine here"\n'
        f'[tokenizers]\nopenai = "{o200k}"\nqwen = "{qwen}"\n'
        f'[[sources]]\nname = "polite"\nkind = "mcp"\nera = "legacy"\ncommand = {json.dumps(list(rude("polite")))}\n'
        '[[sources]]\nname = "broken"\nkind = "mcp"\ncommand = ["no-such-server-anywhere"]\n'
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--scale", default="1")
    asked.add_argument("--only", default="")
    asked.add_argument("--dark", action="store_true")
    given = asked.parse_args()
    os.environ["QT_SCALE_FACTOR"] = given.scale
    given.folder.mkdir(parents=True, exist_ok=True)
    app = make_application(["callgate"])
    gc.disable()  # collected on another thread, Qt objects would be destroyed there
    modes: tuple[Mode, ...] = ("dark",) if given.dark else ("dark", "light")
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = home
        program = Program(app, Path(home), _config(Path(home)))
        program.begin()
        program.window_app.window._theme.apply(app)
        album = Album(program, given.folder, modes)
        wanted = set(filter(None, given.only.split(",")))
        task = program.loop.create_task(asyncio.wait_for(album.run(wanted), LONG_WAIT_S))
        task.add_done_callback(lambda _: program.loop.stop())
        program.loop.run_forever()
        with contextlib.suppress(asyncio.CancelledError):
            task.result()
        program.stop()
    sys.stdout.write(f"{len(album.saved)} pictures in {given.folder}\n")


if __name__ == "__main__":
    main()
