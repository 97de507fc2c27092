"""The fields of an endpoint: those that its preset asks for, and the rest behind a button. Keeps nothing.

A key that was typed is handed over once and never put back.
"""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from callgate.core.config.endpoint_draft import (
    DraftField,
    DraftJudgement,
    EndpointDraft,
    KeyChoice,
    draft_of,
    key_problem,
)
from callgate.core.config.settings import UpstreamSettings
from callgate.core.request import WireName
from callgate.engine.endpoints.endpoint_service import EndpointService
from callgate.ui.endpoints.look import WIRE_WORDS
from callgate.ui.endpoints.presets import EndpointPreset, PresetAsk
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import XS, L, M, S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox
from callgate.ui.widgets.tick_box import TickBox


class FormField(QWidget):
    """A field with its name above and what is wrong with it below. Knows nothing of what is entered."""

    def __init__(self, name: str, field: QWidget, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.name = plain_label(name, "secondary")
        self.name.setBuddy(field)
        self._hint = plain_label("", "hint", wrap=True)
        self._trouble = plain_label("", "danger", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        for widget in (self.name, field, self._hint, self._trouble):
            column.addWidget(widget)
        self.set_hint(hint)
        self.set_trouble("")

    @property
    def trouble(self) -> str:
        return self._trouble.text()

    @property
    def hint(self) -> str:
        return self._hint.text()

    def set_hint(self, words: str) -> None:
        self._hint.setText(reveal(words))
        self._hint.setVisible(bool(words))

    def set_trouble(self, words: str) -> None:
        self._trouble.setText(reveal(words))
        self._trouble.setVisible(bool(words))
        self.field.setAccessibleDescription(words)


_KEPT: Final = "Goes into the system's keyring, never into a file, and is not shown again."
_KEY_CHOICES: Final[dict[KeyChoice, str]] = {
    "keyring": "Keep it in the keyring",
    "environment": "Read it from an environment variable",
    "client": "Pass on my program's own",
}
_ASKED: Final[dict[str, PresetAsk]] = {
    "address": "address",
    "project": "place",
    "location": "place",
    "wires": "wires",
}
_HIDDEN: Final = {"models": "models", "address": "address", "wires": "protocols", "dialect": "dialect"}
_FILL: Final = Qt.AlignmentFlag(0)
_NO_KEY: Final = "None is needed, or my program's own"


class EndpointForm(QWidget):
    changed = Signal()

    def __init__(self, service: EndpointService, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service, self._theme = service, theme
        self._preset: EndpointPreset | None = None
        self._obstacle = ""
        self._has_key = False
        """Whether a key is kept already, so that none has to be typed."""
        self._api_version = ""
        self._build()
        self._arrange()
        for line in (self.name, self.address, self.project, self.location, self.key, self.key_env, self.models):
            line.textChanged.connect(self._touched)
        for tick in self.wires.values():
            tick.toggled.connect(self._touched)
        self.key_choice.currentIndexChanged.connect(self._touched)
        self.dialect.currentIndexChanged.connect(self._touched)
        self.more.toggled.connect(self._settle)
        theme.changed.connect(self._settle)

    # ---- building --------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.name = _line("endpointName", "Name")
        self.address = _line("endpointAddress", "Address", "http://127.0.0.1:8000/v1")
        self.project = _line("endpointProject", "Google Cloud project", "my-project-123456")
        self.location = _line("endpointLocation", "Location", "global")
        self.key_choice = ChoiceBox(self._theme, "Where its key comes from")
        self.key_choice.setObjectName("endpointKeyChoice")
        self.key = _line("endpointNewKey", "Key")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key_env = _line("endpointKeyEnv", "Environment variable", "OPENAI_API_KEY")
        self.models = _line("endpointPatterns", "Models", "gpt-*, o3*")
        self.dialect = ChoiceBox(self._theme, "Dialect", [("Guess from the address", "")])
        self.dialect.setObjectName("endpointDialect")
        for dialect in self._service.dialects():
            self.dialect.addItem(dialect, dialect)
        self.wires: dict[WireName, TickBox] = {}
        for wire, words in WIRE_WORDS.items():
            tick = TickBox(self._theme, words)
            tick.setObjectName(f"wire_{wire}")
            self.wires[wire] = tick
        self.more = QToolButton()
        self.more.setObjectName("endpointMore")
        self.more.setCheckable(True)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setIconSize(self._theme.icon_size)

    def _arrange(self) -> None:
        ticks = QWidget()
        box = QGridLayout(ticks)
        box.setContentsMargins(0, 0, 0, 0)
        box.setHorizontalSpacing(L)
        box.setVerticalSpacing(S)
        box.setColumnStretch(1, 1)
        for at, tick in enumerate(self.wires.values()):
            box.addWidget(tick, at // 2, at % 2)
        self.fields: dict[DraftField | str, FormField] = {
            "name": FormField("Name", self.name, "Stands before a model to pick this endpoint: name/model."),
            "address": FormField("Address", self.address),
            "project": FormField("Google Cloud project", self.project),
            "location": FormField("Location", self.location, "Such as global, us-east5 or europe-west1."),
            "wires": FormField("It speaks", ticks),
            "key": FormField("Key", self.key_choice),
            "typed": FormField("", self.key),
            "key_env": FormField("", self.key_env),
            "models": FormField("Models", self.models, "Patterns for what it answers; * means every model."),
            "dialect": FormField("Dialect", self.dialect, "What a compatible server does differently."),
        }
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(M)
        for widget in (*self.fields.values(), self.more):
            self._column.addWidget(widget)
        for unnamed in ("typed", "key_env"):
            self.fields[unnamed].name.hide()

    def _order(self) -> None:
        """What has to be said first; what is known already behind the button, so that nothing jumps."""
        first = ["name", *(name for name, ask in _ASKED.items() if self._asks(ask)), "key", "typed", "key_env"]
        rest = [name for name in self.fields if name not in first]
        for widget in (*(self.fields[name] for name in first), self.more, *(self.fields[name] for name in rest)):
            self._column.removeWidget(widget)
            self._column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft if widget is self.more else _FILL)

    # ---- filling ---------------------------------------------------------------------------------------------------

    def start(self, preset: EndpointPreset) -> None:
        """New, with what is known of it."""
        self._has_key, self._api_version = False, ""
        self._fill(
            preset,
            EndpointDraft(
                self._service.free_name(preset.id if preset.id != "compatible" else "server"),
                preset.wires,
                preset.base_url,
                ", ".join(preset.models),
                self._usual_key(preset),
                preset.key_env,
                preset.dialect,
                location="global" if preset.key == "google" else "",
            ),
        )

    def load(self, preset: EndpointPreset, settings: UpstreamSettings, *, has_key: bool) -> None:
        """One that is there."""
        self._has_key, self._api_version = has_key, settings.api_version
        self._fill(preset, draft_of(settings))

    def set_obstacle(self, words: str) -> None:
        """Why there is no keyring; empty = there is one."""
        before, self._obstacle = self._obstacle, words
        if words and not before and self._preset is not None and not self._has_key and not self.key.text():
            self.key_choice.choose(self._usual_key(self._preset))
        self._settle()

    def forget_key(self) -> None:
        self.key.clear()

    def _usual_key(self, preset: EndpointPreset) -> KeyChoice:
        if preset.key == "google":
            return "google"
        if preset.key == "optional":
            return "client"
        return "environment" if self._obstacle or self._service.is_set(preset.key_env) else "keyring"

    def _fill(self, preset: EndpointPreset, draft: EndpointDraft) -> None:
        self._preset = preset
        self.blockSignals(True)
        self.key_choice.clear()
        for choice, words in _KEY_CHOICES.items():
            optional = choice == "client" and preset.key == "optional"
            self.key_choice.addItem(_NO_KEY if optional else words, choice)
        if preset.key == "google" or draft.key == "google":
            self.key_choice.insertItem(0, "Google's login on this machine", "google")
        self.key_choice.choose(draft.key)
        for line, text in (
            (self.name, draft.name),
            (self.address, draft.address),
            (self.project, draft.project),
            (self.location, draft.location),
            (self.key_env, draft.key_env),
            (self.models, draft.models),
            (self.key, ""),
        ):
            line.setText(text)
        for wire, tick in self.wires.items():
            tick.setChecked(wire in draft.wires)
        self.dialect.choose(draft.dialect)
        self.more.setChecked(False)
        self._order()
        self.blockSignals(False)
        self._settle()
        self.changed.emit()

    # ---- reading ---------------------------------------------------------------------------------------------------

    @property
    def draft(self) -> EndpointDraft:
        vertex = self._asks("place")
        return EndpointDraft(
            self.name.text().strip(),
            tuple(wire for wire, tick in self.wires.items() if tick.isChecked()),
            self.address.text().strip(),
            self.models.text(),
            self._key_choice,
            self.key_env.text().strip(),
            str(self.dialect.currentData() or ""),
            self.project.text().strip() if vertex else "",
            self.location.text().strip() if vertex else "",
            self._api_version,
        )

    @property
    def typed_key(self) -> str:
        return self.key.text().strip() if self._key_choice == "keyring" else ""

    def show_judgement(self, judged: DraftJudgement, *, strict: bool) -> bool:
        """What is wrong stands at its field; what is missing too, if one is `strict`. Returns whether all is well."""
        said = {**(judged.missing if strict else {}), **judged.problems}
        for name, field in self.fields.items():
            if name != "typed":
                field.set_trouble(said.get(name, ""))  # type: ignore[arg-type]  # of a field that has none
        lacks_key = strict and self._key_choice == "keyring" and not self.typed_key and not self._has_key
        trouble = key_problem(self.key.text()) or ("The key is needed." if lacks_key else "")
        self.fields["typed"].set_trouble(trouble)
        hidden = {"models", "dialect", "wires", "address"} & set(said)
        if hidden and not all(self.fields[name].isVisibleTo(self) for name in hidden):
            self.more.setChecked(True)
        self.fields["address"].set_hint(" ".join(judged.notes))
        return judged.settings is not None and not trouble

    # ---- inside ----------------------------------------------------------------------------------------------------

    @property
    def _key_choice(self) -> KeyChoice:
        return self.key_choice.currentData() or "client"

    def _asks(self, what: PresetAsk | None) -> bool:
        return self._preset is not None and what in self._preset.asks

    def _touched(self) -> None:
        self._settle()
        self.changed.emit()

    def _settle(self) -> None:
        """Only what is needed is seen."""
        more, key = self.more.isChecked(), self._key_choice
        place = self._asks("place")
        for name, shown in (
            ("address", self._asks("address") or (more and not place)),
            ("project", place),
            ("location", place),
            ("wires", self._asks("wires") or more),
            ("typed", key == "keyring"),
            ("key_env", key == "environment"),
            ("models", more),
            ("dialect", more),
        ):
            self.fields[name].setVisible(shown)
        hidden = [word for name, word in _HIDDEN.items() if not self._asks(_ASKED.get(name))]
        if place:
            hidden.remove("address")
        self.more.setText("Fewer fields" if more else f"More: {', '.join(hidden)}")
        self.more.setIcon(self._theme.icon("expanded" if more else "collapsed", "text2"))
        self.key.setPlaceholderText("Leave it empty to keep what is there" if self._has_key else "Paste the key")
        kept_for_now = f"{self._obstacle} The key would be kept until Callgate ends; a variable lasts."
        self.fields["typed"].set_hint(kept_for_now if self._obstacle else _KEPT)
        variable = self.key_env.text().strip()
        known = self._service.is_set(variable) if variable else False
        self.fields["key_env"].set_hint(_variable_words(variable, known))


def _variable_words(variable: str, known: bool) -> str:
    if not variable:
        return "The name of the variable, not the key."
    return f"{variable} is set." if known else f"{variable} is not set where Callgate was started."


def _line(name: str, words: str, placeholder: str = "") -> QLineEdit:
    line = QLineEdit()
    line.setObjectName(name)
    line.setAccessibleName(words)
    line.setPlaceholderText(placeholder)
    return line
