"""Round numbers for the side of a chart. Pure."""

import math
from typing import Final

_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


def round_ticks(most: float, wanted: int = 4, *, whole: bool = False) -> tuple[float, ...]:
    """From 0 to at least `most` in equal, round steps; `whole`: counts have no halves."""
    if most <= 0 or not math.isfinite(most):
        return (0.0, 1.0)
    raw = most / max(1, wanted)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in _STEPS if power * factor >= raw * 0.999)
    if whole:
        step = max(1.0, math.ceil(step))
    count = math.ceil(most / step - 1e-9)
    return tuple(number * step for number in range(count + 1))
