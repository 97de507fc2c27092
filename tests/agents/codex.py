"""Codex: OpenAI Responses."""

from pathlib import Path

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place

CONFIG = """
model = "{model}"
model_provider = "gate"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.gate]
name = "gate"
base_url = "{address}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"

[analytics]
enabled = false
"""


class Codex(Agent):
    name = "codex"
    warns = ("web_search is run by providers of openai-responses only",)
    wire = "openai-responses"

    def program(self) -> Path:
        return node_program("codex")

    def arguments(self, place: Place) -> list[str]:
        return ["exec", "--skip-git-repo-check", "--json", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"OPENAI_API_KEY": KEY}

    def furnish(self, place: Place) -> None:
        folder = place.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(CONFIG.format(model=place.model, address=place.address), "utf-8")

    def reads(self, place: Place, path: Path) -> Call:
        return Call("exec_command", {"cmd": f"cat {path}"})
