"""An agent framework of Python: a script of its own environment that holds the conversations it is told to hold."""

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.agents.agent import FOLDER, KEPT
from tests.fakes.translating import WIRES

SCRIPTS = Path(__file__).parent / "scripts"
SECONDS = 60.0
"""Bound of a conversation, and of loading a framework, on a busy machine."""
SILENT = {
    "ANONYMIZED_TELEMETRY": "False",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TESTING": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
    "PYTHONUTF8": "1",
}


@dataclass(frozen=True)
class Framework:
    name: str
    """Also of its script, `NAME_agent.py`."""
    environment: str
    """The list under `packaging/agents/python` that has it."""
    wires: tuple[str, ...] = WIRES
    thinks: tuple[str, ...] = WIRES
    """Those in which it can ask Claude to think."""
    bridges: dict[str, str] = field(default_factory=dict[str, str])
    """A wire → the one that it speaks in its place to models of which it knows that they want it."""
    unable: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Wire and provider, or `stream` → why it can't, whoever answers."""

    def skip_unable(self, wire: str, provider: str, *, stream: bool) -> None:
        why = self.unable.get((wire, provider)) or (self.unable.get((wire, "stream")) if stream else None)
        if why:
            pytest.skip(f"{self.name}: {why}")


@dataclass(frozen=True)
class Held:
    """A conversation as the framework told it."""

    replies: list[str]
    runs: list[dict[str, Any]]
    """The tools that were run, with their arguments."""
    usage: Any
    value: Any
    """What a structured reply was read as."""
    error: dict[str, Any] | None


class Script:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._told: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="framework")
        self._reader.start()

    def hold(self, **errand: Any) -> Held:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(errand) + "\n")
        self._process.stdin.flush()
        told = self.next_line()
        return Held(told["replies"], told["runs"], told["usage"], told.get("value"), told["error"])

    def next_line(self) -> dict[str, Any]:
        told = self._told.get(timeout=SECONDS)
        assert told is not None, "the script has ended"
        return told

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
            self._told.put(json.loads(line))
        self._told.put(None)


class Scripts:
    """Each is started when it is first wanted, and runs until all are done."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self._home = home
        self._stack = stack
        self._running: dict[str, Script] = {}

    def of(self, framework: Framework) -> Script:
        python = FOLDER / "python" / framework.environment / "bin" / "python"
        if not python.exists():
            why = FOLDER / "missing"
            pytest.skip(f"{framework.name}: {why.read_text('utf-8') if why.exists() else '`make agents` has it'}")
        if framework.name not in self._running:
            usual = {name: os.environ[name] for name in KEPT if name in os.environ}
            errors = self._stack.enter_context((self._home / f"{framework.name}.errors").open("wb"))
            process = self._stack.enter_context(
                subprocess.Popen(
                    [str(python), str(SCRIPTS / f"{framework.name}_agent.py")],
                    cwd=self._home,
                    env={**usual, **SILENT, "HOME": str(self._home)},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    encoding="utf-8",
                )
            )
            script = Script(process)
            self._stack.callback(script.close)
            assert script.next_line() == {"ready": True}, Path(errors.name).read_text("utf-8")
            self._running[framework.name] = script
        return self._running[framework.name]


@contextmanager
def scripts(home: Path) -> Iterator[Scripts]:
    with ExitStack() as stack:
        yield Scripts(home, stack)


_OTHERS = ("openai-chat", "openai-responses", "gemini")
FRAMEWORKS = {
    framework.name: framework
    for framework in (
        Framework("adk", "adk", ("anthropic", "gemini")),
        Framework("autogen", "autogen", ("openai-chat", "anthropic")),
        Framework(
            "crewai",
            "crewai",
            thinks=(),
            unable={
                ("openai-responses", "stream"): "takes the words before calls for the answer",
                **{("gemini", wire): "offers tools to Gemini's own models only" for wire in WIRES if wire != "gemini"},
            },
        ),
        Framework("langchain", "current"),
        Framework(
            "litellm",
            "older",
            ("openai-chat", "anthropic", "gemini"),
            bridges={"openai-chat": "openai-responses"},
            unable={("anthropic", "openai-responses"): "asks only Claude to think"},
        ),
        Framework(
            "llama",
            "llama-index",
            thinks=("gemini",),
            unable={("anthropic", wire): "knows the names of Claude's models only" for wire in _OTHERS},
        ),
        Framework("llm", "older", ("openai-chat",)),
        Framework("openai", "current", ("openai-chat", "openai-responses")),
        Framework("pydantic", "current"),
        Framework("strands", "older"),
    )
}
"""By the names of their scripts."""
