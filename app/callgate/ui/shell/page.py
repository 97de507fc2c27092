"""What can be added to the window beside its main parts: a page over the whole centre, or a pane at the edge."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtWidgets import QWidget

Area = Literal["bottom", "right"]


@dataclass(frozen=True, slots=True)
class Page:
    """Takes the place of the conversation until it is left."""

    name: str
    """Lower case; its action is called `showName`."""
    title: str
    widget: QWidget | Callable[[], QWidget]
    """One that is only made when it is called is made when the page is first shown."""
    shortcut: str = ""
    icon: str = ""
    """Of its button in the bar at the top; none = it is found in the menu only."""
    pane: str = ""
    """The pane that it is the wide form of: the button of that one stands for both."""


@dataclass(frozen=True, slots=True)
class Pane:
    """Hidden until it is asked for; its dock is called `nameDock`, so that its place is remembered."""

    name: str
    title: str
    widget: QWidget
    area: Area
    size: int
    """How high at the bottom, or how wide at the right."""
    shortcut: str = ""
    icon: str = ""
