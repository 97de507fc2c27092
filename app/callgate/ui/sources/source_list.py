"""The list of sources with a filter over it. Changes nothing itself."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from callgate.engine.sources.source_service import SourceView
from callgate.ui.sources.list_model import SourceModel, SourceRole
from callgate.ui.sources.state_look import KIND_WORDS, STATE_LOOKS, TRANSPORT_WORDS, tool_words
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import M, S, Theme
from callgate.ui.widgets.state_row import Index, StateRow, StateRowDelegate


# A source as a row: its state, name and tools; below, how it is doing. Pure but for the index it reads.
def row_at(index: Index) -> StateRow | None:
    view = index.data(SourceRole.VIEW)
    return row_of(view) if isinstance(view, SourceView) else None


def row_of(view: SourceView) -> StateRow:
    look = STATE_LOOKS[view.state]
    kind = " · ".join(filter(None, (KIND_WORDS[view.kind], TRANSPORT_WORDS[view.transport])))
    return StateRow(
        view.name,
        look.icon,
        look.color,
        look.word,
        view.reason if view.state == "failed" else kind,
        tool_words(view.tools) if view.state == "ready" or view.tools else "",
        faded=view.state in ("off", "stopped"),
    )


class SourceListView(QListView):
    """Delete removes, J and K walk."""

    remove_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}.get(Qt.Key(event.key()))
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit()
        elif step is not None:
            index = self.model().index(self.currentIndex().row() + step, 0)
            if index.isValid():
                self.setCurrentIndex(index)
        else:
            super().keyPressEvent(event)


class SourceList(QWidget):
    selected = Signal(str)
    """A source's name; empty = none."""
    remove_requested = Signal()
    menu_requested = Signal(QPoint)
    """Where, on the screen; the source under it is selected by then."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = SourceModel(self)
        self._filter = _WordFilter(self)
        self._filter.setSourceModel(self.model)
        self.filter = QLineEdit()
        self.filter.setObjectName("sourceFilter")
        self.filter.setAccessibleName("Filter sources")
        self.filter.setPlaceholderText("Filter sources…")
        self.filter.setClearButtonEnabled(True)
        self.view = SourceListView()
        self.view.setObjectName("sourceList")
        self.view.setAccessibleName("Sources")
        self.view.setModel(self._filter)
        self.view.setItemDelegate(StateRowDelegate(theme, row_at, self.view))
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        framed = QVBoxLayout()
        framed.setContentsMargins(M, 0, M, 0)
        framed.addWidget(self.filter)
        column.addLayout(framed)
        self._nothing = plain_label("No source fits the filter.", "secondary", wrap=True)
        self._nothing.setContentsMargins(M, 0, M, 0)
        self._nothing.hide()
        column.addWidget(self._nothing)
        column.addWidget(self.view, 1)
        self.setFocusProxy(self.view)
        self.filter.textChanged.connect(self._narrow)
        self.view.selectionModel().selectionChanged.connect(self._chosen)
        self.view.remove_wanted.connect(self.remove_requested)
        self.view.customContextMenuRequested.connect(self._menu)
        theme.changed.connect(self.view.viewport().update)

    @property
    def current(self) -> SourceView | None:
        """The selected one: the keyboard's place alone means nothing, since Qt puts it somewhere by itself."""
        chosen = self.view.selectedIndexes()
        view = chosen[0].data(SourceRole.VIEW) if chosen else None
        return view if isinstance(view, SourceView) else None

    def set_views(self, views: tuple[SourceView, ...]) -> None:
        """Who has sources of their own sees the first of them; a newcomer sees how to get one."""
        self.model.set_views(views)
        own = next((view for view in views if view.origin in ("config", "added")), None)
        if self.current is None and own is not None and not self.filter.text():
            self.choose(own.name)

    def choose(self, name: str) -> bool:
        """False: there is none of that name."""
        row = self.model.row_of(name)
        if row < 0:
            return False
        index = self._filter.mapFromSource(self.model.index(row))
        if not index.isValid():
            self.filter.clear()
            index = self._filter.mapFromSource(self.model.index(row))
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        return True

    def _narrow(self, text: str) -> None:
        self._filter.set_words(text)
        self._nothing.setVisible(not self._filter.rowCount())

    def _chosen(self) -> None:
        current = self.current
        self.selected.emit(current.name if current is not None else "")

    def _menu(self, point: QPoint) -> None:
        index = self.view.indexAt(point)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.menu_requested.emit(self.view.viewport().mapToGlobal(point))


class _WordFilter(QSortFilterProxyModel):
    """Rows that hold every word."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()

    def set_words(self, text: str) -> None:
        self._words = tuple(text.casefold().split())
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        text = str(self.sourceModel().index(row, 0, parent).data(SourceRole.SEARCHED)).casefold()
        return all(word in text for word in self._words)
