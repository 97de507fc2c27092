"""A station in front of all five services, and an application on any of the official packages before it."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.providers import anthropic, gemini, ollama, openai_chat, openai_responses
from tests.fakes.providers.service import Service, serving
from tests.fakes.running import RunningStation, running
from tests.fakes.sdks.anthropic_messages import MessagesAgent
from tests.fakes.sdks.google_genai import GenaiAgent
from tests.fakes.sdks.heard import Agent
from tests.fakes.sdks.ollama_chat import OllamaAgent
from tests.fakes.sdks.openai_chat import ChatAgent
from tests.fakes.sdks.openai_responses import ResponsesAgent

from callgate.runtime.runtime import Launch

WIRES = ("openai-chat", "openai-responses", "anthropic", "gemini")
"""Those of the big providers, whose clients and services have much that Ollama has not."""
ALL_WIRES = (*WIRES, "ollama")
MODELS = {
    "openai-chat": openai_chat.MODEL,
    "openai-responses": openai_responses.MODEL,
    "anthropic": anthropic.MODEL,
    "gemini": gemini.MODEL,
    "ollama": ollama.MODEL,
}
OLDER_MODELS = {"anthropic": anthropic.OLDER_MODEL, "gemini": gemini.OLDER_MODEL}
"""Of the same services, with other ways of thinking and of naming calls."""
SERVED = {wire: [model, *([OLDER_MODELS[wire]] if wire in OLDER_MODELS else [])] for wire, model in MODELS.items()}
AGENTS: dict[str, Any] = {
    "openai-chat": ChatAgent,
    "openai-responses": ResponsesAgent,
    "anthropic": MessagesAgent,
    "gemini": GenaiAgent,
    "ollama": OllamaAgent,
}


@dataclass
class Stage:
    """The services, and the station that the applications talk to."""

    folder: Path
    services: Mapping[str, Service]
    rules: str = ""
    served: Mapping[str, list[str]] = field(default_factory=lambda: SERVED)
    """Models, or patterns of their names, by wire."""
    runtime: RunningStation = field(init=False)
    _agents: list[Agent] = field(default_factory=list)
    _port: int = 0

    @property
    def address(self) -> str:
        return self.runtime.address

    def agent(self, wire: str, provider: str = "", *, stream: bool = False, model: str = "", **options: Any) -> Any:
        """An application of one wire that asks the model of a provider."""
        agent = AGENTS[wire](self.address, model or MODELS[provider], stream=stream, **options)
        self._agents.append(agent)
        return agent

    def keep(self, closeable: Any) -> Any:
        """Something that is closed with the stage."""
        self._agents.append(closeable)
        return closeable

    def launch(self) -> Launch:
        workspace = self.folder / "workspace"
        workspace.mkdir(exist_ok=True)
        (workspace / "notes.txt").write_text("buy milk\n", "utf-8")
        config = self.folder / "callgate.toml"
        config.write_text(self.rules + "".join(map(self._upstream, self.services.values())), "utf-8")
        return Launch(config, self._port, workspace, self.folder / "data", demo_pace_ms=0, windowed=False)

    @contextmanager
    def open(self) -> Iterator["Stage"]:
        """The station runs within; may be entered again for a restart with the same data at the same address."""
        with running(self.launch()) as self.runtime:
            self._port = int(self.address.rpartition(":")[2])
            yield self

    def close(self) -> None:
        while self._agents:
            self._agents.pop().close()

    def refusals(self) -> list[str]:
        return [refusal for service in self.services.values() for refusal in service.refusals]

    def _upstream(self, service: Service) -> str:
        base = f"{service.address}/v1" if service.wire.startswith("openai") else service.address
        named = f'name = "{service.wire}"\nwire = "{service.wire}"\nbase_url = "{base}"\n'
        return f"\n[[upstreams]]\n{named}models = {self.served[service.wire]!r}\n"


@contextmanager
def stage(folder: Path, rules: str = "") -> Iterator[Stage]:
    """Services that run; the station is opened by whoever needs it."""
    services: dict[str, Service] = {
        service.wire: service
        for service in (
            openai_chat.OpenAIChatService(),
            openai_responses.OpenAIResponsesService(),
            anthropic.AnthropicService(),
            gemini.GeminiService(),
            ollama.OllamaService(),
        )
    }
    with ExitStack() as stack:
        stack.enter_context(serving(*services.values()))
        opened = Stage(folder, services, rules)
        stack.callback(opened.close)
        yield opened
