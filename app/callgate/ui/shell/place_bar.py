"""Small buttons for the places of the window that are not always in sight: pressed while theirs is."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from callgate.ui.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    title: str
    icon: str
    """By the name it has in `ICONS`."""
    shortcut: str = ""


class PlaceBar(QWidget):
    asked = Signal(str)
    """A place is to be shown, or left where it is shown already: its name."""

    def __init__(self, theme: Theme, places: tuple[Place, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("places")
        self.setAccessibleName("Places of the window")
        self._theme, self._places = theme, places
        self._buttons = {place.name: self._button(place) for place in places}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in self._buttons.values():
            row.addWidget(button)
        theme.changed.connect(self._redraw)
        self._redraw()

    def set_shown(self, name: str, shown: bool) -> None:
        if name in self._buttons:
            self._buttons[name].setChecked(shown)
            self._redraw()

    def _button(self, place: Place) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"place{place.name.capitalize()}")
        button.setAccessibleName(place.title)
        button.setToolTip(f"{place.title} ({place.shortcut})" if place.shortcut else place.title)
        button.setIconSize(self._theme.icon_size)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has a shortcut for each
        # pressed means shown, and only the window knows what it shows
        button.clicked.connect(lambda checked: button.setChecked(not checked))
        button.clicked.connect(lambda: self.asked.emit(place.name))
        return button

    def _redraw(self) -> None:
        for place in self._places:
            button = self._buttons[place.name]
            button.setIcon(self._theme.icon(place.icon, "accent" if button.isChecked() else "text2"))
