"""Where the details of a tool stand: on a page of their own, or with the tree; as the person left it.

With the tree they lie under it while that is narrow, and beside it where there is room for both.
"""

from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QSplitter

from callgate.ui.tools.detail import Place, ToolDetail
from callgate.ui.tools.detail_page import DetailPage

BESIDE: Final = 640
"""From this width on tree and details stand side by side."""
_SLACK: Final = 40
"""So much narrower it may get before they turn back: whoever moves the edge must not see them jump."""
_PLACE_KEY: Final = "tools/details"
_SPLIT_KEYS: Final = {
    Qt.Orientation.Vertical: "tools/split",
    Qt.Orientation.Horizontal: "tools/split_beside",
}
_TREE_SHARE: Final = 0.42
"""Of the room, where the person has not said otherwise: the details have more to say."""


class DetailHome(QObject):
    moved = Signal()
    """The details stand elsewhere now."""

    def __init__(
        self, detail: ToolDetail, beside: QSplitter, page: DetailPage | None, settings: QSettings | None = None
    ) -> None:
        """`beside` has the tree already; without a page the details always stand there."""
        super().__init__(beside)
        self._detail, self._split, self._page, self._settings = detail, beside, page, settings
        held = settings.value(_PLACE_KEY) if settings is not None else None
        self._place: Place = "tree" if page is None or held == "tree" else "page"
        self._put()
        self._turn()
        detail.hide()
        detail.move_requested.connect(self._swap)
        beside.splitterMoved.connect(self._keep_split)
        beside.installEventFilter(self)
        if page is not None:
            page.shown.connect(lambda: self.move_to("page"))  # asked for by name, it is not to be an empty one

    @property
    def place(self) -> Place:
        return self._place

    def show(self) -> None:
        """A tool was chosen: its details come up, wherever they stand."""
        came_up = self._detail.isHidden()
        self._detail.show()
        if self._place == "tree" and came_up:
            self._restore_split()
        if self._place == "page" and self._page is not None:
            self._page.show_detail(True)
            if not self._page.isVisible():
                self._page.wanted.emit()

    def hide(self) -> None:
        """There is nothing to tell any more; the page stays for whoever looks at it."""
        self._detail.hide()
        if self._page is not None:
            self._page.show_detail(False)

    def leave(self) -> None:
        """The person has seen enough."""
        was_page = self._place == "page" and self._page is not None and self._page.isVisible()
        self.hide()
        if was_page and self._page is not None:
            self._page.closed.emit()

    def move_to(self, place: Place) -> None:
        if place == self._place or self._page is None:
            return
        shown = not self._detail.isHidden()
        self._place = place
        if self._settings is not None:
            self._settings.setValue(_PLACE_KEY, place)
        self._put()
        self._page.show_detail(shown and place == "page")
        self._detail.setVisible(shown)
        if place == "tree":
            self._restore_split()
            self._page.closed.emit()
        elif shown:
            self._page.wanted.emit()
        self.moved.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._split:
            self._turn()
        return False

    def _swap(self) -> None:
        self.move_to("tree" if self._place == "page" else "page")

    def _put(self) -> None:
        if self._place == "page" and self._page is not None:
            self._page.hold(self._detail)
        else:
            self._split.addWidget(self._detail)
        self._detail.set_place(self._place, movable=self._page is not None)

    # ---- under the tree, or beside it -------------------------------------------------------------------------------

    def _turn(self) -> None:
        turned = self._split.orientation() == Qt.Orientation.Horizontal
        wide = self._split.width() >= BESIDE - (_SLACK if turned else 0)
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._split.orientation() != wanted:
            self._split.setOrientation(wanted)
            self._restore_split()

    def _restore_split(self) -> None:
        orientation = self._split.orientation()
        held = self._settings.value(_SPLIT_KEYS[orientation]) if self._settings is not None else None
        # a state of the other direction would turn the splitter back
        if not (isinstance(held, QByteArray) and self._split.restoreState(held)):
            whole = self._split.width() if orientation == Qt.Orientation.Horizontal else self._split.height()
            tree = int(whole * _TREE_SHARE)
            self._split.setSizes([tree, whole - tree])
        self._split.setOrientation(orientation)

    def _keep_split(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_SPLIT_KEYS[self._split.orientation()], self._split.saveState())
