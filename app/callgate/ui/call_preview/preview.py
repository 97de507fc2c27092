"""What a call would do, shown to the one who decides: a diff, the commands of a line, or where a request goes.

Explains the arguments and never stands in for them: whoever embeds it shows both. Fetches and runs nothing.
"""

from typing import Final, assert_never

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.preview import CommandPreview, DiffPreview, Preview, UrlPreview
from callgate.ui.call_preview.command_rows import CommandRows
from callgate.ui.call_preview.diff_rows import DiffRows
from callgate.ui.call_preview.row_text import RowText
from callgate.ui.call_preview.url_rows import UrlRows
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import ICON, XS, S, Theme

MOST_ROWS: Final = 14
"""Rows that one preview takes at most; past it it scrolls."""

_LARGE: Final = 200_000
"""Characters past which two texts are compared in a turn of the loop of their own."""

_Source = DiffRows | CommandRows | UrlRows


class CallPreview(QWidget):
    resized = Signal()
    """It wants another height now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, most_rows: int = MOST_ROWS) -> None:
        super().__init__(parent)
        self.setObjectName("callPreview")
        self._theme = theme
        self._most_rows = most_rows
        self._previews: tuple[Preview, ...] = ()
        self._made: list[PreviewSection] = []
        """Kept for the next call: making widgets takes longer than filling them."""
        self.sections: list[PreviewSection] = []
        """Those on show."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self.hide()

    def show_previews(self, previews: tuple[Preview, ...]) -> None:
        """All of them, one below the other; hidden where there are none. The same ones again change nothing."""
        if previews != self._previews:
            self._previews = previews
            while len(self._made) < len(previews):
                self._made.append(self._make())
            self.sections = self._made[: len(previews)]
            for section, preview in zip(self.sections, previews, strict=True):
                section.show_preview(preview)
            for section in self._made:
                section.setVisible(section in self.sections)
        self.setVisible(bool(previews))

    def _make(self) -> "PreviewSection":
        section = PreviewSection(self._theme, self._most_rows)
        section.text.loaded.connect(self.resized)
        self._column.addWidget(section)
        return section

    def fit(self, width: int) -> None:
        """Wants the height that it needs at a width that it may not have yet."""
        for section in self.sections:
            section.text.fit(width)


class PreviewSection(QFrame):
    """One preview under its heading."""

    def __init__(self, theme: Theme, most_rows: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: _Source | None = None
        self._icon_name = "file"
        self._icon = QLabel()
        self.heading = plain_label("", "strong", selectable=True, wrap=True)
        self.heading.setObjectName("previewHeading")
        self._counts = plain_label("", "hint")
        self._whole = QToolButton()
        self._whole.setObjectName("wholeFile")
        self._whole.setText("All lines")
        self._whole.setCheckable(True)
        self._whole.setToolTip("Show unchanged lines too")
        self._whole.toggled.connect(lambda _: self._show())
        self.text = RowText(theme, most_rows)
        self.text.setObjectName("previewText")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self._icon)
        head.addWidget(self.heading, 1)
        head.addWidget(self._counts)
        head.addWidget(self._whole)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self.text)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._fill)
        theme.changed.connect(self._draw)

    def show_preview(self, preview: Preview) -> None:
        self._source, self._icon_name = _source_of(preview)
        self.heading.setText(self._source.heading)
        self._whole.blockSignals(True)
        self._whole.setChecked(False)
        self._whole.blockSignals(False)
        self.text.setAccessibleName(self._source.heading)
        self._draw()
        if _is_large(preview):
            self._counts.clear()
            self._whole.hide()
            self.text.show_rows(())
            self._later.start()
        else:
            self._later.stop()
            self._fill()

    def _fill(self) -> None:
        source = self._source
        if source is not None:
            self._counts.setText(source.counts)
            self._whole.setVisible(isinstance(source, DiffRows) and source.can_unfold)
            self._show()

    @property
    def counts(self) -> str:
        return self._counts.text()

    def _show(self) -> None:
        source = self._source
        if source is None:
            return
        self.text.show_rows(
            source.rows(whole=self._whole.isChecked()) if isinstance(source, DiffRows) else source.rows()
        )

    def _draw(self) -> None:
        self._icon.setPixmap(self._theme.icon(self._icon_name).pixmap(ICON, ICON))


def _is_large(preview: Preview) -> bool:
    return isinstance(preview, DiffPreview) and len(preview.before) + len(preview.after) > _LARGE


def _source_of(preview: Preview) -> tuple[_Source, str]:
    match preview:
        case DiffPreview():
            return DiffRows(preview), "file"
        case CommandPreview():
            return CommandRows(preview), "terminal"
        case UrlPreview():
            return UrlRows(preview), "external"
        case _:
            assert_never(preview)
