"""How the fields of one wire's requests are to be taken where a request goes on to another wire. Values only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from callgate.core.messages import Extras, Json


def _nobody_asks(extras: Extras) -> int | None:
    del extras
    return None


@dataclass(frozen=True, slots=True)
class RequestFields:
    """All fields that are not named here are named in a warning where they are lost."""

    refused: tuple[str, ...] = ()
    """They stand for something that only this wire's providers keep or run."""
    heeded: tuple[str, ...] = ()
    """By their paths. Read into the neutral form, or done by Callgate itself; of one that is longer than a name, only
    what it leads to."""
    usual: Mapping[str, tuple[Json, ...]] = field(default_factory=dict[str, tuple[Json, ...]])
    """Values that ask for what happens anyway."""
    switches: tuple[str, ...] = ()
    """Asked for by being there, however empty."""
    of_no_weight: Mapping[str, str] = field(default_factory=dict[str, str])
    """Fields of tools, messages and parts whose loss nobody misses, and why."""
    logprobs: Callable[[Extras], int | None] = _nobody_asks
    """How many other tokens are to be told with each token of the answer; None = nobody asked for any of it."""

    @property
    def sections(self) -> frozenset[str]:
        """Fields that hold heeded ones: what else they hold is named by itself."""
        return frozenset(
            ".".join(path.split(".")[:length]) for path in self.heeded for length in range(1, path.count(".") + 1)
        )


def count_of(value: Json) -> int:
    """A number of tokens that a client wants to be told."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
