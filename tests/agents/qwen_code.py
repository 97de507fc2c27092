"""Qwen Code: all four wires."""

import json
from pathlib import Path

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place

KINDS = {
    "openai-chat": ("openai", "OPENAI", "/v1"),
    "openai-responses": ("openai-responses", "OPENAI", "/v1"),
    "anthropic": ("anthropic", "ANTHROPIC", ""),
    "gemini": ("gemini", "GEMINI", ""),
}


class QwenCode(Agent):
    warns = ("top_k",)

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.name = f"qwen-code {wire}"

    def program(self) -> Path:
        return node_program("qwen")

    def arguments(self, place: Place) -> list[str]:
        return ["--auth-type", KINDS[self.wire][0], "-m", place.model, "--yolo", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        _, prefix, version = KINDS[self.wire]
        return {
            f"{prefix}_API_KEY": KEY,
            f"{prefix}_BASE_URL": f"{place.address}{version}",
            "GOOGLE_GEMINI_BASE_URL": place.address,
            f"{prefix}_MODEL": place.model,
            "QWEN_TELEMETRY_ENABLED": "0",
        }

    def furnish(self, place: Place) -> None:
        settings = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
        folder = place.home / ".qwen"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(settings), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("read_file", {"file_path": str(path)})
