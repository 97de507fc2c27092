"""The colours and measures of the window. The only file that names a colour; knows nothing of Qt."""

from dataclasses import dataclass
from typing import Final

XS: Final = 4
S: Final = 8
M: Final = 12
L: Final = 16
XL: Final = 24
RADIUS: Final = 6
ICON: Final = 16

SMALL_SIZE: Final = 12
BODY_SIZE: Final = 13
HEADING_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class Tokens:
    """Hex colours by purpose; text colours have at least 4.5:1 on every ground."""

    canvas: str
    """The window."""
    surface: str
    """Panes."""
    raised: str
    """Cards."""
    border: str
    text: str
    text2: str
    text3: str
    accent: str
    """Focus, selection, links, arguments still forming."""
    waiting: str
    """Needs a person; the only colour that fills a card's edge."""
    executing: str
    completed: str
    released: str
    denied: str
    """Refused or failed."""
    cancelled: str


DARK: Final = Tokens(
    canvas="#14161A",
    surface="#1A1D23",
    raised="#21252D",
    border="#2D323C",
    text="#E6E8EC",
    text2="#A7AEBB",
    text3="#8A93A1",
    accent="#6EA8FE",
    waiting="#F5B84B",
    executing="#B48CFF",
    completed="#5CC98A",
    released="#4CC4C4",
    denied="#F2777A",
    cancelled="#8A93A3",
)
LIGHT: Final = Tokens(
    canvas="#F6F7F9",
    surface="#FFFFFF",
    raised="#FBFCFD",
    border="#D9DDE4",
    text="#1B1F26",
    text2="#525B6A",
    text3="#667085",
    accent="#1F6FEB",
    waiting="#8F5A00",
    executing="#6F42C1",
    completed="#1A7F4B",
    released="#0E7C7B",
    denied="#C62F3A",
    cancelled="#667085",
)
DARK_CONTRAST: Final = Tokens(
    canvas="#000000",
    surface="#050608",
    raised="#0D0F13",
    border="#8A93A1",
    text="#FFFFFF",
    text2="#E1E5EC",
    text3="#C9CFD9",
    accent="#9CC5FF",
    waiting="#FFD37A",
    executing="#D3BBFF",
    completed="#8CEBB4",
    released="#86EBEB",
    denied="#FFABAD",
    cancelled="#C9CFD9",
)
LIGHT_CONTRAST: Final = Tokens(
    canvas="#FFFFFF",
    surface="#FFFFFF",
    raised="#FFFFFF",
    border="#525B6A",
    text="#000000",
    text2="#1F252E",
    text3="#333B47",
    accent="#0A4BB5",
    waiting="#5C3900",
    executing="#4A2691",
    completed="#0C5430",
    released="#06504F",
    denied="#8F1520",
    cancelled="#333B47",
)
