"""A Qt that over-releases Python's singletons kills the process within minutes; it must be noticed at once.

PySide6 6.12.0 does so on Python 3.11: every emit drops a reference of True, every void call one of None.
"""

import sys

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QTimer, Signal

TIMES = 50
SLACK = 25
"""Other code may hold or release a few in between; a bad Qt loses one each time."""

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="singletons are immortal from Python 3.12 on")


class Emitter(QObject):
    happened = Signal(bool)


class Rows(QAbstractListModel):
    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 1

    def data(self, index: QModelIndex, role: int = 0) -> object:
        return None


@pytest.mark.parametrize("value", [None, True])
def test_qt_calls_leave_the_reference_counts_of_singletons_alone(qapp: object, value: object) -> None:
    emitter, model, timer = Emitter(), Rows(), QTimer()
    before = sys.getrefcount(value)
    for _ in range(TIMES):
        emitter.happened.emit(True)
        model.data(model.index(0))
        timer.start(1000)
        timer.stop()
    assert abs(sys.getrefcount(value) - before) < SLACK
