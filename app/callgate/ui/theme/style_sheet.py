"""The one style sheet, built from the tokens. Knows how parts look, not which parts there are.

Widgets opt in by dynamic properties, set once when they are made:

    QPushButton   kind = primary | danger | quiet | search | waiting | hold | chip | alarm (none: plain, bordered)
    QToolButton   kind = primary | danger | bordered   (none: flat, shows its ground under the mouse)
    QLabel        tone = secondary | hint | heading | strong | danger | waiting | small | chip
    QFrame        card = true                          (raised ground, hairline, rounded)
    QFrame        notice = true                        (a line that comes and goes)
    QToolBar      stripe = true                        (under the bar at the top, while the gate is open)
    QListView     popup = true                         (choices that stand over a field)
    QTabWidget    tight = true                         (more tabs than a narrow pane has room for)
    any           pane = true                          (surface ground)
"""

from PySide6.QtGui import QColor

from callgate.ui.theme.tokens import BODY_SIZE, HEADING_SIZE, RADIUS, SMALL_SIZE, XS, L, M, S, Tokens


def style_sheet(tokens: Tokens) -> str:
    parts = (_grounds, _labels, _buttons, _marked_buttons, _fields, _lists, _bars, _docks, _scroll_bars, _tabs)
    return "\n".join(part(tokens) for part in parts)


def _mixed(over: str, under: str, share: float) -> str:
    a, b = QColor(over), QColor(under)
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return QColor(*(round(x * share + y * (1 - share)) for x, y in pairs)).name()


def _grounds(t: Tokens) -> str:
    return f"""
    QMainWindow, QDialog {{ background: {t.canvas}; color: {t.text}; }}
    *[pane="true"] {{ background: {t.surface}; }}
    QFrame[card="true"] {{ background: {t.raised}; border: 1px solid {t.border}; border-radius: {RADIUS}px; }}
    QFrame[line="true"] {{ background: {t.border}; border: none; }}
    QFrame[banner="true"] {{
        background: {_mixed(t.denied, t.surface, 0.12)};
        border: none; border-bottom: 1px solid {_mixed(t.denied, t.surface, 0.4)};
    }}
    QFrame[banner="good"] {{
        background: {_mixed(t.completed, t.surface, 0.12)};
        border: none; border-bottom: 1px solid {_mixed(t.completed, t.surface, 0.4)};
    }}
    QFrame[notice="true"] {{
        background: {_mixed(t.accent, t.surface, 0.10)};
        border: none; border-top: 1px solid {_mixed(t.accent, t.surface, 0.35)};
    }}
    QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.border}; padding: {XS}px {S}px; }}
    QSplitter::handle {{ background: {t.border}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QSplitter::handle:hover {{ background: {t.accent}; }}
    """


def _labels(t: Tokens) -> str:
    return f"""
    QLabel {{ background: transparent; }}
    QLabel[tone="secondary"] {{ color: {t.text2}; }}
    QLabel[tone="hint"] {{ color: {t.text3}; font-size: {SMALL_SIZE}px; }}
    QLabel[tone="heading"] {{ color: {t.text}; font-size: {HEADING_SIZE}px; font-weight: 600; }}
    QLabel[tone="strong"] {{ color: {t.text}; font-weight: 600; }}
    QLabel[tone="danger"] {{ color: {t.denied}; }}
    QLabel[tone="waiting"] {{ color: {t.waiting}; font-weight: 600; }}
    QLabel[tone="small"] {{ color: {t.text}; font-size: {SMALL_SIZE}px; }}
    QLabel[tone="chip"] {{
        color: {t.text2}; background: {t.raised}; border: 1px solid {t.border}; border-radius: {XS}px;
        padding: 0 {S - 2}px; font-size: {SMALL_SIZE}px; min-height: 18px;
    }}
    """


def _buttons(t: Tokens) -> str:
    hover = _mixed(t.text, t.raised, 0.08)
    pressed = _mixed(t.text, t.raised, 0.14)
    ghost = _mixed(t.text, t.surface, 0.08)
    on_accent = t.canvas if QColor(t.canvas).lightness() < 128 else t.surface
    return f"""
    QPushButton, QToolButton[kind="bordered"] {{
        background: {t.raised}; color: {t.text}; border: 1px solid {t.border}; border-radius: {RADIUS}px;
        padding: {XS}px {M}px; font-size: {BODY_SIZE}px; min-height: 18px;
    }}
    QPushButton:hover, QToolButton[kind="bordered"]:hover {{ background: {hover}; }}
    QPushButton:pressed, QToolButton[kind="bordered"]:pressed {{ background: {pressed}; }}
    QPushButton:focus, QToolButton:focus {{ border: 1px solid {t.accent}; }}
    QPushButton:disabled, QToolButton[kind="bordered"]:disabled {{ color: {t.text3}; background: {t.surface}; }}
    QPushButton[kind="primary"] {{
        background: {t.accent}; color: {on_accent}; border: 1px solid {t.accent}; font-weight: 600;
    }}
    QPushButton[kind="primary"]:hover {{ background: {_mixed(t.text, t.accent, 0.16)}; }}
    QPushButton[kind="primary"]:pressed {{ background: {_mixed(t.canvas, t.accent, 0.16)}; }}
    QPushButton[kind="primary"]:focus {{ border: 1px solid {t.text}; }}
    QPushButton[kind="primary"]:disabled {{
        background: {t.raised}; color: {t.text3}; border: 1px solid {t.border};
    }}
    QPushButton[kind="danger"] {{ color: {t.denied}; border: 1px solid {_mixed(t.denied, t.border, 0.45)}; }}
    QPushButton[kind="danger"]:hover {{ background: {_mixed(t.denied, t.raised, 0.16)}; }}
    QPushButton[kind="danger"]:disabled {{ color: {t.text3}; border: 1px solid {t.border}; }}
    QPushButton[kind="quiet"] {{ background: transparent; border: 1px solid transparent; color: {t.text2}; }}
    QPushButton[kind="quiet"]:hover {{ background: {ghost}; color: {t.text}; }}
    QPushButton[kind="quiet"]:focus {{ border: 1px solid {t.accent}; }}
    QPushButton[kind="address"] {{
        background: {t.surface}; border: 1px solid {t.border}; text-align: left; padding: {XS}px {S}px;

    }}
    QPushButton#proxyAddress {{ padding-right: {S + 16 + S}px; }}
    QPushButton#gateMode {{ padding-right: {XS + 16 + S}px; }}
    QPushButton[kind="address"]:hover {{ background: {hover}; }}
    QPushButton[kind="search"] {{
        background: {t.surface}; color: {t.text3}; text-align: left; padding: {XS}px {S}px;
    }}
    QPushButton[kind="search"]:hover {{ background: {hover}; color: {t.text2}; }}
    QPushButton[kind="waiting"] {{
        background: {_mixed(t.waiting, t.canvas, 0.14)}; color: {t.waiting};
        border: 1px solid {_mixed(t.waiting, t.canvas, 0.5)}; font-weight: 600;
    }}
    QPushButton[kind="waiting"]:hover {{ background: {_mixed(t.waiting, t.canvas, 0.24)}; }}
    QToolButton {{
        background: transparent; color: {t.text2}; border: 1px solid transparent; border-radius: {RADIUS}px;
        padding: {XS}px;
    }}
    QToolButton:hover {{ background: {ghost}; color: {t.text}; }}
    QToolButton:pressed, QToolButton:checked {{ background: {pressed}; color: {t.text}; }}
    QToolButton::menu-indicator {{ image: none; width: 0; }}
    """


def _marked_buttons(t: Tokens) -> str:
    """Buttons that say more than that they can be pressed."""
    on_alarm = t.canvas if QColor(t.canvas).lightness() < 128 else t.surface
    return f"""
    QPushButton[kind="hold"] {{
        background: {_mixed(t.waiting, t.raised, 0.16)}; color: {t.waiting};
        border: 1px solid {_mixed(t.waiting, t.raised, 0.7)}; font-weight: 600;
    }}
    QPushButton[kind="hold"]:hover {{ background: {_mixed(t.waiting, t.raised, 0.26)}; }}
    QPushButton[kind="hold"]:focus {{ border: 1px solid {t.accent}; }}
    QPushButton[kind="hold"]:disabled {{ background: {t.raised}; color: {t.text3}; border: 1px solid {t.border}; }}
    QPushButton[kind="chip"] {{
        background: transparent; color: {t.text3}; border: 1px solid {t.border}; border-radius: {XS}px;
        padding: 1px {S}px; font-size: {SMALL_SIZE}px;
    }}
    QPushButton[kind="chip"]:checked {{
        background: {_mixed(t.accent, t.raised, 0.16)}; color: {t.text};
        border: 1px solid {_mixed(t.accent, t.raised, 0.55)};
    }}
    QPushButton[kind="chip"]:hover {{ color: {t.text}; }}
    QPushButton[kind="chip"]:focus {{ border: 1px solid {t.accent}; }}
    QPushButton[kind="alarm"] {{
        background: {t.denied}; color: {on_alarm}; border: 1px solid {t.denied}; font-weight: 600;
        text-align: left; padding: {XS}px {S}px;
    }}
    QPushButton[kind="alarm"]:hover {{ background: {_mixed(t.text, t.denied, 0.14)}; }}
    QPushButton[kind="alarm"]:focus {{ border: 1px solid {t.text}; }}
    """


def _fields(t: Tokens) -> str:
    selection = _mixed(t.accent, t.surface, 0.35)
    return f"""
    QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QSpinBox {{
        background: {t.canvas}; color: {t.text}; border: 1px solid {t.border}; border-radius: {RADIUS}px;
        padding: {XS}px {S}px; selection-background-color: {selection}; selection-color: {t.text};
    }}
    QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus {{ border: 1px solid {t.accent}; }}
    QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"], QComboBox[wrong="true"] {{ border: 1px solid {t.denied}; }}
    QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled {{ color: {t.text3}; }}
    QLineEdit {{ min-height: 20px; }}
    QLineEdit[lens="true"] {{ padding-left: 0; }}
    QTextEdit[flat="true"], QPlainTextEdit[flat="true"], QTextBrowser[flat="true"] {{
        background: transparent; border: none; padding: 0;
    }}
    QComboBox::drop-down {{ border: none; width: {L}px; }}
    QComboBox QAbstractItemView {{ background: {t.raised}; border: 1px solid {t.border}; outline: 0; }}
    QCheckBox, QRadioButton {{ color: {t.text}; spacing: {S}px; }}
    QCheckBox::indicator:unchecked, QRadioButton::indicator:unchecked {{
        width: 12px; height: 12px; border: 1px solid {t.text3}; border-radius: 3px; background: {t.canvas};
    }}
    QRadioButton::indicator:unchecked {{ border-radius: 7px; }}
    """


def _lists(t: Tokens) -> str:
    selected = _mixed(t.accent, t.surface, 0.18)
    hover = _mixed(t.text, t.surface, 0.05)
    return f"""
    QAbstractItemView {{
        background: {t.surface}; color: {t.text}; border: none; outline: 0;
        selection-background-color: {selected}; selection-color: {t.text};
    }}
    QTreeView::item:hover, QListView::item:hover, QTableView::item:hover {{ background: {hover}; }}
    QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {{
        background: {selected}; color: {t.text};
    }}
    QListView[popup="true"] {{ background: {t.raised}; border: 1px solid {t.border}; }}
    QListView[popup="true"]::item {{ padding: {XS}px {S}px; }}
    QListView[lines="roomy"]::item {{ padding: 0 {S}px; }}
    QHeaderView {{ background: {t.surface}; }}
    QHeaderView::section {{
        background: {t.surface}; color: {t.text3}; border: none; border-bottom: 1px solid {t.border};
        padding: {XS}px {S}px; font-size: {SMALL_SIZE}px;
    }}
    """


def _bars(t: Tokens) -> str:
    hover = _mixed(t.text, t.raised, 0.1)
    return f"""
    QToolBar {{
        background: {t.canvas}; border: none; border-bottom: 1px solid {t.border};
        padding: {XS}px {S}px; spacing: {S}px;
    }}
    QToolBar[stripe="true"] {{ border-bottom: {XS}px solid {t.denied}; }}
    QMenuBar {{ background: {t.canvas}; color: {t.text2}; border: none; padding: 2px {XS}px; }}
    QMenuBar::item {{ background: transparent; padding: {XS}px {S}px; border-radius: {XS}px; }}
    QMenuBar::item:selected {{ background: {hover}; color: {t.text}; }}
    QMenu {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.border}; padding: {XS}px; }}
    QMenu::item {{ padding: {XS}px {L}px; border-radius: {XS}px; }}
    QMenu::item:selected {{ background: {hover}; }}
    QMenu::item:disabled {{ color: {t.text3}; }}
    QMenu::separator {{ height: 1px; background: {t.border}; margin: {XS}px; }}
    QStatusBar {{
        background: {t.canvas}; color: {t.text3}; border-top: 1px solid {t.border}; font-size: {SMALL_SIZE}px;
    }}
    QStatusBar::item {{ border: none; }}
    QStatusBar QLabel {{ color: {t.text3}; font-size: {SMALL_SIZE}px; padding: 0 {S}px; }}
    """


def _docks(t: Tokens) -> str:
    return f"""
    QMainWindow::separator {{ background: {t.border}; width: 1px; height: 1px; }}
    QMainWindow::separator:hover {{ background: {t.accent}; }}
    QDockWidget {{ color: {t.text2}; border: none; }}
    QDockWidget > QWidget {{ background: {t.surface}; }}
    """


def _scroll_bars(t: Tokens) -> str:
    handle = _mixed(t.text3, t.surface, 0.45)
    return f"""
    QScrollBar {{ background: transparent; border: none; margin: 0; }}
    QScrollBar:vertical {{ width: 10px; }}
    QScrollBar:horizontal {{ height: 10px; }}
    QScrollBar::handle {{ background: {handle}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 28px; }}
    QScrollBar::handle:horizontal {{ min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {t.text3}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QAbstractScrollArea::corner {{ background: transparent; }}
    """


def _tabs(t: Tokens) -> str:
    return f"""
    QTabWidget::pane {{ border: none; border-top: 1px solid {t.border}; }}
    QTabBar {{ background: transparent; qproperty-drawBase: 0; }}
    QTabBar::tab {{
        background: transparent; color: {t.text2}; border: none; border-bottom: 2px solid transparent;
        padding: {XS}px {M}px {XS}px {M}px; min-height: 20px;
    }}
    QTabWidget[tight="true"] QTabBar::tab {{ padding: {XS}px {S - 1}px; }}
    QTabBar::tab:hover {{ color: {t.text}; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QTabBar::tab:focus {{ color: {t.accent}; }}
    """
