"""The list of conversations: found, chosen, named, pinned and tagged; deleted with a few seconds to think again."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.catalog.prices import PriceTable
from callgate.core.conversation import ConversationSummary
from callgate.core.events import AgentsChanged, Event
from callgate.core.marks import Marks, read_name
from callgate.core.search.hit import SearchHit
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.conversation.list.menu import conversation_menu
from callgate.ui.conversation.list.model import ConversationListModel, Role, title_of
from callgate.ui.conversation.list.search_field import ConversationSearch
from callgate.ui.conversation.list.tags import TagField
from callgate.ui.conversation.list.undo import UNDO_MS, DeletedBar
from callgate.ui.conversation.list.view import ConversationList
from callgate.ui.shell.palette_entry import PaletteEntry
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import XS, M, S, Theme
from callgate.ui.widgets.empty_state import EmptyState

_REFRESH_MS: Final = 30_000
"""The smallest step of "2 min ago" is a minute."""
_GROUPING_KEY: Final = "conversations/grouping"
_FOLDED_KEY: Final = "conversations/folded"


class ConversationListPanel(QWidget):
    selected = Signal(str)
    """The person has chosen a conversation."""
    deleted = Signal(str)
    """A conversation has left the list; whoever shows it should stop."""
    restored = Signal(str)
    """A deleted one is back."""
    hit_requested = Signal(str, str)
    """A hit of a search was chosen: the conversation, and the words as they stand in it."""
    export_requested = Signal(tuple)
    """Ids of the conversations to export: tuple[str, ...]."""

    def __init__(
        self,
        console: Console,
        bridge: Bridge,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        settings: QSettings | None = None,
        undo_ms: int = UNDO_MS,
    ) -> None:
        super().__init__(parent)
        as_pane(self)
        self._console, self._bridge, self._theme, self._settings = console, bridge, theme, settings
        self.model = ConversationListModel(self, registered=console.agents.is_registered)
        self._early: list[Event] | None = []
        """What happened before the list was loaded; None = it is."""
        self._deleting = False
        self._announced = ""
        self._quiet = False
        """True: rows go for other reasons than that the person deletes them; nothing is chosen by that."""
        self.list = ConversationList(theme)
        self.list.setModel(self.model)
        self.search = ConversationSearch(console.archive, bridge, theme)
        self.grouping_button = _tool("conversationGrouping")
        self._empty = EmptyState(
            theme, "conversations", "No conversations yet", "Point an agent at Callgate, or write a message."
        )
        self._nothing = EmptyState(
            theme,
            "search",
            "Nothing found",
            "Every word has to be somewhere in the conversation. Fewer words find more.",
            "Clear search",
        )
        self._tags = TagField(theme, self)
        self._bar = DeletedBar(undo_ms)
        self.undo_button = self._bar.button
        self._stack = QStackedWidget()
        self._refresh = QTimer(self)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.start()
        self._build()
        self._restore()
        self._connect()

    def _build(self) -> None:
        for page in (self._empty, self._nothing, self.list):
            self._stack.addWidget(page)
        top = QHBoxLayout()
        top.setContentsMargins(S, 0, S, S - 2)
        top.setSpacing(XS)
        top.addWidget(self.search, 1)
        top.addWidget(self.grouping_button)
        foot = QVBoxLayout()
        foot.setContentsMargins(S, 0, S, 0)
        foot.addWidget(self._bar)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._stack, 1)
        column.addLayout(foot)
        column.addSpacing(S)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self._bridge.batch.connect(self.apply)
        self._bar.undone.connect(self._restore_deleted)
        self._bar.expired.connect(self._delete_for_good)
        self._refresh.timeout.connect(self.model.refresh_times)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.list.clicked.connect(self._clicked)
        self.list.asked.connect(self.do)
        self.list.fold_asked.connect(self._fold)
        self.list.customContextMenuRequested.connect(self._menu)
        self.search.found.connect(self._show_hits)
        self.search.left.connect(self._go_to_list)
        self.search.entered.connect(self._open_best)
        self._nothing.button.clicked.connect(self.search.clear)
        self.grouping_button.clicked.connect(self._switch_grouping)
        self._tags.accepted.connect(self._tag)
        self.model.renamed.connect(self._rename)
        self.model.rowsAboutToBeRemoved.connect(self._rows_go)
        for signal in (self.model.rowsInserted, self.model.rowsRemoved, self.model.modelReset):
            signal.connect(self._rows_came_or_went)
        self._theme.changed.connect(self._draw)
        self._draw()
        self._offer()
        QTimer.singleShot(0, self, self._start)  # the loop may not run yet while windows are built

    def _offer(self) -> None:
        """The verbs of the menu, for whoever looks for them by name."""

        def chosen() -> bool:
            return bool(self.list.selected_ids)

        for verb, text, keys in (
            ("rename", "Rename the conversation", "F2"),
            ("tag", "Tag the conversation", "Ctrl+T"),
            ("delete", "Delete the conversation", "Del"),
        ):
            PaletteEntry(self, "Conversations", text, partial(self.do, verb), hint=keys, when=chosen)
        PaletteEntry(
            self, "Conversations", "Pin the conversation", partial(self.do, "pin"), hint="Ctrl+P", when=chosen,
            words=lambda: f"{'Unpin' if self._all_pinned(self.list.selected_ids) else 'Pin'} the conversation",
        )  # fmt: skip
        PaletteEntry(
            self, "Conversations", "Group conversations", self._switch_grouping, kind="setting",
            words=lambda: f"Group conversations by {'agent' if self.model.grouping == 'day' else 'day'}",
        )  # fmt: skip

    def _start(self) -> None:
        self._bridge.start(self._load(), self, "loading conversations")

    async def _load(self) -> None:
        stored = await self._console.conversations()
        self._bridge.flush()
        early, self._early = self._early or [], None
        self.model.load(stored, early)

    def apply(self, batch: tuple[Event, ...]) -> None:
        if self._early is not None:
            self._early.extend(batch)
        else:
            self.model.apply(batch)
        if any(isinstance(event, AgentsChanged) for event in batch):
            self.list.viewport().update()  # a name may be marked as claimed now

    def set_prices(self, prices: PriceTable) -> None:
        self.model.set_prices(prices)

    def add(self, summaries: Sequence[ConversationSummary]) -> None:
        """Shows conversations that came from a file, and opens the first."""
        self.search.clear()
        self.model.add(summaries)
        if summaries:
            self.select("")
            self.list.go_to(self.model.index(self.model.row_of(summaries[0].id)))

    def select(self, conversation_id: str) -> None:
        """Marks a conversation as the one that is shown; does not announce it."""
        self._announced = conversation_id
        row = self.model.row_of(conversation_id)
        if row >= 0:
            self.list.go_to(self.model.index(row))
        else:
            self.list.selectionModel().clear()

    @property
    def current(self) -> str:
        return self.list.currentIndex().data(Role.ID) or ""

    # ---- finding ---------------------------------------------------------------------------------------------------

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _show_hits(self, hits: list[SearchHit] | None) -> None:
        if hits is None and not self.model.searching:
            return
        self.model.set_hits(hits)

    def _go_to_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.list.currentIndex().isValid():
            self._open_best()

    def _open_best(self) -> None:
        shown = self.model.shown_ids()
        if self.model.searching and shown:
            index = self.model.index(self.model.row_of(shown[0]))
            self.list.setCurrentIndex(index)
            self._clicked(index)

    # ---- choosing --------------------------------------------------------------------------------------------------

    def _chosen(self, index: QModelIndex) -> None:
        conversation_id = index.data(Role.ID) or ""
        if conversation_id and conversation_id != self._announced and not self._quiet:
            self._announced = conversation_id
            self.selected.emit(conversation_id)
            self._tell_hit(index)

    def _clicked(self, index: QModelIndex) -> None:
        """A click on what is open already leads to the hit again."""
        if (index.data(Role.ID) or "") == self._announced:
            self._tell_hit(index)
        else:
            self._chosen(index)

    def _tell_hit(self, index: QModelIndex) -> None:
        hit = index.data(Role.HIT)
        if isinstance(hit, SearchHit) and hit.snippet.first and hit.kind != "title":
            self.hit_requested.emit(hit.conversation_id, hit.snippet.first)

    # ---- doing -----------------------------------------------------------------------------------------------------

    def do(self, verb: str) -> None:
        """One of the verbs of `ConversationList.asked`, on what is selected."""
        chosen = self.list.selected_ids
        if not chosen:
            return
        match verb:
            case "open":
                self._clicked(self.list.currentIndex())
            case "rename":
                self.list.edit(self.model.index(self.model.row_of(chosen[0])))
            case "pin":
                self._pin(chosen)
            case "tag":
                self._ask_tags(chosen[0])
            case "export":
                self.export_requested.emit(tuple(chosen))
            case "delete":
                self.delete(*chosen)
            case _:
                raise ValueError(f"nothing is known of {verb!r}")

    def _marks(self, conversation_id: str) -> Marks:
        summary = self.model.summary(conversation_id)
        return summary.marks if summary is not None else Marks()

    def _all_pinned(self, chosen: list[str]) -> bool:
        return all(self._marks(known).pinned for known in chosen)

    def _pin(self, chosen: list[str]) -> None:
        """All of them, unless all are pinned already."""
        pinned = not self._all_pinned(chosen)
        for known in chosen:
            self._console.archive.mark(known, replace(self._marks(known), pinned=pinned))

    def _rename(self, conversation_id: str, text: str) -> None:
        summary = self.model.summary(conversation_id)
        name = read_name(text)
        if summary is None or name == summary.shown_title:
            return
        found = replace(summary, marks=Marks()).shown_title
        self._console.archive.mark(conversation_id, replace(summary.marks, name="" if name == found else name))

    def _ask_tags(self, conversation_id: str) -> None:
        box = self.list.visualRect(self.model.index(self.model.row_of(conversation_id)))
        place = self.list.viewport().mapToGlobal(QPoint(box.left() + M, box.bottom() - S))
        self._tags.ask(conversation_id, self._marks(conversation_id).tags, self.model.tags, place)

    def _tag(self, conversation_id: str, tags: tuple[str, ...]) -> None:
        self._console.archive.mark(conversation_id, replace(self._marks(conversation_id), tags=tuple(tags)))

    def _menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        if not index.data(Role.ID):
            return
        if index.data(Role.ID) not in self.list.selected_ids:
            self.list.setCurrentIndex(index)
        chosen = [summary for known in self.list.selected_ids if (summary := self.model.summary(known)) is not None]
        menu = conversation_menu(self, self._theme, chosen, self.model.tags)
        menu.asked.connect(self.do)
        menu.tag_switched.connect(self._switch_tag)
        menu.popup(self.list.viewport().mapToGlobal(point))

    def _switch_tag(self, tag: str, on: bool) -> None:
        for known in self.list.selected_ids:
            rest = tuple(other for other in self._marks(known).tags if other != tag)
            self._tag(known, (*rest, tag) if on else rest)

    # ---- deleting --------------------------------------------------------------------------------------------------

    def delete(self, *conversations: str) -> None:
        known = [summary for each in conversations if (summary := self.model.summary(each)) is not None]
        if not known:
            return
        leaving = [summary.id for summary in known]
        what = f"“{title_of(known[0])}”" if len(known) == 1 else f"{len(known)} conversations"
        self._bar.tell(f"Deleted {what}", leaving)
        if self._announced in leaving:
            self._announced = ""
        self._deleting = True
        for conversation_id in leaving:
            self._console.archive.delete(conversation_id)
            self.model.hide(conversation_id)
        self._deleting = False
        for conversation_id in leaving:
            self.deleted.emit(conversation_id)

    def undo(self) -> None:
        self._bar.undo()

    def _restore_deleted(self, leaving: tuple[str, ...]) -> None:
        for conversation_id in leaving:
            if self._console.archive.undelete(conversation_id):
                self.model.unhide(conversation_id)
                self.restored.emit(conversation_id)

    def _delete_for_good(self, leaving: tuple[str, ...]) -> None:
        for conversation_id in leaving:
            self._bridge.start(self._purge(conversation_id), self, "deleting a conversation")

    async def _purge(self, conversation_id: str) -> None:
        await self._console.archive.purge(conversation_id)
        self.model.forget(conversation_id)

    # ---- groups and pages ------------------------------------------------------------------------------------------

    def _switch_grouping(self) -> None:
        self.model.set_grouping("agent" if self.model.grouping == "day" else "day")
        if self._settings is not None:
            self._settings.setValue(_GROUPING_KEY, self.model.grouping)
        self._draw()

    def _fold(self, key: str) -> None:
        self.model.fold(key)
        if self._settings is not None:
            self._settings.setValue(_FOLDED_KEY, sorted(self.model.folded))

    def _restore(self) -> None:
        if self._settings is None:
            return
        if self._settings.value(_GROUPING_KEY) == "agent":
            self.model.set_grouping("agent")
        folded = self._settings.value(_FOLDED_KEY) or []
        self.model.set_folded([folded] if isinstance(folded, str) else [str(key) for key in folded])  # type: ignore[union-attr]

    def _rows_go(self) -> None:
        self._quiet = not self._deleting

    def _rows_came_or_went(self) -> None:
        self._quiet = False
        if self._announced and self.current != self._announced and self.model.row_of(self._announced) >= 0:
            self.select(self._announced)
        searching = self.model.searching
        nothing = self._nothing if searching else self._empty
        self._stack.setCurrentWidget(self.list if self.model.rowCount() else nothing)
        self.search.setEnabled(bool(self.model.count))

    def _draw(self) -> None:
        by_day = self.model.grouping == "day"
        self.grouping_button.setIcon(self._theme.icon("calendar" if by_day else "agent"))
        self.grouping_button.setIconSize(self._theme.icon_size)
        now, then = ("day", "agent") if by_day else ("agent", "day")
        self.grouping_button.setToolTip(f"Grouped by {now}; click to group by {then}")
        self.grouping_button.setAccessibleName(f"Grouped by {now}; group by {then}")


def _tool(name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    return button
