"""Pi: all four wires."""

import json
from pathlib import Path

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place

KINDS = {
    "openai-chat": ("openai-completions", "/v1"),
    "openai-responses": ("openai-responses", "/v1"),
    "anthropic": ("anthropic-messages", ""),
    "gemini": ("google-generative-ai", "/v1beta"),
}


class Pi(Agent):
    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.name = f"pi {wire}"

    def program(self) -> Path:
        return node_program("pi")

    def arguments(self, place: Place) -> list[str]:
        return ["-p", "--provider", "gate", "--model", place.model, "--thinking", "low", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def furnish(self, place: Place) -> None:
        kind, version = KINDS[self.wire]
        model = {"id": place.model, "reasoning": True, "contextWindow": 200000, "maxTokens": 32000}
        provider = {"baseUrl": f"{place.address}{version}", "api": kind, "apiKey": KEY, "models": [model]}
        folder = place.home / ".pi" / "agent"
        folder.mkdir(parents=True)
        (folder / "models.json").write_text(json.dumps({"providers": {"gate": provider}}), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("read", {"path": str(path)})
