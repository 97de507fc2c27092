"""Filling in `${…}` in a server's configuration, as VS Code, Cursor and Claude Code spell it.

    ${workspaceFolder}  ${workspaceFolderBasename}  ${userHome}  ${pathSeparator}
    ${env:NAME}  ${NAME}  ${NAME:-default}  ${input:id}

What can't be filled in is refused by name: a server that gets an empty token fails in far stranger ways.
"""

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from callgate.core.errors import UserFault

InputValue = Callable[[str], Awaitable[str | None]]
"""The value of `${input:id}`; None = there is none, or the person declined."""

_PLACEHOLDER = re.compile(r"\$\{([^{}]+)\}")
_VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", re.DOTALL)


class Unresolved(UserFault):
    """A placeholder that nothing can be put in for."""


class Placeholders:
    """Inputs are asked for once and kept as long as the program runs, so that a restart does not ask again."""

    def __init__(self, workspace: Path, environment: Mapping[str, str], input_value: InputValue | None = None) -> None:
        self._environment = environment
        self._input_value = input_value
        self._inputs: dict[str, str] = {}
        self._fixed = {
            "workspaceFolder": str(workspace),
            "workspaceFolderBasename": workspace.name,
            "userHome": environment.get("HOME") or environment.get("USERPROFILE") or str(Path.home()),
            "pathSeparator": os.sep,
            "/": os.sep,
        }

    async def fill(self, text: str) -> str:
        filled, end = "", 0
        for found in _PLACEHOLDER.finditer(text):
            filled += text[end : found.start()] + await self._value(found.group(1))
            end = found.end()
        return filled + text[end:]

    async def fill_all(self, texts: Mapping[str, str]) -> dict[str, str]:
        return {name: await self.fill(text) for name, text in texts.items()}

    async def _value(self, inside: str) -> str:
        if inside in self._fixed:
            return self._fixed[inside]
        kind, _, rest = inside.partition(":")
        if kind == "input":
            return await self._input(rest)
        variable = _VARIABLE.fullmatch(rest if kind == "env" else inside)
        if variable is None:
            raise Unresolved(f"'${{{inside}}}' is not a placeholder that Callgate knows.")
        name, default = variable.groups()
        value = self._environment.get(name)
        if value is not None:
            return value
        if default is not None:
            return default
        raise Unresolved(f"The environment variable {name} is not set, but '${{{inside}}}' asks for it.")

    async def _input(self, name: str) -> str:
        if name not in self._inputs:
            value = await self._input_value(name) if self._input_value is not None else None
            if value is None:
                raise Unresolved(f"No value was given for the input '{name}'.")
            self._inputs[name] = value
        return self._inputs[name]
