"""Gemini CLI: Gemini generateContent."""

import json
from pathlib import Path
from typing import Any

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place


class GeminiCli(Agent):
    name = "gemini-cli"
    warns = ("top_k",)
    wire = "gemini"

    def program(self) -> Path:
        return node_program("gemini")

    def arguments(self, place: Place) -> list[str]:
        return ["-m", place.model, "--yolo", "--skip-trust", "-p", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": place.address, "GEMINI_CLI_NO_RELAUNCH": "1"}

    def furnish(self, place: Place) -> None:
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "mcpServers": {
                name: {"command": program, "args": more, "trust": True}
                for name, (program, *more) in place.servers.items()
            },
            "general": {"enableAutoUpdate": False, "disableUpdateNag": True},
        }
        folder = place.home / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(settings), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("read_file", {"file_path": str(path)})

    def asks(self, server: str, tool: str, arguments: dict[str, Any]) -> list[Call]:
        return [Call(f"mcp_{server}_{tool}", arguments)]
