"""Everything that menus and keys can do to the window, each once. Knows names and keys, not what they lead to."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from callgate.ui.shell.page import Page, Pane

_NO_KEYS: tuple[str, ...] = ()


class Actions(QObject):
    def __init__(self, parent: QObject, pages: Sequence[Page] = (), panes: Sequence[Pane] = ()) -> None:
        super().__init__(parent)
        self.new_conversation = self._action("newConversation", "New conversation", "Ctrl+N")
        self.open_file = self._action("openFile", "Open…", "Ctrl+O")
        self.export = self._action("exportConversations", "Export…", "Ctrl+Shift+E")
        self.add_source = self._action("addSource", "Add source (MCP server)…")
        self.import_sources = self._action("importSources", "Import MCP servers…")
        self.add_endpoint = self._action("addEndpoint", "Add endpoint (provider)…")
        self.quit = self._action("quit", "Quit", "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.focus_tools = self._action("focusTools", "Tools", "Ctrl+1")
        self.focus_conversations = self._action("focusConversations", "Conversations", "Ctrl+2")
        self.focus_conversation = self._action("focusConversation", "Conversation", "Ctrl+3")
        self.focus_approvals = self._action("focusApprovals", "Approvals", "Ctrl+4")
        self.palette = self._action("commandPalette", "Command palette", "Ctrl+K", "Ctrl+Shift+P")
        self.search_conversations = self._action("searchConversations", "Search conversations", "Ctrl+Shift+F")
        self.filter_tools = self._action("filterTools", "Filter tools", "Ctrl+F", "/")
        self.of_pages = {page.name: self._show(page) for page in pages}
        self.of_panes = {pane.name: self._show(pane) for pane in panes}
        self.switch_theme = self._action("switchTheme", "Switch between dark and light", "Ctrl+Shift+L")
        self.reset_layout = self._action("resetLayout", "Reset layout")
        # Escape is no shortcut: it would take the key from every field and card that has a use for it
        self.back = self._action("back", "Back\tEsc")

    def _action(self, name: str, text: str, *keys: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        action.setShortcuts([QKeySequence(key) for key in keys or _NO_KEYS])
        if keys:
            action.setToolTip(f"{text} ({keys[0]})")
        return action

    def _show(self, place: Page | Pane) -> QAction:
        keys = (place.shortcut,) if place.shortcut else _NO_KEYS
        return self._action(f"show{place.name.capitalize()}", place.title, *keys)

    def add_to_view(self, menu: QMenu) -> None:
        self._view.addMenu(menu)

    def fill(self, bar: QMenuBar, panes: list[QAction]) -> None:
        """Puts everything where people look for it; `panes` show and hide a pane each."""
        program = bar.addMenu("&Callgate")
        program.addAction(self.new_conversation)
        program.addSeparator()
        program.addActions([self.add_source, self.import_sources, self.add_endpoint])
        program.addSeparator()
        program.addActions([self.open_file, self.export])
        program.addSeparator()
        program.addAction(self.quit)
        go = bar.addMenu("&Go")
        go.addAction(self.palette)
        go.addSeparator()
        go.addActions([self.focus_tools, self.focus_conversations, self.focus_conversation, self.focus_approvals])
        go.addActions(list(self.of_panes.values()))
        go.addSeparator()
        go.addActions([self.search_conversations, self.filter_tools, self.back])
        self._view = view = bar.addMenu("&View")
        view.addActions(panes)
        view.addSeparator()
        view.addActions(list(self.of_pages.values()))
        view.addSeparator()
        view.addActions([self.reset_layout, self.switch_theme])
