"""Trying a tool by hand: arguments from a form, a real call through the gate, what came of it, and what to keep.

Talks to the console's tries; follows the call on the bridge, as every view does.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSplitter, QTabWidget, QToolButton, QVBoxLayout, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.catalog.tool_example import ToolExample
from callgate.core.errors import UserFault
from callgate.core.events import Event, InvocationChanged, ToolOutput, ToolsChanged
from callgate.core.messages import Json
from callgate.core.schema.form_value import UnreadableJson, read_json, same, spelled
from callgate.core.tool import Tool
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.kept_icon import keep_icon
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import S, Theme
from callgate.ui.tools.try_it.editor import TryEditor
from callgate.ui.tools.try_it.progress import TryProgress
from callgate.ui.tools.try_it.saved_trials import SavedExamples, SavedTrials
from callgate.ui.tools.try_it.separate_window import Roomy
from callgate.ui.tools.try_it.snippets import Call, as_curl, as_json, as_mcp, as_openai
from callgate.ui.widgets.undo_line import UndoLine

_WAYS: Final[tuple[tuple[str, str, Callable[[Call], str]], ...]] = (
    ("JSON", "copyJson", as_json),
    ("curl", "copyCurl", as_curl),
    ("Python with openai", "copyOpenai", as_openai),
    ("Python with mcp", "copyMcp", as_mcp),
)


class CopyAs(QPushButton):
    """A button that copies the call of a tool for another program. Knows the ways to spell it; asks for the call."""

    copied = Signal(str)
    """What it was copied as, in words."""

    def __init__(self, theme: Theme, call: Callable[[], Call | None], parent: QWidget | None = None) -> None:
        """`call`: asked at the click; None = there is nothing to copy."""
        super().__init__("Copy as", parent)
        self.setObjectName("copyTry")
        self.setAccessibleName("Copy the call for another program")
        self.setProperty("kind", "quiet")
        keep_icon(self, theme, "copy")
        self._call = call
        self.ways = QMenu(self)
        for word, name, spell in _WAYS:
            self.ways.addAction(word, lambda w=word, s=spell: self._copy(w, s)).setObjectName(name)
        self.clicked.connect(lambda: self.ways.popup(self.mapToGlobal(QPoint(0, self.height()))))

    def _copy(self, word: str, spell: Callable[[Call], str]) -> None:
        call = self._call()
        if call is not None:
            QGuiApplication.clipboard().setText(spell(call))
            self.copied.emit(word)


# What lies on the table for each tool that is being tried: arguments, the last call, what it said. No widgets.
ToolKey = tuple[str, str]


def key_of(tool: Tool) -> ToolKey:
    """A tool keeps its bench while its definition changes."""
    return tool.source, tool.name


@dataclass(slots=True)
class TrialState:
    """It is there again when one comes back to the tool."""

    arguments: Json | None = None
    unreadable: str = ""
    """JSON that was typed and can't be read."""
    invocation_id: str = ""
    invocation: Invocation | None = None
    said: list[ToolOutput] = field(default_factory=list[ToolOutput])
    fault: str = ""
    """Why the last try did not even begin."""
    running: bool = False

    def begin(self) -> None:
        """A new try; the last one is cleared away."""
        self.running, self.invocation_id, self.invocation, self.fault = True, "", None, ""
        self.said.clear()

    def told(self, invocation_id: str) -> None:
        self.invocation_id = invocation_id


class TrialStates:
    def __init__(self) -> None:
        self._benches: dict[ToolKey, TrialState] = {}

    def of(self, tool: Tool) -> TrialState:
        return self._benches.setdefault(key_of(tool), TrialState())

    def apply(self, event: InvocationChanged | ToolOutput) -> TrialState | None:
        """The bench that an event belongs to, with the event on it."""
        changed = isinstance(event, InvocationChanged)
        invocation_id = event.invocation.id if changed else event.invocation_id
        bench = next((one for one in self._benches.values() if one.invocation_id == invocation_id), None)
        if bench is not None:
            if changed:
                bench.invocation = event.invocation
            else:
                bench.said.append(event)
        return bench


_RESULT, _TRIES, _EXAMPLES = 0, 1, 2
_RESULT_SHARE: Final = 0.42


class TryIt(QWidget):
    def __init__(self, console: Console, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tryIt")
        self.setAccessibleName("Try the tool")
        self._console, self._bridge, self._theme = console, bridge, theme
        self._tool: Tool | None = None
        self._benches = TrialStates()
        self._placed = False
        """Whether the person has moved the line between arguments and result."""
        self.editor = TryEditor(theme)
        self.editor.changed.connect(self._edited)
        self.progress = TryProgress(theme)
        self.tries = SavedTrials(theme)
        self.examples = SavedExamples(theme)
        self.tries.used.connect(self._use)
        self.tries.wanted.connect(self._show_try)
        self.examples.used.connect(self._use)
        self.examples.saved.connect(self._save)
        self.examples.deleted.connect(self._delete)
        self.undo = UndoLine(theme)
        self.hint = plain_label("", "hint", wrap=True)
        self.hint.setObjectName("tryHint")
        self.room = Roomy(self._build(), theme)
        self.room.moved.connect(lambda: self.out.setVisible(not self.room.is_out))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.room)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self._page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self._run)
        bridge.batch.connect(self._apply)
        self.setEnabled(False)

    @property
    def tool(self) -> Tool | None:
        return self._tool

    def show_tool(self, tool: Tool | None) -> None:
        """The tool to try; what was typed for another one is kept for when it is shown again."""
        if tool is not None and self._tool is not None and key_of(tool) == key_of(self._tool):
            changed, self._tool = tool.schema != self._tool.schema, tool
            if changed:
                self.editor.show_schema(tool.schema, self.editor.arguments())
            self._refresh()
            return
        if self._tool is not None:
            self._bench.arguments, self._bench.unreadable = self.editor.arguments(), self.editor.unreadable_text
        self._tool = tool
        self.setEnabled(tool is not None)
        self.undo.leave()
        if tool is None:
            return
        self.editor.show_schema(tool.schema, self._bench.arguments)
        if self._bench.unreadable:
            self.editor.show_unreadable(self._bench.unreadable)
        self._show_bench()
        self.room.set_title(self._title())
        self.tabs.setCurrentIndex(_RESULT)
        self._show_examples()
        self.tries.show_tries(())
        self._bridge.start(self._load_tries(tool), self, "tries of a tool")

    @property
    def _bench(self) -> TrialState:
        assert self._tool is not None
        return self._benches.of(self._tool)

    # ---- running ----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        if self._tool is None or self._bench.running or not self.run.isEnabled():
            return
        if self.editor.problems():
            self.editor.show_first_problem()
            self._refresh(tried=True)
            return
        bench = self._bench
        bench.begin()
        self.progress.clear()
        self.tabs.setCurrentIndex(_RESULT)
        self._make_room()
        self._refresh()
        self._bridge.start(self._call(self._tool, self.editor.text(), bench), self, "a try")

    async def _call(self, tool: Tool, arguments: str, bench: TrialState) -> None:
        try:
            await self._console.tries.run(tool, arguments, bench.told)
        except UserFault as fault:
            bench.fault = str(fault)
        finally:
            bench.running = False
        self._bridge.flush()  # the last state of the call may still be queued
        if self._tool is not None and self._bench is bench:
            self._show_bench()
        await self._load_tries(tool)

    def _cancel(self) -> None:
        if self._tool is not None and self._bench.invocation_id:
            self._console.tries.cancel(self._bench.invocation_id)

    def _apply(self, batch: tuple[Event, ...]) -> None:
        for event in batch:
            match event:
                case InvocationChanged():
                    if self._is_shown(self._benches.apply(event)):
                        self.progress.show_invocation(event.invocation)
                        self._refresh()
                case ToolOutput():
                    if self._is_shown(self._benches.apply(event)):
                        self.progress.add_output(event)
                case ToolsChanged():
                    self._refresh()
                case _:
                    pass

    def _is_shown(self, bench: TrialState | None) -> bool:
        return bench is not None and self._tool is not None and self._bench is bench

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def _show_bench(self) -> None:
        bench = self._bench
        if bench.fault:
            self.progress.show_fault(bench.fault)
        elif bench.invocation is not None:
            self.progress.show_invocation(bench.invocation)
            for output in bench.said if bench.invocation.is_live else ():
                self.progress.add_output(output)
        else:
            self.progress.clear()
        self._refresh()

    def _edited(self) -> None:
        self._refresh()

    def _refresh(self, tried: bool = False) -> None:
        if self._tool is None:
            return
        why_not = self._console.tries.why_not(self._tool)
        problems = self.editor.problems()
        wrong = [problem for problem in problems if tried or not problem.missing]
        missing = len(problems) - len(wrong)
        running = self._bench.running
        if running != self.cancel.isVisibleTo(self._page):
            self._swap(running)
        self.run.setEnabled(not why_not)
        words = f"{len(wrong)} {'field' if len(wrong) == 1 else 'fields'} to correct" if wrong else ""
        if missing and not words:
            words = f"{missing} required field{'s' if missing > 1 else ''} missing"
        self._say(why_not or words, "danger" if wrong and not why_not else "hint")

    def _show_examples(self) -> None:
        if self._tool is None:
            return
        own = self._console.tries.examples(self._tool)
        given = self._tool.schema.get("examples")
        brought = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
        self.examples.show_examples(
            own, [ToolExample(f"example {number}", spelled(one)) for number, one in enumerate(brought, 1)]
        )
        count = len(own) + len(brought)
        self.tabs.setTabText(_EXAMPLES, f"Examples ({count})" if count else "Examples")

    async def _load_tries(self, tool: Tool) -> None:
        found = await self._console.tries.tries(tool)
        if self._tool is not None and key_of(self._tool) == key_of(tool):
            self.tries.show_tries(found)
            self.tabs.setTabText(_TRIES, f"Tries ({len(found)})" if found else "Tries")

    # ---- using and keeping ------------------------------------------------------------------------------------------

    def _use(self, arguments: str) -> None:
        before = self.editor.arguments()
        try:
            wanted = read_json(arguments)
        except UnreadableJson as bad:
            self._say(f"These arguments can't be read: {bad}", "danger")
            return
        self.editor.set_arguments(wanted)
        if not same(before, wanted):
            self.undo.tell("The arguments were replaced.", lambda: self.editor.set_arguments(before))

    def _show_try(self, invocation: Invocation) -> None:
        if not self._bench.running:
            self._bench.invocation, self._bench.fault = invocation, ""
            self.progress.show_invocation(invocation)
        self.tabs.setCurrentIndex(_RESULT)

    def _save(self, name: str) -> None:
        if self._tool is None:
            return
        try:
            self._console.tries.save_example(self._tool, ToolExample(name, self.editor.text()))
        except UserFault as fault:
            self._say(str(fault), "danger")
        self._show_examples()

    def _delete(self, name: str) -> None:
        if self._tool is None:
            return
        tool = self._tool
        gone = next((one for one in self._console.tries.examples(tool) if one.name == name), None)
        try:
            self._console.tries.delete_example(tool, name)
        except UserFault as fault:
            self._say(str(fault), "danger")
        if gone is not None:
            self.undo.tell(f"The example “{name}” was deleted.", lambda: self._put_back(tool, gone))
        self._show_examples()

    def _put_back(self, tool: Tool, example: ToolExample) -> None:
        self._console.tries.save_example(tool, example)
        self._show_examples()

    def _as_call(self) -> Call | None:
        """The call as it stands, for another program."""
        if self._tool is None:
            return None
        models, tries = self._console.models(), self._console.tries
        model = models[0].id if models else "callgate-demo"
        return Call(tries.address, self._tool.name, self.editor.text(), model, tries.needs_token)

    def _was_placed(self) -> None:
        self._placed = True

    def _make_room(self) -> None:
        """For a result; where the person has placed the line between, it stays."""
        upper, lower = self._split.sizes()
        wanted = int((upper + lower) * _RESULT_SHARE)
        if not self._placed and lower < wanted:
            self._split.setSizes([upper + lower - wanted, wanted])

    def _swap(self, running: bool) -> None:
        """Run and cancel stand in the same place, and the keyboard stays there."""
        gone, here = (self.run, self.cancel) if running else (self.cancel, self.run)
        focused = gone.hasFocus()
        here.show()
        if focused:
            here.setFocus(Qt.FocusReason.OtherFocusReason)
        gone.hide()

    def _title(self) -> str:
        return f"Try {reveal(self._tool.name)}" if self._tool is not None else "Try a tool"

    def _say(self, text: str, tone: str) -> None:
        self.hint.setVisible(bool(text))
        self.hint.setText(reveal(text))
        set_tone(self.hint, tone)

    # ---- building ---------------------------------------------------------------------------------------------------

    def _build_row(self) -> QHBoxLayout:
        self.run = QPushButton("Run  Ctrl+⏎")
        self.run.setObjectName("runTry")
        self.run.setAccessibleName("Run the tool")
        self.run.setProperty("kind", "primary")
        self.run.clicked.connect(self._run)
        self.cancel = QPushButton("Cancel")
        self.cancel.setObjectName("cancelTry")
        self.cancel.setAccessibleName("Cancel the running try")
        self.cancel.setProperty("kind", "danger")
        self.cancel.hide()
        self.cancel.clicked.connect(self._cancel)
        self.copy = CopyAs(self._theme, self._as_call)
        self.copy.copied.connect(lambda word: self._say(f"Copied as {word}.", "hint"))
        self.out = QToolButton()
        self.out.setObjectName("tryOut")
        self.out.setAccessibleName("Open in its own window")
        self.out.setToolTip("Open in its own window")
        self.out.setIconSize(self._theme.icon_size)
        keep_icon(self.out, self._theme, "open")
        self.out.clicked.connect(lambda: self.room.move_out(self._title()))
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.run)
        row.addWidget(self.cancel)
        row.addStretch(1)
        row.addWidget(self.copy)
        row.addWidget(self.out)
        return row

    def _build(self) -> QWidget:
        top = QWidget()
        upper = QVBoxLayout(top)
        upper.setContentsMargins(0, S, S, S)
        upper.setSpacing(S)
        upper.addWidget(self.editor, 1)
        upper.addLayout(self._build_row())
        upper.addWidget(self.hint)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("tryTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Result, tries and examples")
        self.tabs.addTab(self.progress, "Result")
        self.tabs.addTab(self.tries, "Tries")
        self.tabs.addTab(self.examples, "Examples")
        split = self._split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(top)
        split.addWidget(self.tabs)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        split.setSizes([750, 250])
        split.splitterMoved.connect(self._was_placed)
        self._page = QWidget()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)
        column.addWidget(self.undo)
        return self._page
