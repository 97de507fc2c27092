import gc
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from callgate.ui.shell.collector import MainThreadCollector


class Ring:
    """Garbage as soon as it is let go, and never before it is collected."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[MainThreadCollector]:
    enabled, thresholds = gc.isenabled(), gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, 10, 10)
    made = MainThreadCollector()
    try:
        yield made
    finally:
        made.close()
        restored = gc.isenabled(), gc.get_threshold()
        (gc.enable if enabled else gc.disable)()
        gc.set_threshold(*thresholds)
    assert restored == (True, (700, 10, 10))


def fill() -> list[list[int]]:
    """Far more containers than Python would let pass without collecting."""
    return [[] for _ in range(200_000)]


def on_a_worker(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


def test_a_worker_never_collects_even_after_a_library_has_enabled_it(collector: MainThreadCollector) -> None:
    gc.collect()
    ring = weakref.ref(Ring())
    kept: list[list[int]] = []

    def read_as_parso_does() -> None:
        gc.disable()
        gc.enable()
        kept.extend(fill())

    on_a_worker(read_as_parso_does)
    assert gc.isenabled() and ring() is not None
    collector.collect()
    assert ring() is None


def test_the_timer_collects(collector: MainThreadCollector, qapp: QApplication) -> None:
    gc.collect()
    ring = weakref.ref(Ring())
    kept = fill()
    collector._timer.setInterval(0)
    qapp.processEvents()
    assert ring() is None and kept


def test_nothing_is_left_for_a_worker_at_the_end(qapp: QApplication) -> None:
    collector = MainThreadCollector()
    ring = weakref.ref(Ring())
    collector.close()
    assert ring() is None
