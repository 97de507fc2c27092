"""OpenCode: all four wires, through the packages of Vercel's AI SDK."""

import json
from pathlib import Path

from tests.agents.agent import KEY, Agent, platform_program
from tests.agents.errand import Call, Place

PACKAGES = {
    "openai-chat": "@ai-sdk/openai-compatible",
    "openai-responses": "@ai-sdk/openai",
    "anthropic": "@ai-sdk/anthropic",
    "gemini": "@ai-sdk/google",
}
VERSIONS = {"gemini": "/v1beta"}


class OpenCode(Agent):
    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.name = f"opencode {wire}"

    def program(self) -> Path:
        return platform_program("opencode-{platform}/bin/opencode")

    def arguments(self, place: Place) -> list[str]:
        return ["run", "--auto", "-m", f"gate/{place.model}", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_SHARE": "1"}

    def furnish(self, place: Place) -> None:
        base = f"{place.address}{VERSIONS.get(self.wire, '/v1')}"
        model = {"tool_call": True, "reasoning": True, "limit": {"context": 200000, "output": 32000}}
        config = {
            "$schema": "https://opencode.ai/config.json",
            "autoupdate": False,
            "share": "disabled",
            "provider": {
                "gate": {
                    "npm": PACKAGES[self.wire],
                    "options": {"baseURL": base, "apiKey": KEY},
                    "models": {place.model: model},
                }
            },
        }
        folder = place.home / ".config" / "opencode"
        folder.mkdir(parents=True)
        (folder / "opencode.json").write_text(json.dumps(config), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("read", {"filePath": str(path)})
