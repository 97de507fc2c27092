"""Where the palette's entries come from: the window's actions, the gate and the theme, tools, conversations."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from callgate.core.gate_mode import GateMode
from callgate.engine.console.console import Console
from callgate.ui.palette.entry import Entry
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.time_format import ago
from callgate.ui.theme.theme import Mode, Theme

_OWN: Final = "commandPalette"
"""The action that opens the palette: of no use within it."""
_THEMES: Final[tuple[tuple[Mode, str], ...]] = (
    ("system", "Theme: as the system"),
    ("dark", "Theme: dark"),
    ("light", "Theme: light"),
)


def menu_entries(bar: QMenuBar) -> Iterable[Entry]:
    """Every action of every menu that can be used now."""
    # the menu of the whole program comes last: nobody opens the palette to quit
    for action in (*bar.actions()[1:], *bar.actions()[:1]):
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _of_menu(menu, _plain(action))
    yield from offered_entries(bar.window())


def offered_entries(window: QWidget) -> Iterable[Entry]:
    """What the panels offer: all that can be done now with what they show."""
    for offer in window.findChildren(PaletteEntry):
        if offer.is_there:
            key = f"{offer.kind} {offer.path} {offer.text()}"
            yield Entry(key, offer.kind, offer.title, offer.trigger, offer.path, offer.hint)


def _of_menu(menu: QMenu, path: str) -> Iterable[Entry]:
    for action in menu.actions():
        if action.isSeparator() or not action.isEnabled() or not action.isVisible() or action.objectName() == _OWN:
            continue
        within = action.menu()
        title = _plain(action)
        if isinstance(within, QMenu):
            yield from _of_menu(within, f"{path} › {title}")
            continue
        if action.isCheckable():
            title = f"{'Hide' if action.isChecked() else 'Show'} {title.lower()} pane"
        keys = action.shortcut().toString()
        yield Entry(f"action {path} {_plain(action)}", "action", title, action.trigger, path, keys)


def _plain(action: QAction) -> str:
    return action.text().partition("\t")[0].replace("&", "")


def setting_entries(
    console: Console, theme: Theme, set_theme: Callable[[Mode], None], observe: Callable[[], None]
) -> Iterable[Entry]:
    """`observe`: opening the gate needs a word of its own, so it only asks for it."""
    now = console.gate_mode.kind
    modes: Sequence[tuple[str, str, str, Callable[[], None]]] = (
        ("ask", "Gate: ask about everything", "nothing runs unasked", partial(console.set_gate_mode, GateMode("ask"))),
        ("rules", "Gate: decide by rules", "rules first, then you", partial(console.set_gate_mode, GateMode("rules"))),
        ("observe", "Gate: only observe", "everything runs but what a rule denies", observe),
    )
    for kind, title, detail, run in modes:
        yield Entry(f"gate {kind}", "setting", title, run, detail, icon="gate", checked=kind == now)
    for mode, title in _THEMES:
        chosen = theme.mode == mode
        yield Entry(f"theme {mode}", "setting", title, partial(set_theme, mode), icon="theme", checked=chosen)


def tool_entries(console: Console, show: Callable[[str], None]) -> Iterable[Entry]:
    for tool in console.tools():
        detail = f"{tool.source} · {tool.title}" if tool.title else tool.source
        yield Entry(f"tool {tool.name}", "tool", tool.name, partial(show, tool.name), detail)


async def conversation_entries(console: Console, show: Callable[[str], None]) -> Iterable[Entry]:
    now = time.time()
    return [
        Entry(
            f"conversation {summary.id}",
            "conversation",
            reveal(summary.shown_title) or "Untitled",
            partial(show, summary.id),
            f"{summary.agent} · {ago(summary.updated_at, now)}",
        )
        for summary in await console.conversations()
    ]
