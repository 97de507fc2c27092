"""Small widgets side by side that would like one row and take more where it is narrow."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from callgate.ui.widgets.flow_layout import FlowLayout


class WrappingRow(QWidget):
    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(spacing, self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        self._flow.addWidget(widget)

    def clear(self) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()  # it would be painted until the loop comes round to deleting it
                widget.deleteLater()

    def sizeHint(self) -> QSize:
        """One row; a flow layout by itself would ask for its narrowest shape."""
        items = [self._flow.itemAt(index) for index in range(self._flow.count())]
        sizes = [item.sizeHint() for item in items if item is not None and not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self._flow.spacing() * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))
