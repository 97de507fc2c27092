"""The list of endpoints. Changes nothing itself."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.endpoints.list_model import EndpointModel, EndpointRole
from callgate.ui.endpoints.look import look_of, models_words
from callgate.ui.theme.theme import Theme
from callgate.ui.widgets.state_row import Index, StateRow, StateRowDelegate


# An endpoint as a row: its state, name and whether it is the default; below, its models.
def row_at(index: Index) -> StateRow | None:
    view = index.data(EndpointRole.VIEW)
    return row_of(view) if isinstance(view, EndpointView) else None


def row_of(view: EndpointView) -> StateRow:
    look = look_of(view)
    mark = "default" if view.is_default else ""
    return StateRow(view.name, look.icon, look.color, look.word, models_words(view), mark)


class EndpointList(QListView):
    """Delete removes, Enter edits, J and K walk."""

    selected = Signal(str)
    """An endpoint's name; empty = none."""
    remove_requested = Signal()
    edit_requested = Signal()
    menu_requested = Signal(QPoint)
    """Where, on the screen; the endpoint under it is selected by then."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = EndpointModel(self)
        self.setObjectName("endpointList")
        self.setAccessibleName("Endpoints")
        self.setModel(self.rows)
        self.setItemDelegate(StateRowDelegate(theme, row_at, self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.selectionModel().selectionChanged.connect(self._chosen)
        self.customContextMenuRequested.connect(self._menu)
        self.doubleClicked.connect(self.edit_requested)
        theme.changed.connect(self.viewport().update)

    @property
    def current(self) -> EndpointView | None:
        """The selected one: the keyboard's place alone means nothing, since Qt puts it somewhere by itself."""
        chosen = self.selectedIndexes()
        view = chosen[0].data(EndpointRole.VIEW) if chosen else None
        return view if isinstance(view, EndpointView) else None

    def set_views(self, views: tuple[EndpointView, ...]) -> None:
        """Who has endpoints sees the first of them; a newcomer sees how to get one."""
        self.rows.set_views(views)
        own = next((view for view in views if view.origin != "demo"), None)
        if self.current is None and own is not None:
            self.choose(own.name)

    def choose(self, name: str) -> bool:
        """False: there is none of that name."""
        row = self.rows.row_of(name)
        if row < 0:
            return False
        index = self.rows.index(row)
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Delete:
            self.remove_requested.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit_requested.emit()
        elif step is not None:
            index = self.rows.index(self.currentIndex().row() + step)
            if index.isValid():
                self.setCurrentIndex(index)
        else:
            super().keyPressEvent(event)

    def _chosen(self) -> None:
        current = self.current
        self.selected.emit(current.name if current is not None else "")

    def _menu(self, point: QPoint) -> None:
        index = self.indexAt(point)
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_requested.emit(self.viewport().mapToGlobal(point))
