"""What the view asks of a widget that shows a block."""

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from callgate.ui.conversation.blocks import Block
from callgate.ui.theme.theme import Theme


class BlockWidget(QWidget):
    resized = Signal()
    """It wants another height: something was folded, unfolded or typed."""
    toggled = Signal(str, bool)
    """Block id, and whether it is unfolded now: remembered while the widget is gone."""

    branch_wanted = Signal(str, bool)
    """An exchange that is a try of its turn, and whether all tries are wanted (else only this one)."""

    reusable: ClassVar[bool] = True
    """Whether it may show another block after this one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.block_id = ""
        """Set by the view: a widget may show one block after another."""

    def show_block(self, block: Block, unfolded: bool) -> None:
        raise NotImplementedError

    def height_at(self, width: int) -> int:
        layout = self.layout()
        return 0 if layout is None else layout_height(layout, width)

    def tick(self, now: float) -> None:
        """A second has passed; only what shows a running clock cares."""

    def enter(self) -> None:
        """Return was pressed on it: take the keyboard, or unfold."""

    def rest(self) -> None:
        """It goes off screen, and may come back with another block."""

    @property
    def busy(self) -> bool:
        """True: a person is at work in it, so it must outlive being scrolled away."""
        return False


def layout_height(layout: QLayout, width: int) -> int:
    layout.activate()
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
