"""Rules from and to files of the person's choice. Knows paths and text; nothing of what rules are."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from callgate.core.errors import UserFault

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
