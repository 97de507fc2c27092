"""The arguments of a call as a tree that grows while the model writes, with what is wrong with them beside each value.

Text that is no JSON object, or far too long for a tree, is shown as it came. What a person decides on is shown in full
elsewhere (`Asking`): this is for watching and looking back.
"""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from callgate.core.calls.argument_check import Complaint
from callgate.core.json.partial import PartialJson, Sketch
from callgate.ui.conversation.mono_text import MonoText
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.json_layout import is_json, laid_out, plain_lines
from callgate.ui.text.json_outline import ROW_HEIGHT, JsonOutline
from callgate.ui.text.json_tree import JsonTreeModel
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, Theme

AS_TREE: Final = 200_000
"""Letters up to which arguments are read anew with every frame."""
_LAID_OUT: Final = 60_000
"""Longer JSON is shown as it came: laying it out would hold up a frame."""


class CallArguments(QWidget):
    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = PartialJson()
        self._text = ""
        self._growing = False
        self._raw = False
        self._lines = 8
        self.sketch: Sketch | None = None
        """What the text says; None = it is no JSON."""
        self.tree = JsonOutline(theme, "Arguments", guest=True)
        self.tree.setObjectName("argumentTree")
        self.tree.setModel(JsonTreeModel(self.tree, spells=True))
        self.tree.grown.connect(self._grown)
        self.raw_text = MonoText(theme, wrap=True)
        self.raw_text.setAccessibleName("Arguments")
        self.wrong = plain_label(tone="danger", wrap=True, selectable=True)
        self.wrong.setObjectName("schemaErrors")
        for part in (self.tree, self.raw_text, self.wrong):
            part.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(XS)
        self._column.addWidget(self.tree)
        self._column.addWidget(self.raw_text)
        self._column.addWidget(self.wrong)

    @property
    def is_tree(self) -> bool:
        return not self.tree.isHidden()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see, or the empty object."""
        return self.tree.isHidden() and self.raw_text.isHidden() and self.wrong.isHidden()

    def show_text(self, text: str, *, growing: bool, raw: bool) -> None:
        if (text, growing, raw) == (self._text, self._growing, self._raw):
            return
        grew = self._growing and growing and bool(self._text) and text.startswith(self._text)
        self._text, self._growing, self._raw = text, growing, raw
        self._read(text)
        value = None if self.sketch is None else self.sketch.value
        tree = isinstance(value, dict) and not raw
        self.tree.setVisible(tree and bool(value))
        self.raw_text.setVisible(not tree and bool(text.strip()))
        if tree:
            self._show_tree(value, grew)
        elif raw and len(text) <= _LAID_OUT and is_json(text):
            self.raw_text.show_text("\n".join(laid_out(text)), "json")
        else:
            self.raw_text.show_text("\n".join(plain_lines(text)), "", growing=growing)

    def show_complaints(self, complaints: tuple[Complaint, ...]) -> None:
        """Beside the value where there is one in sight, else below."""
        by_path: dict[tuple[str | int, ...], str] = {}
        rest: list[str] = []
        for one in complaints:
            if one.path and self.is_tree:
                by_path.setdefault(one.path, one.message)
            else:
                where = ".".join(map(str, one.path))
                rest.append(f"{where}: {one.message}" if where else one.message)
        self.tree.json.set_complaints(by_path)
        self.wrong.setText(reveal("\n".join(f"⚠ {line}" for line in rest)))
        self.wrong.setVisible(bool(rest))
        self._tell_size()

    def set_lines(self, lines: int) -> None:
        self._lines = lines
        self.raw_text.set_bound(self.raw_text.height_of(lines))
        self._fit()

    def overflows(self, width: int, lines: int) -> bool:
        if self.is_tree:
            return self.tree.visible_rows(lines) > lines
        return not self.raw_text.isHidden() and self.raw_text.overflows(width, self.raw_text.height_of(lines))

    def _read(self, text: str) -> None:
        if len(text) > AS_TREE or text.lstrip()[:1] != "{":
            self.sketch = None
            return
        if not text.startswith(self._reader.text):
            self._reader = PartialJson()
        self._reader.feed(text[len(self._reader.text) :])
        self.sketch = self._reader.sketch()

    def _show_tree(self, value: object, grew: bool) -> None:
        assert isinstance(value, dict)
        self.tree.blockSignals(True)
        if grew:
            self.tree.json.update_value(value)
        else:
            self.tree.json.set_value(value)
        self.tree.open_small()
        self.tree.blockSignals(False)
        self._fit()
        if self._growing:
            bar = self.tree.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _fit(self) -> None:
        rows = max(1, min(self.tree.visible_rows(self._lines), self._lines))
        if self.tree.height() != rows * ROW_HEIGHT or self.tree.minimumHeight() != rows * ROW_HEIGHT:
            self.tree.setFixedHeight(rows * ROW_HEIGHT)
        self._tell_size()

    def _tell_size(self) -> None:
        """At once: the layout around would learn of it only with the next turn of the loop."""
        self._column.invalidate()
        self.updateGeometry()

    def _grown(self) -> None:
        self._fit()
        self.resized.emit()
