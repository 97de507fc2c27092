"""A toolset: several tools under one name, for `#name` in a prompt and for choosing what a request is offered."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Toolset:
    name: str
    tools: tuple[str, ...]
    """Names in the catalog, those of nested sets included; never empty."""
    description: str = ""
    icon: str = ""
