"""What tokens cost: rows of globs over model names, the person's own before those that ship. Pure; a model that no row
fits costs nothing that is known, which is not the same as nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from callgate.core.errors import UserFault
from callgate.core.messages import Usage
from callgate.core.rules.glob import glob_matches

MILLION: Final = 1_000_000
PRICE_FIELDS: Final = ("input", "output", "cached", "cache_written")

_DATED: Final = re.compile(r"[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")
"""What providers append to a model's name without changing its price."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    model: str
    """A glob over the model's name, without its date and without what stands before a slash."""
    input: float
    output: float
    cached: float | None = None
    """Input that the provider had kept; None = as dear as other input."""
    cache_written: float | None = None

    def of(self, usage: Usage) -> float:
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.cache_written is None else self.cache_written
        fresh = max(0, usage.input - usage.cached - usage.cache_written)
        total = fresh * self.input + usage.cached * cached + usage.cache_written * written + usage.output * self.output
        return total / MILLION


DEFAULT_PRICES: Final = (
    Price("gpt-5", 1.25, 10, 0.125),
    Price("gpt-5-mini", 0.25, 2, 0.025),
    Price("gpt-5-nano", 0.05, 0.4, 0.005),
    Price("gpt-4.1", 2, 8, 0.5),
    Price("gpt-4.1-mini", 0.4, 1.6, 0.1),
    Price("gpt-4.1-nano", 0.1, 0.4, 0.025),
    Price("gpt-4o", 2.5, 10, 1.25),
    Price("gpt-4o-mini", 0.15, 0.6, 0.075),
    Price("o3", 2, 8, 0.5),
    Price("o4-mini", 1.1, 4.4, 0.275),
    Price("claude-opus-4-5", 5, 25, 0.5, 6.25),
    Price("claude-opus-4", 15, 75, 1.5, 18.75),
    Price("claude-opus-4-0", 15, 75, 1.5, 18.75),
    Price("claude-opus-4-1", 15, 75, 1.5, 18.75),
    Price("claude-sonnet-4", 3, 15, 0.3, 3.75),
    Price("claude-sonnet-4-?", 3, 15, 0.3, 3.75),
    Price("claude-3-7-sonnet", 3, 15, 0.3, 3.75),
    Price("claude-3-5-sonnet", 3, 15, 0.3, 3.75),
    Price("claude-haiku-4-5", 1, 5, 0.1, 1.25),
    Price("claude-3-5-haiku", 0.8, 4, 0.08, 1),
    Price("gemini-2.5-pro", 1.25, 10, 0.125),
    Price("gemini-2.5-flash", 0.3, 2.5, 0.03),
    Price("gemini-2.5-flash-lite", 0.1, 0.4, 0.01),
    Price("gemini-2.0-flash", 0.1, 0.4, 0.025),
    Price("callgate-demo", 0, 0),
)
"""A start, not checked against any provider's current list: prices change, so every row can be overridden."""


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The first row that fits a model's name counts."""

    rows: tuple[Price, ...] = DEFAULT_PRICES
    _known: dict[str, Price | None] = field(default_factory=dict[str, Price | None], compare=False, repr=False)
    """Names that were looked up before: a table of traffic asks for the same few thousands of times."""

    def price(self, model: str) -> Price | None:
        if model not in self._known:
            names = (model, plain_name(model))
            self._known[model] = next(
                (row for row in self.rows if any(row.model == name or glob_matches(row.model, name) for name in names)),
                None,
            )
        return self._known[model]

    def cost(self, model: str, usage: Usage | None) -> float | None:
        """US dollars; None = no row fits, or the provider has not said how many tokens."""
        price = self.price(model)
        return None if price is None or usage is None else price.of(usage)


def plain_name(model: str) -> str:
    """A model's name without its date, and without the vendor that routers put before it."""
    return _DATED.sub("", model.rpartition("/")[2])


def read_prices(overrides: Mapping[str, object]) -> PriceTable:
    """The table with the person's rows first: `{"my-model-*": {"input": 1.5, "output": 6}}`.

    Raises `UserFault` that names the row and field at fault.
    """
    own = tuple(_read_row(model, row) for model, row in overrides.items())
    return PriceTable((*own, *DEFAULT_PRICES))


def write_prices(rows: tuple[Price, ...]) -> dict[str, dict[str, float]]:
    """The person's rows as `read_prices` takes them."""
    return {
        row.model: {name: value for name in PRICE_FIELDS if (value := getattr(row, name)) is not None} for row in rows
    }


def _read_row(model: str, row: object) -> Price:
    if not model.strip():
        raise UserFault("A price needs the name of a model; * and ? stand for any letters.")
    if not isinstance(row, Mapping):
        raise UserFault(f"The price of {model} must have input and output, in dollars for a million tokens.")
    given = {str(name): _read_number(model, str(name), value) for name, value in row.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    missing = [name for name in ("input", "output") if name not in given]
    if missing:
        raise UserFault(f"The price of {model} lacks {' and '.join(missing)}.")
    return Price(model.strip(), given["input"], given["output"], given.get("cached"), given.get("cache_written"))


def _read_number(model: str, name: str, value: object) -> float:
    if name not in PRICE_FIELDS:
        raise UserFault(f"The price of {model} has no field {name!r}; known are {', '.join(PRICE_FIELDS)}.")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise UserFault(f"The price of {model}: {name} must be a number of dollars, 0 or more, not {value!r}.")
    return float(value)
