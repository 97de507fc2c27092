"""One changed file in the review: what it would allow, each with its text before and after."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from callgate.core.calls.preview import DiffPreview
from callgate.core.config.widening import FileChange, Widening
from callgate.ui.call_preview.diff_rows import DiffRows
from callgate.ui.call_preview.row_text import RowText
from callgate.ui.changed_files.notice import file_name
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label, set_plain_tip
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.widgets.tick_box import TickBox

_MOST_ROWS = 8


class WideningRow(QFrame):
    """One thing to accept or not."""

    def __init__(self, widening: Widening, theme: Theme) -> None:
        super().__init__()
        self.widening = widening
        self.box = TickBox(theme)
        self.box.setObjectName("acceptWidening")
        self.box.setAccessibleName(widening.words)
        self.box.setChecked(True)
        words = plain_label(reveal(f"{widening.words}."), wrap=True, selectable=True)
        self.text = RowText(theme, _MOST_ROWS)
        self.text.setObjectName("wideningText")
        self.text.setAccessibleName(f"{widening.words}: before and after")
        self.text.show_rows(DiffRows(DiffPreview(widening.what, widening.old, widening.new)).rows())
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self.box)
        head.addWidget(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self.text)


class FileSection(QFrame):
    changed = Signal()
    """Other things are chosen now."""
    put_back_wanted = Signal(str)

    def __init__(self, change: FileChange, theme: Theme) -> None:
        super().__init__()
        self.change = change
        self.setProperty("card", True)
        self.rows = [WideningRow(widening, theme) for widening in change.widenings]
        name = plain_label(reveal(file_name(change.file)), "strong")
        path = plain_label(reveal(change.path), "hint", selectable=True, wrap=True)
        self.put_back = QPushButton("Put back")
        self.put_back.setObjectName("putBack")
        self.put_back.setAccessibleName(f"Put back {file_name(change.file)}")
        self.put_back.setProperty("kind", "quiet")
        self.put_back.setAutoDefault(False)
        set_plain_tip(self.put_back, "Restore the file as it was accepted last. The changed one is kept as .rejected.")
        self.put_back.clicked.connect(partial(self.put_back_wanted.emit, change.file))
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(name, 1)
        head.addWidget(self.put_back)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, M)
        column.setSpacing(S)
        column.addLayout(head)
        column.addWidget(path)
        for row in self.rows:
            column.addWidget(row)
            row.box.toggled.connect(lambda _: self.changed.emit())

    @property
    def chosen(self) -> list[Widening]:
        return [row.widening for row in self.rows if row.box.isChecked()]
