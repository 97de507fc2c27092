"""What a tool is for, what it says of itself, what it costs and what is doubtful about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from callgate.core.catalog.lint import Finding, Severity
from callgate.core.catalog.token_count import CostSheet
from callgate.core.tool import CLIENT_SOURCE, Annotations, Tool
from callgate.ui.text.format import count
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.text.prose import Prose
from callgate.ui.theme.theme import SMALL_SIZE, XS, S, Theme
from callgate.ui.tools.columns import Columns
from callgate.ui.tools.cost_table import CostTable, problem_words
from callgate.ui.tools.page import ScrolledPage, Section
from callgate.ui.tools.schema_rows import each_row
from callgate.ui.widgets.flow_layout import FlowLayout


# What a tool says of itself, in plain words. Hints, never proof: the words say so.
@dataclass(frozen=True, slots=True)
class Hint:
    text: str
    icon: str
    color: str
    """A name of `Tokens`."""


def annotation_words(annotations: Annotations) -> tuple[Hint, ...]:
    hints: list[Hint] = []
    match annotations.read_only, annotations.destructive:
        case True, _:
            hints.append(Hint("Declared read-only", "read_only", "completed"))
        case _, True:
            hints.append(Hint("Declared destructive", "danger", "denied"))
        case _, False:
            hints.append(Hint("Declared not destructive", "edit", "text2"))
        case False, None:
            hints.append(Hint("Declared to change things", "edit", "text2"))
        case _:
            hints.append(Hint("Not declared whether it changes anything", "info", "text3"))
    if annotations.open_world is True:
        hints.append(Hint("Declared to reach other systems", "external", "text2"))
    elif annotations.open_world is False:
        hints.append(Hint("Declared to stay on this machine", "lock", "text2"))
    if annotations.idempotent is True and annotations.read_only is not True:
        hints.append(Hint("Declared safe to repeat", "retry", "text2"))
    return tuple(hints)


_SIGNS: Final[dict[Severity, tuple[str, str]]] = {
    "error": ("danger", "denied"),
    "warning": ("warning", "waiting"),
    "hint": ("info", "text3"),
}
_MOST_FINDINGS: Final = 30
_MOST_TAKEN: Final = 8
_ROWS_LOOKED_AT: Final = 60


class AboutPage(ScrolledPage):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._origin = plain_label(tone="hint", selectable=True, wrap=True)
        self._origin.setObjectName("toolOrigin")
        self._for_you = Section(theme, "For you")
        self._told_you = Prose(theme)
        self._for_model = Section(theme, "For the model")
        self._told_model = Prose(theme)
        self._told_model.setObjectName("toolDescription")
        self._told_model.setAccessibleName("Description for the model")
        self._told_you.setAccessibleName("Description for you")
        self._hints = Section(theme, "What it says of itself")
        self._tags = QWidget()
        self._chips = FlowLayout(XS, self._tags)
        self._cost = Section(theme, "Cost")
        self._cost.setObjectName("toolCosts")
        self._findings = Section(theme, "Findings")
        self._findings.setObjectName("toolFindings")
        self._for_you.add(self._told_you)
        self._for_model.add(self._told_model)
        self.add(self._origin)
        self._takes = Section(theme, "Takes")
        self._takes.setObjectName("toolTakes")
        self._takes.hide()
        told = (self._for_you, self._for_model, self._tags, self._takes)
        self.columns = Columns(told, (self._hints, self._findings, self._cost))
        self.columns.turned.connect(self._takes.setVisible)
        self.add(self.columns)

    def show_tool(self, tool: Tool, is_on: bool) -> None:
        title = f"{reveal(tool.title)} · " if tool.title else ""
        state = "the agent's own" if tool.source == CLIENT_SOURCE else "enabled" if is_on else "disabled"
        self._origin.setText(f"{title}{reveal(tool.source)} · {state}")
        self._for_you.setVisible(bool(tool.user_description.strip()))
        self._told_you.show_markdown(tool.user_description)
        self._for_model.set_title("For the model" if tool.user_description.strip() else "Description")
        self._told_model.show_markdown(tool.description or "*No description.*", breaks=True)
        self._fill_tags(tool.tags)
        self._fill_takes(tool)
        self._fill_hints(tool)

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """None: not known yet."""
        self._findings.clear()
        if findings is None:
            self._findings.set_title("Findings")
            self._findings.say("Looking at it…", "hint")
            return
        self._findings.set_title("Findings" if findings else "No findings")
        for finding in findings[:_MOST_FINDINGS]:
            icon, color = _SIGNS[finding.severity]
            self._findings.say(reveal(finding.words), "small", icon, color, reveal(finding.advice))
        if len(findings) > _MOST_FINDINGS:
            self._findings.say(f"and {len(findings) - _MOST_FINDINGS} more", "hint")

    def show_cost(self, sheet: CostSheet | None, problems: Mapping[str, str] | None = None) -> None:
        """`problems`: tokenizers that should have counted it and could not."""
        self._cost.clear()
        self._cost.setVisible(sheet is not None)
        if sheet is None:
            return
        about = "" if sheet.all_counted else "About "
        self._cost.say(f"{about}{count(sheet.typical)} tokens in every request that offers it", "small")
        self._cost.add(CostTable(sheet))
        for words in problem_words(problems or {}):
            self._cost.say(words, "small", "warning", "waiting")

    def _fill_takes(self, tool: Tool) -> None:
        """The first parameters, for who reads with room; all of them, with their limits, have a page of their own."""
        self._takes.clear()
        rows = [row for row in islice(each_row(tool.schema), _ROWS_LOOKED_AT) if row.depth == 0]
        for row in rows[:_MOST_TAKEN]:
            about = row.description.strip().partition("\n")[0]
            self._takes.add(_parameter(self._theme, row.name, row.type, row.required, about))
        if len(rows) > _MOST_TAKEN:
            self._takes.say("and more, on the next page", "hint")
        if not rows:
            self._takes.say("No parameters.", "hint")

    def _fill_hints(self, tool: Tool) -> None:
        self._hints.clear()
        for hint in annotation_words(tool.annotations):
            self._hints.say(hint.text, "secondary", hint.icon, hint.color)
        if tool.runs:
            self._hints.say(f"When called: {reveal(tool.runs)}", "secondary", "terminal", "text2")
        if tool.unavailable:
            self._hints.say(f"Not offered now: {reveal(tool.unavailable)}", "secondary", "denied", "waiting")
        if tool.private:
            self._hints.say("Never listed to clients", "secondary", "hidden", "text2")

    def _fill_tags(self, tags: tuple[str, ...]) -> None:
        while (item := self._chips.takeAt(0)) is not None:
            if (chip := item.widget()) is not None:
                chip.hide()
                chip.deleteLater()
        self._tags.setVisible(bool(tags))
        for tag in tags:
            self._chips.addWidget(plain_label(reveal(tag), "chip"))


def _parameter(theme: Theme, name: str, kind: str, required: bool, about: str) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, XS)
    column.setSpacing(0)
    head = QHBoxLayout()
    head.setSpacing(S)
    named = plain_label(reveal(name), selectable=True)
    named.setFont(theme.mono(SMALL_SIZE + 1))
    for label in (named, plain_label(kind, "hint"), *((plain_label("required", "hint"),) if required else ())):
        head.addWidget(label, 0, Qt.AlignmentFlag.AlignBaseline)
    head.addStretch(1)
    column.addLayout(head)
    if about:
        column.addWidget(plain_label(reveal(about), "secondary", selectable=True, wrap=True))
    return whole
