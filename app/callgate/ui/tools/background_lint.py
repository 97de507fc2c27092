"""Looks at every tool for what is doubtful and what it costs, a little at a time, while nothing else is to be done.

Ten thousand tools take a second or two; a slice is too short to be felt. What was seen of a definition is kept as long
as it stays the same, so that a switch or a new source costs only what is new.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from callgate.core.catalog.lint import Finding, by_severity, lint, linting
from callgate.core.catalog.lint_names import NameShape, linting_names, shape_of
from callgate.core.catalog.lint_schema import lint_schema, linting_schema
from callgate.core.catalog.token_cost import TokenCost, counting, token_cost
from callgate.core.tool import Tool
from callgate.ui.tools.facts import Facts

SLICE_SECONDS: Final = 0.004
"""A quarter of a frame: typing and drawing come first."""
PAUSE_MS: Final = 4
TELLING_SECONDS: Final = 0.5
"""How often it is told that more is known, while it goes on."""
START_MS: Final = 150
"""The window comes up first."""
LARGE: Final = 200
"""Properties."""
_OVER: Final = object()


class BackgroundLint(QObject):
    learned = Signal()
    """More is known of the tools than before."""

    def __init__(self, facts: Facts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._facts = facts
        self._seen: dict[str, Tool] = {}
        self._shapes: dict[str, NameShape] = {}
        self._begun: list[Iterator[None]] = []
        """Tools that were left in the middle: the last one is gone on with first."""
        self._left: list[Tool] = []
        self._alike_due: Sequence[Tool] | None = None
        self._comparing: Iterator[Mapping[str, tuple[Finding, ...]] | None] | None = None
        self._awaited: Tool | None = None
        """Somebody looks at it, and not all is known of it yet."""
        self._told = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.go_on)

    @property
    def is_done(self) -> bool:
        return not self._begun and not self._left and self._alike_due is None

    def take(self, tools: Sequence[Tool]) -> None:
        """All tools there are now."""
        names = {tool.name for tool in tools}
        self._comparing = None
        for name in [name for name in self._seen if name not in names]:
            del self._seen[name], self._shapes[name], self._facts.findings[name]
            self._facts.drop_cost(name)
            self._alike_due = tools
        self._begun.clear()
        self._left = [tool for tool in reversed(tools) if not same_to_read(self._seen.get(tool.name), tool)]
        if self._left:
            self._alike_due = tools
        if not self.is_done:
            self._told = time.monotonic()  # after the first slice there is hardly anything to tell
            self._timer.start(START_MS)

    def look_at(self, tool: Tool) -> None:
        """This one before all others: somebody is looking at it. A very large one is known only after a few slices."""
        if same_to_read(self._seen.get(tool.name), tool):
            return
        self._begun.append(self._appraising(tool))
        until = time.perf_counter() + (0 if _is_large(tool) else SLICE_SECONDS)
        while not same_to_read(self._seen.get(tool.name), tool):
            if time.perf_counter() >= until:
                self._awaited = tool
                self._timer.start(0)
                return
            self._step()

    def finish(self) -> None:
        """All that is left, at once; for whoever can wait."""
        self._timer.stop()
        while self._step():
            pass
        self.learned.emit()

    def go_on(self) -> None:
        """One slice, and then another when nothing else is to be done."""
        began = time.perf_counter()
        while time.perf_counter() - began < SLICE_SECONDS and self._step():
            pass
        now = time.monotonic()
        answered = self._awaited is not None and same_to_read(self._seen.get(self._awaited.name), self._awaited)
        if self.is_done or answered or now - self._told > TELLING_SECONDS:
            self._told = now
            self._awaited = None if answered else self._awaited
            self.learned.emit()
        if not self.is_done:
            self._timer.start(PAUSE_MS)

    def _step(self) -> bool:
        """A little more of one tool, and at last of all their names; False: all is known."""
        if not self._begun:
            if not self._left:
                return self._compare()
            self._begun.append(self._appraising(self._left.pop()))
        steps = self._begun[-1]
        if next(steps, _OVER) is _OVER:
            self._begun.remove(steps)
        return True

    def _compare(self) -> bool:
        if self._alike_due is None:
            return False
        self._comparing = self._comparing or linting_names(self._alike_due, self._shapes)
        found = next(self._comparing)
        if found is not None:
            self._facts.alike = found
            self._alike_due = self._comparing = None
        return True

    def _appraising(self, tool: Tool) -> Iterator[None]:
        """In steps: a schema of thousands of properties takes longer than a slice."""
        if same_to_read(self._seen.get(tool.name), tool):
            return
        own: tuple[Finding, ...] = ()
        for seen in linting(tool):
            own = seen
            yield
        found: tuple[Finding, ...] = ()
        for findings in linting_schema(tool):
            found = findings or ()
            yield
        cost = TokenCost()
        for counted in counting(tool):
            cost = counted or cost
            yield
        self._seen[tool.name] = tool
        self._shapes[tool.name] = shape_of(tool)
        self._facts.findings[tool.name] = by_severity([*own, *found])
        self._facts.set_cost(tool.name, cost)


def appraised(tool: Tool) -> tuple[tuple[Finding, ...], TokenCost]:
    """What is doubtful about one tool alone, and what it costs."""
    return by_severity([*lint(tool), *lint_schema(tool)]), token_cost(tool)


def _is_large(tool: Tool) -> bool:
    """Whether a single step of it may be longer than a slice: it waits until the page itself is drawn."""
    properties = tool.schema.get("properties")
    return isinstance(properties, Mapping) and len(properties) > LARGE


def same_to_read(seen: Tool | None, tool: Tool) -> bool:
    """Whether all that a model reads is the same; what a switch changes is not looked at."""
    return seen is tool or (
        seen is not None
        and seen.schema is tool.schema
        and (seen.source, seen.description, seen.annotations) == (tool.source, tool.description, tool.annotations)
    )
