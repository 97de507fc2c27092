"""Cline's CLI: OpenAI Chat with any server, OpenAI Responses, Anthropic Messages, Gemini."""

import json
from pathlib import Path

from tests.agents.agent import KEY, Agent, platform_program
from tests.agents.errand import Call, Place

KINDS = {
    "openai-chat": ("openai-compatible", "/v1"),
    "openai-responses": ("openai-native", "/v1"),
    "anthropic": ("anthropic", "/v1"),
    "gemini": ("gemini", "/v1beta"),
}


class Cline(Agent):
    warns = ("include", "truncation", "web_search", "image_generation is run by providers of openai-responses only")

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.name = f"cline {wire}"

    def unable(self, model: str) -> str:
        alone = self.wire == "gemini" and not model.startswith("gemini-3")
        return "beside Google's search it offers its own tools to Gemini 3 only" if alone else ""

    def program(self) -> Path:
        return platform_program("@cline/cli-{platform}/bin/cline")

    def arguments(self, place: Place) -> list[str]:
        return ["--provider", KINDS[self.wire][0], "--model", place.model, "--thinking", "low", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"CLINE_TELEMETRY_DISABLED": "1", "CLINE_NO_AUTO_UPDATE": "1"}

    def furnish(self, place: Place) -> None:
        kind, version = KINDS[self.wire]
        base = f"{place.address}{version}"
        settings = {"provider": kind, "apiKey": KEY, "model": place.model, "baseUrl": base}
        providers = {kind: {"settings": settings, "updatedAt": "2026-11-18T00:00:00.000Z", "tokenSource": "manual"}}
        config = {"version": 1, "lastUsedProvider": kind, "modes": {}, "providers": providers}
        folder = place.home / ".cline" / "data" / "settings"
        folder.mkdir(parents=True)
        (folder / "providers.json").write_text(json.dumps(config), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("read_files", {"files": [{"path": str(path)}]})
