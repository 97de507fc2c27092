"""Adding or changing an endpoint: what it is, the few things that have to be said, and a check whether it answers.

Never modal. It talks to the desk alone; the page hears of what was kept.
"""

import asyncio
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from callgate.core.errors import UserFault
from callgate.engine.endpoints.endpoint_service import Done, EndpointService
from callgate.ui.bridge import Bridge
from callgate.ui.endpoints.check_view import CheckView
from callgate.ui.endpoints.form import EndpointForm
from callgate.ui.endpoints.preset_list import PresetList
from callgate.ui.endpoints.presets import PRESETS, EndpointPreset, preset_of
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.pane import as_pane
from callgate.ui.theme.theme import L, M, S, Theme

_SIZE: Final = (740, 620)
_BY_ID: Final = {preset.id: preset for preset in PRESETS}


class EndpointDialog(QDialog):
    kept = Signal(str, bool, Done)
    """The name of an endpoint, whether it is new, and what was done."""

    def __init__(self, service: EndpointService, bridge: Bridge, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("endpointDialog")
        self.setModal(False)
        self._service, self._bridge, self._theme = service, bridge, theme
        self._replacing = ""
        self._strict = False
        """Whether what is missing is said: from the first attempt to go on."""
        self._task: asyncio.Task[None] | None = None
        self._build()
        self._arrange()
        self.presets.chosen.connect(self._start)
        self.form.changed.connect(self._judge)
        self.save.clicked.connect(lambda: self._begin(save=True))
        self.check.clicked.connect(lambda: self._begin(save=False))
        self.cancel.clicked.connect(self._cancel)
        self.resize(*_SIZE)

    def _build(self) -> None:
        self.presets = PresetList(self._theme, PRESETS)
        self.title = plain_label("", "heading")
        self.title.setObjectName("endpointPreset")
        self.about = plain_label("", "secondary", wrap=True)
        self.form = EndpointForm(self._service, self._theme)
        self.finding = CheckView(self._theme)
        self.said = plain_label("", "danger", wrap=True, selectable=True)
        self.said.setObjectName("endpointFault")
        self.cancel = _button("endpointCancel", "Cancel")
        self.check = _button("endpointTry", "Check")
        self.check.setToolTip("Asks it for its models; nothing is kept")
        self.save = _button("endpointSave", "Add")
        self.save.setProperty("kind", "primary")
        self.save.setDefault(True)

    def _arrange(self) -> None:
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(L, L, L, L)
        inner.setSpacing(M)
        for widget in (self.title, self.about, self.form, self.finding):
            inner.addWidget(widget)
        inner.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(body)
        self._side = QWidget()
        as_pane(self._side)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(S, 0, S, S)
        side.addWidget(self.presets)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self._side)
        middle.addWidget(self._scroll, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(L, M, L, M)
        buttons.setSpacing(S)
        buttons.addWidget(self.said, 1)
        for button in (self.cancel, self.check, self.save):
            buttons.addWidget(button)
        foot = QFrame()
        foot.setProperty("line", True)
        foot.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(middle, 1)
        column.addWidget(foot)
        column.addLayout(buttons)

    # ---- opening ---------------------------------------------------------------------------------------------------

    def start_new(self, preset: str = "") -> None:
        self._open("")
        self._side.show()
        wanted = preset or PRESETS[0].id
        if self.presets.current == wanted:
            self._start(wanted)
        self.presets.choose(wanted)
        self.presets.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit(self, name: str) -> None:
        settings, view = self._service.settings(name), self._service.endpoint(name)
        if settings is None or view is None:
            return
        self._open(name)
        self._side.hide()
        preset = preset_of(settings)
        self._introduce(preset)
        self.form.load(preset, settings, has_key=view.has_kept_key and not view.problem)
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, replacing: str) -> None:
        self._stop()
        self._replacing, self._strict = replacing, False
        self.setWindowTitle(f"Edit {replacing}" if replacing else "Add an endpoint")
        self.save.setText("Save" if replacing else "Add")
        self.said.setText("")
        self.finding.clear()
        self._bridge.start(self._look_for_keyring(), self, "looking for a keyring")

    async def _look_for_keyring(self) -> None:
        self.form.set_obstacle(await self._service.keyring_obstacle())

    def _start(self, preset_id: str) -> None:
        preset = _BY_ID[preset_id]
        self._strict = False
        self._introduce(preset)
        self.form.start(preset)

    def _introduce(self, preset: EndpointPreset) -> None:
        self._stop()
        self.finding.clear()
        self.said.setText("")
        self.title.setText(preset.title)
        self.about.setText(preset.about)

    # ---- judging ---------------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """Something was changed: an earlier check does not count any more."""
        if self._task is None:
            self.finding.clear()
        self.said.setText("")
        self.form.show_judgement(self._service.judge(self.form.draft, self._replacing), strict=self._strict)

    def _begin(self, *, save: bool) -> None:
        if self._task is not None:
            return
        self._strict = True
        judged = self._service.judge(self.form.draft, self._replacing)
        if not self.form.show_judgement(judged, strict=True) or judged.settings is None:
            return
        work = self._save() if save else self._check()
        self._task = self._bridge.start(work, self, "adding an endpoint" if save else "checking an endpoint")
        self._task.add_done_callback(lambda _: self._over())
        self._label()

    async def _check(self) -> None:
        settings = self._service.judge(self.form.draft, self._replacing).settings
        if settings is None:
            return
        self.finding.begin(settings.name)
        QTimer.singleShot(0, self._scroll, self._follow)
        found = await self._service.examine(settings, self.form.typed_key, self._replacing)
        self.finding.show_finding(found, settings.models)
        QTimer.singleShot(0, self._scroll, self._follow)

    async def _save(self) -> None:
        settings = self._service.judge(self.form.draft, self._replacing).settings
        if settings is None:
            return
        try:
            done = await self._service.add(settings, self.form.typed_key, self._replacing)
        except UserFault as fault:
            self.said.setText(reveal(str(fault)))
            return
        self.form.forget_key()
        self.kept.emit(settings.name, not self._replacing, done)
        QTimer.singleShot(0, self, self.close)

    def _over(self) -> None:
        self._task = None
        self._label()

    def _label(self) -> None:
        busy = self._task is not None
        self.cancel.setText("Stop" if busy else "Cancel")
        for widget in (self.save, self.check, self.form, self.presets):
            widget.setEnabled(not busy)

    def _follow(self) -> None:
        self._scroll.ensureWidgetVisible(self.finding)

    def _cancel(self) -> None:
        if self._task is not None:
            self._stop()
        else:
            self.close()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self.finding.stop()

    # ---- Qt --------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        self.form.forget_key()
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)


def _button(name: str, text: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    return button
