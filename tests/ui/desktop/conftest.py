"""A real bus for each test."""

from collections.abc import Iterator

import pytest
from tests.fakes.desktop_bus import RealBus, lacking


@pytest.fixture
def desktop() -> Iterator[RealBus]:
    missing = lacking()
    if missing:
        pytest.skip(f"no real bus here: {missing} missing")
    bus = RealBus()
    try:
        yield bus
    finally:
        bus.close()
