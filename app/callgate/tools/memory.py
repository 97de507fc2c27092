"""The port through which parts of `tools` keep a little between two runs of the program."""

from typing import Protocol

from callgate.core.messages import Json


class Memory(Protocol):
    """One JSON value that outlives the program."""

    def read(self) -> Json:
        """What was last written; None = nothing."""
        ...

    def write(self, value: Json) -> None:
        """Raises `UserFault` where it can't be kept."""
        ...


class Forgetful:
    """A memory for as long as the program runs."""

    def __init__(self) -> None:
        self._value: Json = None

    def read(self) -> Json:
        return self._value

    def write(self, value: Json) -> None:
        self._value = value
