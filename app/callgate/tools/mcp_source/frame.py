"""A message as it crossed the wire, for whoever watches a server."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Frame:
    source: str
    direction: Literal["in", "out"]
    text: str
    at: float
