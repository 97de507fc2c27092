"""Codex: OpenAI Responses."""

import json
from pathlib import Path
from typing import Any

from tests.agents.agent import KEY, Agent, node_program
from tests.agents.errand import Call, Place

CONFIG = """
model = "{model}"
model_reasoning_effort = "medium"
model_supports_reasoning_summaries = true
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false
"""
CUSTOM = 'model_provider = "gate"'
PROVIDER = """
[model_providers.gate]
name = "gate"
base_url = "{address}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
"""
BUILT_IN = 'openai_base_url = "{address}/v1"'


class Codex(Agent):
    """`like`: the model of its own catalog that it takes the model for; it knows no others.

    `built_in`: its own provider at another address, with which it tries a WebSocket first.
    """

    warns = ("_search is run by providers of openai-responses only", "text.verbosity", "reasoning.context")
    wire = "openai-responses"

    def __init__(self, like: str = "", *, built_in: bool = False) -> None:
        self._like = like
        self._built_in = built_in
        self.name = "codex built-in" if built_in else "codex"

    def program(self) -> Path:
        return node_program("codex")

    def arguments(self, place: Place) -> list[str]:
        return ["exec", "--skip-git-repo-check", "--json", place.prompt]

    def environment(self, place: Place) -> dict[str, str]:
        return {"OPENAI_API_KEY": KEY, "CODEX_API_KEY": KEY}

    def furnish(self, place: Place) -> None:
        folder = place.home / ".codex"
        folder.mkdir()
        provider = BUILT_IN if self._built_in else CUSTOM
        config = provider.format(address=place.address) + CONFIG.format(model=place.model)
        if not self._built_in:
            config += PROVIDER.format(address=place.address)
        for name, (program, *more) in place.servers.items():
            config += f"\n[mcp_servers.{name}]\ncommand = {json.dumps(program)}\nargs = {json.dumps(more)}\n"
        if self._like:
            catalog = folder / "models.json"
            catalog.write_text(json.dumps(self._catalog(place)), "utf-8")
            config = f'model_catalog_json = "{catalog}"\n{config}'
        (folder / "config.toml").write_text(config, "utf-8")

    def _catalog(self, place: Place) -> dict[str, Any]:
        """Its own, with the model under the name that the provider has for it."""
        listed = self.tells(place, "debug", "models")
        known = next(model for model in json.loads(listed)["models"] if model["slug"] == self._like)
        return {"models": [known | {"slug": place.model}]}

    def reads(self, place: Place, path: Path) -> Call:
        return Call("exec_command", {"cmd": f"cat {path}"})

    def asks(self, server: str, tool: str, arguments: dict[str, Any]) -> list[Call]:
        return [Call(tool, arguments, namespace=f"mcp__{server}")]
