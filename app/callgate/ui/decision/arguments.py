"""The arguments of a call, all of them: what the person reads before deciding.

Laid out as JSON with hidden characters revealed, or raw, letter for letter. Nothing is cut, fetched or rendered. A
megabyte is taken in slices, so that the window goes on living; `seen` says when everything has been on the screen.
"""

import json
import time
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from callgate.core.messages import CallVariant
from callgate.ui.text.argument_text import ArgumentText
from callgate.ui.text.hidden_characters import MAX_SUSPECTS, Suspect, suspects
from callgate.ui.text.json_layout import doubled_keys, is_json, laid_out, plain_lines, spoken
from callgate.ui.text.json_view import JsonView
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.widgets.copy_button import CopyButton
from callgate.ui.widgets.view_choice import ViewChoice

_SLICE_S: Final = 0.008
"""Half a frame: what one turn of the loop may spend on a large text."""
_AT_ONCE: Final = 50_000
"""Characters that are begun with in the same turn in which they are given."""
_BATCH: Final = 16_000
"""Characters between two looks at the clock."""
_PER_LINE: Final = 30
"""What a line costs by itself, in characters."""
_DWELL_MS: Final = 150
"""How long the end must stay on the screen to count as seen: what else is shown of a call comes a moment later and may
take the room again. Shorter than it takes the buttons to arm, so nobody waits for it."""
_SEARCHED: Final = 16_000
"""Characters that are searched for suspects in one go."""


class ArgumentsView(QWidget):
    seen = Signal()
    """All of it has been shown for a moment: it is short, or it was scrolled to the end."""
    suspects_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, title: str = "Arguments") -> None:
        super().__init__(parent)
        self._theme = theme
        self._arguments: str | None = None
        self._variant: CallVariant = "function"
        self._suspects: list[Suspect] = []
        self._lines: Iterator[str] = iter(())
        self._search: Iterator[str] = iter(())
        self._unsearched: str | None = None
        """The next piece to search for suspects; None = all is searched."""
        self._loaded = True
        self._begun = True
        self._keys_unsearched = False
        self._end_wanted = False
        self._seen = False
        self.text = ArgumentText(theme)
        self.text.setObjectName("argumentsText")
        self.text.setAccessibleName(title)
        self.title = plain_label(title, "strong")
        self._size = plain_label("", "hint")
        self._raw = QToolButton()
        self._raw.setObjectName("rawToggle")
        self._raw.setText("Raw")
        self._raw.setCheckable(True)
        self._raw.setToolTip("Letter for letter as the model wrote it")
        self._raw.toggled.connect(lambda _: self._load())
        self.views = ViewChoice(("Text", "Tree"), f"{title}: how they are shown")
        self.views.chosen.connect(lambda _: self._turn())
        self.tree: JsonView | None = None
        self._copy = CopyButton(theme, lambda: self._arguments or "", "exactly what the model wrote")
        self._arrange()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self._dwell = QTimer(self)
        self._dwell.setSingleShot(True)
        self._dwell.setInterval(_DWELL_MS)
        self._dwell.timeout.connect(self._dwelt)
        bar = self.text.verticalScrollBar()
        bar.valueChanged.connect(lambda _: self._look())
        bar.rangeChanged.connect(lambda _low, _high: self._look())

    @property
    def is_seen(self) -> bool:
        return self._seen

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """What has been found so far; `suspects_changed` says when there is more."""
        return tuple(self._suspects)

    def show_arguments(self, arguments: str, variant: CallVariant = "function") -> None:
        """Showing the same text again changes nothing: the place of reading stays."""
        if arguments == self._arguments and variant == self._variant:
            return
        self._arguments, self._variant = arguments, variant
        self._seen = False
        self._dwell.stop()
        self._size.setText(_size(arguments))
        self._loaded = False
        self._unsearched = None
        self._keys_unsearched = False
        self._end_wanted = False
        self._suspects = []
        if len(arguments) <= _AT_ONCE:
            self._begin()
            return
        # even to look whether it is JSON takes its time: that is the next turn's
        self._begun = False
        self.text.start(structured=False)
        self._timer.start()

    def _begin(self) -> None:
        self._begun = True
        arguments, variant = self._arguments or "", self._variant
        self._raw.blockSignals(True)
        self._raw.setChecked(False)
        self._raw.blockSignals(False)
        structured = variant != "custom" and is_json(arguments)
        self._raw.setVisible(structured)
        self.views.setVisible(structured)
        self.views.choose("Text")
        self._suspects = []
        self._keys_unsearched = structured
        self._search = _chunks(spoken(arguments) if structured else iter((arguments,)))
        self._unsearched = ""
        self._load()

    def show_end(self) -> None:
        """Brings the last line into view."""
        self.views.choose("Text")
        self._end_wanted = True
        self._to_end()

    def _to_end(self) -> None:
        """As soon as the end is there: a megabyte takes a few turns."""
        if self._loaded and self._end_wanted:
            self._end_wanted = False
            bar = self.text.verticalScrollBar()
            bar.setValue(bar.maximum())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._look)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self.title)
        head.addWidget(self._size, 1)
        head.addWidget(self.views)
        head.addWidget(self._raw)
        head.addWidget(self._copy)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addWidget(self.text, 1)

    def _turn(self) -> None:
        """Text or tree: the same value, in the same room. Seen is what was seen as text: a tree hides its branches."""
        wanted = self.views.current == "Tree"
        if wanted and self.tree is None:
            self.tree = JsonView(self._theme, self.text.accessibleName())
            self.tree.setObjectName("argumentsTree")
            self._column.addWidget(self.tree, 1)
        if self.tree is None:
            return
        if wanted:
            self.tree.set_value(json.loads(self._arguments or "null"))
            self.tree.setMinimumHeight(self.text.height())
        self.text.setVisible(not wanted)
        self.tree.setVisible(wanted)
        self._raw.setEnabled(not wanted)

    def _load(self) -> None:
        arguments = self._arguments or ""
        structured = not self._raw.isHidden() and not self._raw.isChecked()
        self._lines = laid_out(arguments) if structured else plain_lines(arguments)
        self.text.start(structured)
        self._loaded = False
        if len(arguments) <= _AT_ONCE:
            self._go_on()
        if not self._loaded or self._searching:
            self._timer.start()

    @property
    def _searching(self) -> bool:
        left = self._unsearched is not None or self._keys_unsearched
        return left and len(self._suspects) < MAX_SUSPECTS

    def _go_on(self) -> None:
        """A slice of the work: lines first, then the search."""
        if not self._begun:
            self._begin()
            return
        until = time.monotonic() + _SLICE_S
        while not self._loaded and time.monotonic() < until:
            lines = _batch(self._lines)
            self.text.add(lines)
            self._loaded = not lines
        found = len(self._suspects)
        if self._loaded and self._keys_unsearched and time.monotonic() < until:
            self._keys_unsearched = False
            self._suspects.extend(_doubled(self._arguments or ""))
        while self._loaded and time.monotonic() < until and self._unsearched is not None and self._searching:
            self._suspects.extend(suspects(self._unsearched))
            del self._suspects[MAX_SUSPECTS:]
            self._unsearched = next(self._search, None)
        if len(self._suspects) != found:
            self.suspects_changed.emit()
        if self._loaded and not self._searching:
            self._timer.stop()
            self.text.updateGeometry()
        self._to_end()
        self._look()

    @property
    def _at_end(self) -> bool:
        bar = self.text.verticalScrollBar()
        return self._loaded and self.text.isVisible() and bar.value() >= bar.maximum()

    def _look(self) -> None:
        if not self._at_end:
            self._dwell.stop()
        elif not self._seen and not self._dwell.isActive():
            self._dwell.start()

    def _dwelt(self) -> None:
        """A window that is minimised or wholly covered shows nothing to anybody, whatever its widgets believe."""
        handle = self.window().windowHandle()
        if handle is not None and not handle.isExposed():
            self._dwell.start()
        elif self._at_end and not self._seen:
            self._seen = True
            self.seen.emit()


def _doubled(arguments: str) -> list[Suspect]:
    why = "stands twice in one object: programs differ in which value they take"
    return [Suspect(0, f"the key “{key}”", why) for key in doubled_keys(arguments)]


def _batch(lines: Iterator[str]) -> list[str]:
    taken: list[str] = []
    size = 0
    for line in lines:
        taken.append(line)
        size += len(line) + _PER_LINE
        if size >= _BATCH:
            break
    return taken


def _chunks(texts: Iterator[str]) -> Iterator[str]:
    """Texts joined or cut to a size that can be searched in one go; words at a cut are searched twice, not missed."""
    pile: list[str] = []
    size = 0
    for text in texts:
        if len(text) > _SEARCHED:
            yield from (text[max(0, start - 64) : start + _SEARCHED] for start in range(0, len(text), _SEARCHED))
            continue
        pile.append(text)
        size += len(text)
        if size > _SEARCHED:
            yield "\n".join(pile)
            pile, size = [], 0
    if pile:
        yield "\n".join(pile)


def _size(arguments: str) -> str:
    size = len(arguments.encode("utf-8", "surrogatepass"))
    if size < 1000:
        return ""
    return f"{size / 1000:,.0f} KB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"
