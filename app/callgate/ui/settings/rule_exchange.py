"""Rules in and out: the menu that offers it, and what happens when it is chosen. Knows files and the clipboard."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from callgate.core.calls.invocation import GrantScope
from callgate.core.errors import UserFault
from callgate.engine.console.console import Console
from callgate.engine.console.rule_service import ImportPlan
from callgate.ui.settings.import_panel import ImportPanel
from callgate.ui.theme.theme import Theme

# Rules from and to files of the person's choice. Knows paths and text; nothing of what rules are.
MOST_READ: Final = 5_000_000
"""Bytes: no settings file is larger, and it is read while the window waits."""


def ask_to_read(parent: QWidget, use: Callable[[Path], None]) -> QFileDialog:
    """Lets the person choose a file; not modal."""
    dialog = QFileDialog(parent, "Import rules", "", "Settings (*.json *.jsonc *.toml);;All files (*)")
    dialog.setObjectName("importFile")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _opened(dialog, use)


def ask_to_write(parent: QWidget, use: Callable[[Path], None]) -> QFileDialog:
    dialog = QFileDialog(parent, "Save rules", "callgate-rules.toml", "TOML (*.toml);;All files (*)")
    dialog.setObjectName("exportFile")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    return _opened(dialog, use)


def read_text(path: Path) -> str:
    """Raises `UserFault`."""
    try:
        if path.stat().st_size > MOST_READ:
            raise UserFault(f"{path.name} is too large to be a file of rules.")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserFault(f"{path} can't be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise UserFault(f"{path} can't be read: it is not UTF-8 text.") from error


def write_text(path: Path, text: str) -> None:
    """Raises `UserFault`."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise UserFault(f"{path} can't be written: {error.strerror or error}.") from error


def _opened(dialog: QFileDialog, use: Callable[[Path], None]) -> QFileDialog:
    dialog.setModal(False)
    dialog.fileSelected.connect(lambda chosen: use(Path(chosen)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.show()
    return dialog


class RuleMenu(QPushButton):
    import_chosen = Signal()
    copy_chosen = Signal()
    save_chosen = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Import, export…", parent)
        self.setObjectName("ruleExchange")
        self.setAccessibleName("Import and export rules")
        self.setAutoDefault(False)
        self._theme = theme
        self.choices = QMenu(self)
        self.choices.addAction("Import rules…", self.import_chosen.emit).setToolTip("Claude Code, VS Code, Zed")
        self.choices.addSeparator()
        self.choices.addAction("Copy all rules", self.copy_chosen.emit)
        self.choices.addAction("Save all rules to a file…", self.save_chosen.emit)
        self.clicked.connect(lambda: self.choices.popup(self.mapToGlobal(QPoint(0, self.height()))))
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setIcon(self._theme.icon("export"))


class RuleExchange(QObject):
    """Stands between the menu, the panel and the engine; lives as long as the page."""

    opened = Signal(bool)
    """The panel for importing came up, or went away."""

    def __init__(
        self, page: QWidget, console: Console, panel: ImportPanel, menu: RuleMenu, tell: Callable[[str], None]
    ) -> None:
        """`tell`: says one line about what was done."""
        super().__init__(page)
        self._page, self._console, self._panel, self._tell = page, console, panel, tell
        menu.import_chosen.connect(self._open)
        menu.copy_chosen.connect(self._copy)
        menu.save_chosen.connect(lambda: ask_to_write(self._page, self._write))
        panel.file_wanted.connect(lambda: ask_to_read(self._page, self._read))
        panel.cancelled.connect(self._leave)
        panel.taken.connect(self._take)

    def _open(self) -> None:
        self.opened.emit(True)
        self._panel.open()

    def _leave(self) -> None:
        self._panel.hide()
        self.opened.emit(False)

    def _read(self, path: Path) -> None:
        try:
            self._panel.show_text(read_text(path))
        except UserFault as fault:
            self._panel.tell(str(fault))

    def _take(self, plan: ImportPlan, scope: GrantScope) -> None:
        try:
            taken = self._console.rule_service.take_import(plan, scope)
        except UserFault as fault:
            self._panel.tell(str(fault))
            return
        self._leave()
        known = len(plan.rules) - len(taken)
        already = f"; {known} held already" if known else ""
        self._tell(f"{len(taken)} rules from {plan.program} were saved{already}.")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._console.rule_service.export())
        self._tell("All rules were copied, as they are written in a configuration file.")

    def _write(self, path: Path) -> None:
        try:
            write_text(path, self._console.rule_service.export())
        except UserFault as fault:
            self._tell(str(fault))
        else:
            self._tell(f"All rules were saved to {path}.")
