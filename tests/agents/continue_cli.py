"""Continue's CLI: OpenAI Chat, OpenAI Responses and Anthropic Messages."""

import json
from pathlib import Path

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place


class Continue(Agent):
    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.name = f"continue {wire}"

    def unable(self, model: str) -> str:
        fits = self.wire == "anthropic" or (self.wire == "openai-responses") == model.startswith("gpt-5")
        return "" if fits else "it chooses between OpenAI's wires by the model's name"

    def program(self) -> Path:
        return node_program("cn")

    def arguments(self, place: Place) -> list[str]:
        return ["-p", "--auto", "--config", str(place.home / "config.json"), place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"CONTINUE_TELEMETRY_ENABLED": "0", "CONTINUE_ALLOW_ANONYMOUS_TELEMETRY": "0"}

    def furnish(self, place: Place) -> None:
        provider = "anthropic" if self.wire == "anthropic" else "openai"
        model = {"name": "Gate", "provider": provider, "model": place.model, "apiKey": KEY, "roles": ["chat"]}
        model |= {"apiBase": f"{place.address}/v1/", "capabilities": ["tool_use"]}
        # its files are YAML, of which JSON is a part
        config = {"name": "gate", "version": "1.0.0", "schema": "v1", "models": [model]}
        (place.home / "config.json").write_text(json.dumps(config), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("Read", {"filepath": str(path)})
