"""The steps of an examination as they happen, and what the server wrote meanwhile. Examines nothing itself."""

import time
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from callgate.core.config.doctor import Diagnosis, DoctorStep, StepState
from callgate.ui.sources.state_look import Look
from callgate.ui.text import format as figures
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import XS, M, S, Theme

STEP_LOOKS: Final[dict[StepState, Look]] = {
    "running": Look("under way", "accent", "waiting"),
    "ok": Look("done", "completed", "done"),
    "warning": Look("with a remark", "waiting", "warning"),
    "failed": Look("failed", "denied", "failed"),
    "skipped": Look("not reached", "text3", "skipped"),
}
_TICK_MS: Final = 250
_STDERR_LINES: Final = 200
_STDERR_SHOWN: Final = 6
"""Lines; more can be scrolled to."""


class DoctorView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("doctorView")
        self.setAccessibleName("Connection check")
        self._theme = theme
        self._rows: dict[str, _StepRow] = {}
        self.verdict = plain_label("", "strong", wrap=True, selectable=True)
        self.verdict.setObjectName("doctorVerdict")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(S)
        self._grid.setVerticalSpacing(XS)
        self._grid.setColumnStretch(1, 1)
        self._said = plain_label("What the server wrote", "hint")
        self.stderr = QPlainTextEdit()
        self.stderr.setObjectName("doctorStderr")
        self.stderr.setAccessibleName("What the server wrote")
        self.stderr.setReadOnly(True)
        self.stderr.setFont(theme.mono())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.verdict)
        column.addLayout(self._grid)
        column.addWidget(self._said)
        column.addWidget(self.stderr)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._count)
        theme.changed.connect(self._draw)
        self.clear()

    @property
    def steps(self) -> tuple[DoctorStep, ...]:
        return tuple(row.step for row in self._rows.values())

    def clear(self) -> None:
        for row in self._rows.values():
            row.remove(self._grid)
        self._rows = {}
        self._tick.stop()
        self.verdict.hide()
        self._said.hide()
        self.stderr.hide()

    def begin(self) -> None:
        self.clear()
        self.verdict.setText("Checking…")
        self.verdict.show()
        self._tick.start()

    def show_step(self, step: DoctorStep) -> None:
        row = self._rows.get(step.id)
        if row is None:
            row = self._rows[step.id] = _StepRow(self._theme, self._grid, len(self._rows))
        row.show(step)

    def end(self, diagnosis: Diagnosis) -> None:
        self._tick.stop()
        failure = diagnosis.failure
        if failure is not None:
            self.verdict.setText(f"It does not work. The trouble is at “{failure.title}”.")
        else:
            spent = figures.seconds(sum(step.seconds for step in diagnosis.steps))
            self.verdict.setText(f"It works. Checked in {spent}.")
        self.verdict.show()
        lines = diagnosis.stderr[-_STDERR_LINES:]
        self.stderr.setPlainText("\n".join(reveal(line) for line in lines))
        lines_high = self.stderr.fontMetrics().lineSpacing() * min(len(lines), _STDERR_SHOWN)
        self.stderr.setFixedHeight(lines_high + 2 * S + XS)
        self._said.setVisible(bool(lines))
        self.stderr.setVisible(bool(lines))

    def stop(self, words: str) -> None:
        """It was broken off."""
        self._tick.stop()
        self.verdict.setText(words)
        self.verdict.show()
        for row in self._rows.values():
            row.give_up()

    def _count(self) -> None:
        for row in self._rows.values():
            row.count()

    def _draw(self) -> None:
        for row in self._rows.values():
            row.draw()


class _StepRow:
    def __init__(self, theme: Theme, grid: QGridLayout, number: int) -> None:
        self._theme = theme
        self.step = DoctorStep("", "", "running")
        self._began = time.monotonic()
        self._icon = QLabel()
        self._title = plain_label("", "")
        self._time = plain_label("", "hint")
        self._detail = plain_label("", "hint", wrap=True, selectable=True)
        self._hint = plain_label("", "secondary", wrap=True, selectable=True)
        top = number * 3
        grid.addWidget(self._icon, top, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._title, top, 1)
        grid.addWidget(self._time, top, 2, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self._detail, top + 1, 1, 1, 2)
        grid.addWidget(self._hint, top + 2, 1, 1, 2)

    def show(self, step: DoctorStep) -> None:
        if step.state == "running":
            self._began = time.monotonic()
        self.step = step
        self._title.setText(step.title)
        self._detail.setText(reveal(step.detail))
        self._detail.setVisible(bool(step.detail))
        self._hint.setText(reveal(step.hint))
        self._hint.setVisible(bool(step.hint))
        self._time.setText(figures.seconds(step.seconds) if step.state in ("ok", "warning", "failed") else "")
        self._title.setAccessibleName(f"{step.title}: {STEP_LOOKS[step.state].word}. {step.detail} {step.hint}".strip())
        self.draw()

    def count(self) -> None:
        spent = time.monotonic() - self._began
        if self.step.state == "running" and spent >= 1:
            self._time.setText(figures.stopwatch(spent))

    def give_up(self) -> None:
        if self.step.state == "running":
            self.show(DoctorStep(self.step.id, self.step.title, "skipped"))

    def draw(self) -> None:
        look = STEP_LOOKS[self.step.state]
        self._icon.setPixmap(self._theme.icon(look.icon, look.color).pixmap(self._theme.icon_size))
        failed = self.step.state == "failed"
        set_tone(self._title, "secondary" if self.step.state == "skipped" else "")
        set_tone(self._detail, "danger" if failed else "hint")

    def remove(self, grid: QGridLayout) -> None:
        for widget in (self._icon, self._title, self._time, self._detail, self._hint):
            grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
