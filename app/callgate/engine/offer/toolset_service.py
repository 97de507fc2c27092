"""Everything the person can see and do about toolsets."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DeclaredToolset:
    """A toolset as a file has it."""

    name: str
    members: tuple[str, ...]
    """Tools by name, other sets by name, `source/tool` or `source/*`."""
    description: str = ""
    icon: str = ""
    file: str = ""
    editable: bool = True
    """False: it stands in a file that is not Callgate's own."""


class ToolsetService(Protocol):
    def declared(self) -> tuple[DeclaredToolset, ...]:
        """All of them, also those whose tools are not there now."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What is wrong with them, in words."""
        ...

    def save(self, toolset: DeclaredToolset, was: str = "") -> None:
        """Writes a set; `was` is its name so far. Every other set and every comment stays. Raises `UserFault`."""
        ...

    def remove(self, name: str) -> None:
        """Raises `UserFault`."""
        ...
