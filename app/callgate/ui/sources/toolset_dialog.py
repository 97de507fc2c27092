"""The toolset editor: sets at the left, the members of one in the middle, all there is to drag over at the right."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from callgate.core.errors import UserFault
from callgate.core.tool import Tool
from callgate.engine.offer.toolset_service import DeclaredToolset, ToolsetService
from callgate.ui.sources.part_model import ROW_HEIGHT
from callgate.ui.sources.toolset_parts import MemberList, PartTree
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, plain_tip
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, L, M, S, Theme
from callgate.ui.widgets.undo_line import UndoLine

_SIZE: Final = (900, 580)
_SET: Final = Qt.ItemDataRole.UserRole + 1
_HINT: Final = (
    "A toolset is several tools under one name: #name in a message offers them all. Drag tools, whole sources or other "
    "sets into it; from the keyboard, Enter adds, Delete removes, Alt with the arrows moves."
)


class ToolsetDialog(QDialog):
    def __init__(
        self,
        service: ToolsetService,
        tools: Callable[[], tuple[Tool, ...]],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("toolsetEditor")
        self.setWindowTitle("Toolsets")
        self.setModal(False)
        self._service, self._tools, self._theme = service, tools, theme
        self._was = ""
        """The name of the set that is being changed; empty = it is a new one."""
        self._shown = DeclaredToolset("", ())
        self._build()
        self._arrange()
        self._connect()
        self.resize(*_SIZE)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.sets = QListWidget()
        self.sets.setObjectName("toolsetList")
        self.sets.setAccessibleName("Toolsets")
        self.sets.setProperty("lines", "roomy")
        self.sets.setFrameShape(QFrame.Shape.NoFrame)
        self.new = QPushButton("New set")
        self.new.setObjectName("toolsetNew")
        self.remove = QPushButton("Remove")
        self.remove.setObjectName("toolsetRemove")
        self.remove.setProperty("kind", "danger")
        self.name = _line("toolsetName", "Name of the set", "name")
        self.about = _line("toolsetAbout", "Description of the set", "What it is for (may be left empty)")
        self.members = MemberList(self._theme)
        self.take = QPushButton("Remove from set")
        self.take.setObjectName("toolsetTake")
        self.filter = _line("toolsetFilter", "Filter tools", "Filter tools…")
        self.filter.setClearButtonEnabled(True)
        self.parts = PartTree(self._theme)
        self.add = QPushButton("Add to set")
        self.add.setObjectName("toolsetAdd")
        self.said = plain_label("", "danger", wrap=True, selectable=True)
        self.said.setObjectName("toolsetSaid")
        self.where = plain_label("", "hint", wrap=True, selectable=True)
        self.save = QPushButton("Save")
        self.save.setObjectName("toolsetSave")
        self.save.setProperty("kind", "primary")
        self.close_ = QPushButton("Close")
        self.undo = UndoLine(self._theme)
        self.undo.hide()
        for button in (self.new, self.remove, self.take, self.add, self.save, self.close_):
            button.setAutoDefault(False)

    def _arrange(self) -> None:
        left, middle, right = _Pane(), _Pane(), _Pane()
        left.column.addWidget(plain_label("Sets", "strong"))
        left.column.addWidget(self.sets)
        left.column.addLayout(_row(self.new, self.remove))
        middle.column.addWidget(plain_label("Members", "strong"))
        middle.column.addWidget(self.name)
        middle.column.addWidget(self.about)
        middle.column.addWidget(self.members)
        middle.column.addLayout(_row(self.take))
        right.column.addWidget(plain_label("Tools and sets", "strong"))
        right.column.addWidget(self.filter)
        right.column.addWidget(self.parts)
        right.column.addLayout(_row(self.add))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for pane in (left, middle, right):
            split.addWidget(pane)
        split.setSizes([200, 340, 340])
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        told = QVBoxLayout()
        told.setSpacing(0)
        told.addWidget(self.said)
        told.addWidget(self.where)
        buttons.addLayout(told, 1)
        buttons.addWidget(self.close_)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(plain_label(_HINT, "secondary", wrap=True))
        column.addWidget(split, 1)
        column.addLayout(buttons)
        column.addWidget(self.undo)

    def _connect(self) -> None:
        self.sets.currentItemChanged.connect(self._choose)
        self.new.clicked.connect(self.start_new)
        self.remove.clicked.connect(self._remove)
        self.members.changed.connect(self._settle)
        self.take.clicked.connect(self.members.remove_chosen)
        self.name.textChanged.connect(self._settle)
        self.about.textChanged.connect(self._settle)
        self.filter.textChanged.connect(self.refresh_parts)
        self.parts.add_wanted.connect(self.members.add)
        self.add.clicked.connect(lambda: self.members.add(self.parts.chosen()))
        self.save.clicked.connect(self.save_set)
        self.close_.clicked.connect(self.close)
        QShortcut(QKeySequence.StandardKey.Save, self, self.save_set)

    # ---- what is shown ---------------------------------------------------------------------------------------------

    def refresh(self, choose: str = "") -> None:
        """Reads the sets again; what is being changed and was not saved stays."""
        declared = self._service.declared()
        wanted = choose or self._was
        self.sets.blockSignals(True)
        self.sets.clear()
        for one in declared:
            item = QListWidgetItem(reveal(one.name if one.editable else f"{one.name} (read only)"))
            item.setData(_SET, one.name)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            item.setToolTip(plain_tip(f"{one.description}\n{one.file}".strip()))
            self.sets.addItem(item)
            if one.name == wanted:
                self.sets.setCurrentItem(item)
        self.sets.blockSignals(False)
        self.refresh_parts()
        if choose or (not self._was and not self._is_changed):
            self._choose(self.sets.currentItem() or self.sets.item(0))
        notes = self._service.notes()
        if notes and not self.said.text():
            self.said.setText(reveal("\n".join(notes[:3])))

    def refresh_parts(self) -> None:
        sets = [one.name for one in self._service.declared() if one.name != self._was]
        self.parts.fill([tool for tool in self._tools() if not tool.private], sets, self.filter.text())

    def start_new(self) -> None:
        self._put_away()
        self.sets.blockSignals(True)
        self.sets.setCurrentRow(-1)
        self.sets.blockSignals(False)
        self._show(DeclaredToolset("", ()), "")
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, item: QListWidgetItem | None) -> None:
        name = str(item.data(_SET)) if item is not None else ""
        found = next((one for one in self._service.declared() if one.name == name), None)
        if found is not None and item is not None:
            self._put_away()
            self.sets.setCurrentItem(item)
            self._show(found, found.name)
        elif not self._was:
            self._show(DeclaredToolset("", ()), "")

    def _show(self, one: DeclaredToolset, was: str) -> None:
        self._shown, self._was = one, was
        for line, text in ((self.name, one.name), (self.about, one.description)):
            line.blockSignals(True)
            line.setText(text)
            line.blockSignals(False)
        self.members.show_members(one.members, self._known())
        for widget in (self.name, self.about, self.members, self.take, self.add, self.remove):
            widget.setEnabled(one.editable)
        self.remove.setEnabled(bool(was) and one.editable)
        self.where.setText(reveal(one.file if one.editable else f"{one.file} is not Callgate's file: change it there."))
        self.refresh_parts()
        self._settle()

    def _put_away(self) -> None:
        """What was not saved can be had back for a while."""
        if not self._is_changed or not self._shown.editable or not self.members.members:
            return
        shown, was, typed = self._shown, self._was, self._typed()
        name = typed.name or "a new set"
        self.undo.tell(f"Changes to {name} were not saved", lambda: self._take_up(shown, was, typed))

    def _take_up(self, shown: DeclaredToolset, was: str, typed: DeclaredToolset) -> None:
        self._show(shown, was)
        self.refresh()
        self.name.setText(typed.name)
        self.about.setText(typed.description)
        self.members.show_members(typed.members, self._known())
        self._settle()

    def _typed(self) -> DeclaredToolset:
        shown = self._shown
        name, about = self.name.text().strip(), self.about.text().strip()
        return DeclaredToolset(name, self.members.members, about, shown.icon, shown.file)

    def _known(self) -> frozenset[str]:
        names: set[str] = {one.name for one in self._service.declared()}
        for tool in self._tools():
            names |= {tool.name, tool.reference, f"{tool.source}/*", f"{tool.source}/{tool.name}"}
            names.add(f"{tool.source}/{tool.reference}")
        return frozenset(names)

    # ---- changing --------------------------------------------------------------------------------------------------

    @property
    def _is_changed(self) -> bool:
        shown = self._shown
        return (self.name.text().strip(), self.about.text().strip(), self.members.members) != (
            shown.name,
            shown.description,
            shown.members,
        )

    def _settle(self) -> None:
        self.said.setText("")
        ready = self._shown.editable and self._is_changed and bool(self.name.text().strip() and self.members.members)
        self.save.setEnabled(ready)

    def save_set(self) -> None:
        if not self.save.isEnabled():
            return
        fresh = self._typed()
        try:
            self._service.save(fresh, self._was)
        except UserFault as fault:
            self.said.setText(reveal(str(fault)))
            return
        self._shown, self._was = fresh, fresh.name
        self.refresh(fresh.name)

    def _remove(self) -> None:
        gone = self._shown
        try:
            self._service.remove(self._was)
        except UserFault as fault:
            self.said.setText(reveal(str(fault)))
            return
        self._was = ""
        self._show(DeclaredToolset("", ()), "")
        self.refresh()
        self.undo.tell(f"Removed: {gone.name}", lambda: self._bring_back(gone))

    def _bring_back(self, gone: DeclaredToolset) -> None:
        self._service.save(gone)
        self.refresh(gone.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _line(name: str, words: str, placeholder: str) -> QLineEdit:
    line = QLineEdit()
    line.setObjectName(name)
    line.setAccessibleName(words)
    line.setPlaceholderText(placeholder)
    return line


class _Pane(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(S, S, S, S)
        self.column.setSpacing(XS)
        as_pane(self)


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(S)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
