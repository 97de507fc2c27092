"""Claude Code: Anthropic Messages."""

import json
from pathlib import Path
from typing import Any

from tests.agents.agent import KEY, Agent, platform_program
from tests.agents.errand import Call, Place


class ClaudeCode(Agent):
    name = "claude-code"
    warns = ("context_management", "tools.defer_loading")
    wire = "anthropic"

    def program(self) -> Path:
        return platform_program("@anthropic-ai/claude-code-{platform}/claude")

    def arguments(self, place: Place) -> list[str]:
        servers = {name: {"command": program, "args": more} for name, (program, *more) in place.servers.items()}
        config = ["--mcp-config", json.dumps({"mcpServers": servers})] if servers else []
        return ["-p", place.prompt, "--model", place.model, "--dangerously-skip-permissions", *config]

    def environment(self, place: Place) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": place.address,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "IS_SANDBOX": "1",  # it asks for one before it runs tools unasked as root
        }

    def reads(self, place: Place, path: Path) -> Call:
        return Call("Read", {"file_path": str(path)})

    def asks(self, server: str, tool: str, arguments: dict[str, Any]) -> list[Call]:
        name = f"mcp__{server}__{tool}"
        return [Call("ToolSearch", {"query": f"select:{name}", "max_results": 5}), Call(name, arguments)]
