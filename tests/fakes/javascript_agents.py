"""Applications on the official JavaScript packages: one node process that plays any number of conversations.

What it does with each package is in `javascript/`; nothing there uses Callgate.
"""

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.npm_packages import MODULES, node_with
from tests.fakes.providers import scene

PACKAGES = (
    "openai",
    "@anthropic-ai/sdk",
    "@google/genai",
    "ai",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/anthropic",
    "@ai-sdk/google",
)
SCRIPTS = Path(__file__).parent / "javascript"
SECONDS = 20.0
"""Bound of a conversation, and of loading the packages, on a busy machine."""
TOOLS: list[dict[str, Any]] = [
    {"name": name, "description": f"Use {name}", "schema": schema, "result": result}
    for name, schema, result in (
        (scene.WEATHER, scene.WEATHER_SCHEMA, scene.WEATHER_RESULT),
        (scene.NOTE, scene.NOTE_SCHEMA, scene.NOTE_RESULT),
    )
]


@dataclass(frozen=True)
class Played:
    """A conversation as the package told it."""

    replies: list[dict[str, Any]]
    runs: list[dict[str, Any]]
    """The tools that were run, with their arguments."""
    error: dict[str, Any] | None


class JavaScriptAgents:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._number = 0
        self._played: dict[int, Played] = {}
        self._heard = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, name="javascript")
        self._reader.start()

    def play(self, client: str, address: str, model: str, **scenery: Any) -> Played:
        return self.finish(self.begin(client, address, model, **scenery))

    def begin(self, client: str, address: str, model: str, **scenery: Any) -> int:
        """Starts a conversation; `finish` waits for its end."""
        self._number += 1
        line = {
            "number": self._number,
            "client": client,
            "address": address,
            "model": model,
            "key": "sk-of-the-client",
            "system": "Be brief.",
            "says": [{"text": scene.ASK}],
            "tools": TOOLS,
            **scenery,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        return self._number

    def finish(self, number: int) -> Played:
        with self._heard:
            done = self._heard.wait_for(lambda: self._ended or number in self._played, SECONDS)
            assert done and number in self._played, "the conversation did not end"
            return self._played.pop(number)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(SECONDS)
        finally:
            self._process.kill()
            self._reader.join(SECONDS)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            with self._heard:
                self._played[told["number"]] = Played(told["replies"], told["runs"], told["error"])
                self._heard.notify_all()
        with self._heard:
            self._ended = True
            self._heard.notify_all()


@contextmanager
def javascript_agents(folder: Path) -> Iterator[JavaScriptAgents]:
    """`folder`: where the scripts find the packages, as node looks for them only above a script."""
    node = node_with(*PACKAGES)
    for script in SCRIPTS.glob("*.mjs"):
        shutil.copy(script, folder)
    (folder / "node_modules").symlink_to(MODULES)
    with subprocess.Popen(
        (node, str(folder / "agents.mjs")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        agents = JavaScriptAgents(process)
        try:
            yield agents
        finally:
            agents.close()
