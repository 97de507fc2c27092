"""The look of the window, handed to every part of it: colours, fonts, icons, and how a state is shown.

Knows Qt and the tokens; knows no panel. Whoever draws asks here and listens to `changed`.
"""

from typing import Final, Literal

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from callgate.core.calls.invocation import Invocation
from callgate.ui.theme.glyph_icon import glyph_icon
from callgate.ui.theme.icons import ICONS
from callgate.ui.theme.state_look import look_of
from callgate.ui.theme.style_sheet import style_sheet
from callgate.ui.theme.tokens import (
    BODY_SIZE,
    DARK,
    DARK_CONTRAST,
    HEADING_SIZE,
    ICON,
    LIGHT,
    LIGHT_CONTRAST,
    RADIUS,
    SMALL_SIZE,
    XL,
    XS,
    L,
    M,
    S,
    Tokens,
)

__all__ = [
    "BODY_SIZE",
    "DARK",
    "DARK_CONTRAST",
    "HEADING_SIZE",
    "ICON",
    "LIGHT",
    "LIGHT_CONTRAST",
    "RADIUS",
    "SMALL_SIZE",
    "XL",
    "XS",
    "L",
    "M",
    "Mode",
    "S",
    "Theme",
    "Tokens",
    "mix",
]

Mode = Literal["system", "dark", "light"]

_UI_FAMILIES: Final = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Segoe UI", "DejaVu Sans")
_MONO_FAMILIES: Final = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "DejaVu Sans Mono",
    "Liberation Mono",
)
_NO_CHOICE: Final = frozenset({"sans serif", "sans-serif", "sans", "monospace", "courier", "courier new"})
"""Family names that mean that the desktop has not chosen a font."""


class Theme(QObject):
    changed = Signal()
    """The tokens are others now: repaint, and fetch icons again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mode: Mode = "system"
        self._contrast = False
        self._app: QApplication | None = None
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._ui_families = _families(QFontDatabase.SystemFont.GeneralFont, _UI_FAMILIES)
        self._mono_families = _families(QFontDatabase.SystemFont.FixedFont, _MONO_FAMILIES)
        self._follow_contrast()
        self._tokens = self._pick()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def tokens(self) -> Tokens:
        return self._tokens

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def is_dark(self) -> bool:
        return self._tokens in (DARK, DARK_CONTRAST)

    @property
    def high_contrast(self) -> bool:
        return self._contrast

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self._tell_platform()
        self._refresh()

    def set_high_contrast(self, contrast: bool) -> None:
        self._contrast = contrast
        self._refresh()

    def apply(self, app: QApplication) -> None:
        """Dresses the program, now and whenever the tokens change."""
        self._app = app
        app.setStyle(QStyleFactory.create("Fusion"))
        app.setFont(self.ui())
        self._tell_platform()
        self._dress()

    def color(self, name: str) -> QColor:
        """A colour by the name it has in `Tokens`."""
        return QColor(getattr(self._tokens, name))

    def icon(self, name: str, color: str = "text2") -> QIcon:
        """An icon by the name it has in `ICONS`, drawn in a colour of `Tokens`."""
        key = (name, getattr(self._tokens, color))
        if key not in self._icons:
            self._icons[key] = glyph_icon(ICONS[name], key[1], self._tokens.border)
        return self._icons[key]

    def state_word(self, invocation: Invocation) -> str:
        return look_of(invocation).word

    def state_color(self, invocation: Invocation) -> QColor:
        return self.color(look_of(invocation).color)

    def state_icon(self, invocation: Invocation) -> QIcon:
        look = look_of(invocation)
        return self.icon(look.icon, look.color)

    def ui(self, size: int = BODY_SIZE, bold: bool = False) -> QFont:
        font = QFont(self._ui_families)
        font.setPixelSize(size)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def mono(self, size: int = SMALL_SIZE) -> QFont:
        font = QFont(self._mono_families)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
        font.setPixelSize(size)
        return font

    @property
    def icon_size(self) -> QSize:
        return QSize(ICON, ICON)

    def _follow_contrast(self) -> None:
        style = QGuiApplication.styleHints()  # kept in a name: what it hands out dies with its Python wrapper
        if not hasattr(style, "accessibility"):
            return  # Qt before 6.10 does not say
        hints = style.accessibility()
        self._contrast = hints.contrastPreference() == Qt.ContrastPreference.HighContrast
        hints.contrastPreferenceChanged.connect(self._contrast_changed)

    def _contrast_changed(self, preference: "Qt.ContrastPreference") -> None:
        self.set_high_contrast(preference == Qt.ContrastPreference.HighContrast)

    def _tell_platform(self) -> None:
        """Title bars and native menus belong to the platform: they follow only if it is told."""
        if self._app is None:
            return
        scheme = {"dark": Qt.ColorScheme.Dark, "light": Qt.ColorScheme.Light, "system": Qt.ColorScheme.Unknown}
        QGuiApplication.styleHints().setColorScheme(scheme[self._mode])

    def _follow_system(self) -> None:
        if self._mode == "system":
            self._refresh()

    def _refresh(self) -> None:
        before, self._tokens = self._tokens, self._pick()
        if self._tokens == before:
            return
        if self._app is not None:
            self._dress()
        self.changed.emit()

    def _pick(self) -> Tokens:
        scheme = QGuiApplication.styleHints().colorScheme()
        light = self._mode == "light" or (self._mode == "system" and scheme == Qt.ColorScheme.Light)
        if self._contrast:
            return LIGHT_CONTRAST if light else DARK_CONTRAST
        return LIGHT if light else DARK

    def _dress(self) -> None:
        if self._app is None:
            return
        self._app.setPalette(_palette(self._tokens))
        # Qt dresses from nothing four times as fast as it changes clothes (0.24 s against 1.1 s with 2,300 widgets):
        # exchanging one sheet for another makes every layout be reckoned again, once for each widget in it
        self._app.setStyleSheet("")
        self._app.setStyleSheet(style_sheet(self._tokens))


def mix(over: QColor, under: QColor, share: float) -> QColor:
    """`share` of one colour over another, opaque: tints that stay right on any ground."""
    return QColor.fromRgbF(
        over.redF() * share + under.redF() * (1 - share),
        over.greenF() * share + under.greenF() * (1 - share),
        over.blueF() * share + under.blueF() * (1 - share),
    )


def _families(kind: QFontDatabase.SystemFont, preferred: tuple[str, ...]) -> list[str]:
    """The desktop's own font where it chose one, else the best that is installed."""
    chosen = QFontDatabase.systemFont(kind).family()
    installed = set(QFontDatabase.families())
    best = [family for family in preferred if family in installed]
    if chosen.lower() in _NO_CHOICE:
        return [*best, chosen]
    return [chosen, *best]


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    tint = mix(QColor(tokens.accent), QColor(tokens.surface), 0.24)
    for which, color in (
        (role.Window, tokens.canvas),
        (role.WindowText, tokens.text),
        (role.Base, tokens.surface),
        (role.AlternateBase, tokens.raised),
        (role.Text, tokens.text),
        (role.PlaceholderText, tokens.text3),
        (role.Button, tokens.raised),
        (role.ButtonText, tokens.text),
        (role.BrightText, tokens.denied),
        (role.ToolTipBase, tokens.raised),
        (role.ToolTipText, tokens.text),
        (role.Highlight, tint.name()),
        (role.HighlightedText, tokens.text),
        (role.Link, tokens.accent),
        (role.LinkVisited, tokens.accent),
        (role.Light, tokens.raised),
        (role.Midlight, tokens.border),
        (role.Mid, tokens.border),
        (role.Dark, tokens.border),
        (role.Shadow, tokens.canvas),
        (role.Accent, tokens.accent),
    ):
        palette.setColor(which, QColor(color))
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(tokens.text3))
    return palette
