"""Examples of arguments that the person saved, tool by tool, in one small file of the data folder."""

from collections.abc import Iterator

from callgate.core.catalog.tool_example import ToolExample
from callgate.core.messages import Json
from callgate.store.files.json_file import JsonFile


class ToolExamples:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self._kept: dict[str, list[ToolExample]] | None = None

    def of_tool(self, source: str, tool: str) -> tuple[ToolExample, ...]:
        """In the order in which they were first saved."""
        return tuple(self._all().get(_key(source, tool), ()))

    def save(self, source: str, tool: str, example: ToolExample) -> None:
        """One of the same name is replaced, where it stands. Raises `UserFault` where it can't be kept."""
        before = self._all().get(_key(source, tool), [])
        named = [one.name for one in before]
        after = [example if one.name == example.name else one for one in before]
        self._write(source, tool, after if example.name in named else [*before, example])

    def delete(self, source: str, tool: str, name: str) -> None:
        """Raises `UserFault`."""
        before = self._all().get(_key(source, tool), [])
        self._write(source, tool, [one for one in before if one.name != name])

    def _all(self) -> dict[str, list[ToolExample]]:
        if self._kept is None:
            held = self._file.read()
            self._kept = {key: list(_examples(given)) for key, given in held.items()} if isinstance(held, dict) else {}
        return self._kept

    def _write(self, source: str, tool: str, examples: list[ToolExample]) -> None:
        fresh = {**self._all(), _key(source, tool): examples}
        kept = {key: value for key, value in fresh.items() if value}
        told: Json = {
            key: [{"name": one.name, "arguments": one.arguments} for one in value] for key, value in kept.items()
        }
        self._file.write(told)
        self._kept = kept


def _key(source: str, tool: str) -> str:
    """Names of sources have no slash that could be mistaken: a tool keeps its examples, whoever else has its name."""
    return f"{source}/{tool}"


def _examples(given: Json) -> Iterator[ToolExample]:
    """Entries that somebody broke by hand are left out, not the others with them."""
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("arguments"), str):
            yield ToolExample(str(one["name"]), str(one["arguments"]))
