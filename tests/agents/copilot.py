"""Copilot's CLI with a provider of one's own: OpenAI Chat, OpenAI Responses and Anthropic Messages."""

from pathlib import Path

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place


class Copilot(Agent):
    def __init__(self, wire: str, transport: str = "http") -> None:
        self.wire = wire
        self.name = f"copilot {wire}" if transport == "http" else f"copilot {transport}"
        self._transport = transport

    def program(self) -> Path:
        return node_program("copilot")

    def arguments(self, place: Place) -> list[str]:
        return [
            "-p",
            place.prompt,
            "--allow-all-tools",
            "--allow-all-paths",
            "--no-auto-update",
            "--disable-client-telemetry",
        ]

    def environment(self, place: Place) -> dict[str, str]:
        own = self.wire == "anthropic"
        return {
            "COPILOT_PROVIDER_BASE_URL": place.address if own else f"{place.address}/v1",
            "COPILOT_PROVIDER_TYPE": "anthropic" if own else "openai",
            "COPILOT_PROVIDER_WIRE_API": "responses" if self.wire == "openai-responses" else "completions",
            "COPILOT_PROVIDER_TRANSPORT": self._transport,
            "COPILOT_PROVIDER_API_KEY": KEY,
            "COPILOT_MODEL": place.model,
            "COPILOT_OFFLINE": "true",
        }

    def reads(self, place: Place, path: Path) -> Call:
        return Call("view", {"path": str(path)})
