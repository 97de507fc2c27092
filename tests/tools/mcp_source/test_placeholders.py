import asyncio
import os
from pathlib import Path

import pytest

from callgate.tools.mcp_source.placeholders import Placeholders, Unresolved

ENVIRONMENT = {"HOME": "/home/ada", "CITY": "Ulm", "EMPTY": ""}


def fill(text: str, **inputs: str) -> str:
    async def value(name: str) -> str | None:
        return inputs.get(name)

    return asyncio.run(Placeholders(Path("/work/space"), ENVIRONMENT, value).fill(text))


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain $HOME text", "plain $HOME text"),
        ("${workspaceFolder}/a", "/work/space/a"),
        ("${workspaceFolderBasename}", "space"),
        ("${userHome}/b", "/home/ada/b"),
        ("${env:CITY}-${CITY}", "Ulm-Ulm"),
        ("a${pathSeparator}b", f"a{os.sep}b"),
        ("${NOPE:-there}", "there"),
        ("${env:NOPE:-}", ""),
        ("${EMPTY}", ""),
        ("${CITY:-Rome}", "Ulm"),
        ("Bearer ${input:key}", "Bearer ${CITY}"),
    ],
)
def test_placeholders_are_filled_in_once(text: str, filled: str) -> None:
    assert fill(text, key="${CITY}") == filled


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("${env:NOPE}", "NOPE is not set"),
        ("${NOPE}", "NOPE is not set"),
        ("${input:other}", "No value was given for the input 'other'"),
        ("${command:x.y}", "not a placeholder that Callgate knows"),
    ],
)
def test_what_cannot_be_filled_in_is_named(text: str, words: str) -> None:
    with pytest.raises(Unresolved, match=words):
        fill(text, key="k")


def test_an_input_is_asked_for_once() -> None:
    asked: list[str] = []

    async def value(name: str) -> str:
        asked.append(name)
        return "v"

    async def work() -> str:
        placeholders = Placeholders(Path("/w"), {}, value)
        return await placeholders.fill("${input:a}") + await placeholders.fill("${input:a}${input:a}")

    assert asyncio.run(work()) == "vvv"
    assert asked == ["a"]
