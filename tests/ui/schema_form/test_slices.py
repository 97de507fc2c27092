import time
from typing import Any

from PySide6.QtCore import QObject
from shiboken6 import delete

from callgate.ui.schema_form.slices import SLICE_S, Slices


def test_work_is_done_in_order_and_a_little_at_a_time(qapp: Any, qtbot: Any) -> None:
    slices, owner, done = Slices(), QObject(), []

    def work(number: int) -> None:
        until = time.monotonic() + SLICE_S
        while time.monotonic() < until:
            pass
        done.append(number)

    for number in range(3):
        slices.add(owner, lambda n=number: work(n))
    slices.go()
    assert done == [0]
    assert not slices.is_done
    qtbot.waitUntil(lambda: slices.is_done, timeout=5000)
    assert done == [0, 1, 2]


def test_work_for_what_is_gone_is_dropped(qapp: Any) -> None:
    slices, owner, done = Slices(), QObject(), []
    slices.add(owner, lambda: done.append(1))
    delete(owner)
    slices.finish()
    assert done == []
    assert slices.is_done
