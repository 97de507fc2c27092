"""What a source must be given before it can start, and secrets in its settings turned into such things. Pure.

A secret never stands in a file of Callgate's: in its place stands `${input:id}`, and the value is kept elsewhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from callgate.core.config.settings import InputSettings, SourceSettings
from callgate.core.secrets.masking import mask

_INPUT = re.compile(r"\$\{input:([^{}]+)\}")
_SECRET_NAME = re.compile(r"token|key|secret|passw|credential|authorization|cookie", re.IGNORECASE)
_SECRET_OPTION = re.compile(r"--?[\w-]*(?:token|key|secret|passw|credential)[\w-]*", re.IGNORECASE)
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Hidden:
    """Settings that ask for their secrets, and these by the id under which they are asked for."""

    settings: SourceSettings
    values: dict[str, str]


def inputs_of(settings: SourceSettings) -> tuple[str, ...]:
    """The ids of all inputs that its settings ask for, each once."""
    texts = (*settings.command, settings.url, settings.cwd, settings.env_file)
    texts = (*texts, *settings.env.values(), *settings.headers.values())
    for tool in settings.tools:
        texts = (*texts, *tool.env.values())
    return tuple(dict.fromkeys(found for text in texts for found in _INPUT.findall(text)))


def looks_secret(name: str, value: str) -> bool:
    """Whether a named value had better not be seen: by its name, or because it looks like a key."""
    if not value or "${" in value:
        return False
    return _SECRET_NAME.search(name) is not None or mask(value) != value


def hide_secrets(settings: SourceSettings) -> Hidden:
    """Only of MCP servers: what a command tool is given stands in its own settings for the person to see."""
    values: dict[str, str] = {}
    inputs = list(settings.inputs)

    def hidden(name: str, value: str, where: str) -> str:
        fit = _UNFIT.sub("-", name).strip("-") or "secret"
        taken, number = fit, 2
        while any(known.id == taken for known in inputs):
            taken, number = f"{fit}-{number}", number + 1
        values[taken] = value
        inputs.append(InputSettings(id=taken, description=where, password=True))
        return f"${{input:{taken}}}"

    if settings.kind != "mcp":
        return Hidden(settings, {})
    env = {
        name: hidden(name, value, f"The variable {name}") if looks_secret(name, value) else value
        for name, value in settings.env.items()
    }
    headers = {
        name: hidden(name, value, f"The header {name}") if looks_secret(name, value) else value
        for name, value in settings.headers.items()
    }
    command = tuple(
        before + (hidden(name, value, f"The argument {name}") if name else value)
        for before, name, value in _words(settings.command)
    )
    url = settings.url
    if url and "${" not in url and mask(url) != url:
        url = hidden("address", url, "The address with its key")
    update = {"env": env, "headers": headers, "command": command, "url": url, "inputs": tuple(inputs)}
    return Hidden(settings.model_copy(update=update), values)


def _words(command: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Each word as what stays, the name of the secret in it (none = there is none), and the rest."""
    option = ""
    for word in command:
        name, has_value, value = word.partition("=")
        if "${" in word:
            yield "", "", word
        elif option and not word.startswith("-"):
            yield "", option, word
        elif has_value and value and _SECRET_OPTION.fullmatch(name):
            yield f"{name}=", name.lstrip("-"), value
        elif mask(word) != word:
            yield "", "argument", word
        else:
            yield "", "", word
        option = word.lstrip("-") if _SECRET_OPTION.fullmatch(word) else ""
