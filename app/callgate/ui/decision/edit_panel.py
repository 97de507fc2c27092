"""Arguments, or a result, as the person would rather have them: as a form from the tool's schema, or as text.

Both show one value: the text is the truth, the form writes it. What the model wrote is kept, and what differs from it
is told. Decides nothing.
"""

import json
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QStackedWidget, QWidget

from callgate.core.calls.invocation import Invocation
from callgate.core.json.diff import diff
from callgate.core.messages import Json
from callgate.core.schema.form_check import FieldProblem, FormChecker
from callgate.core.schema.form_value import same, spelled
from callgate.ui.decision.panels import Editor, Panel
from callgate.ui.schema_form.form import SchemaForm
from callgate.ui.text.hidden_characters import reveal, suspects
from callgate.ui.text.json_layout import doubled_keys, indented, is_json, problem
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.restyle import set_tone
from callgate.ui.theme.theme import XS, S, Theme
from callgate.ui.widgets.view_choice import ViewChoice

_CHECK_AT_ONCE: Final = 50_000
"""Characters up to which every keystroke is checked; larger texts are checked when the typing pauses."""
_LARGEST_FORM: Final = 50_000
"""Characters of arguments past which a form would take too long to build, and to read."""
_PAUSE_MS: Final = 150
_EDITOR_LINES: Final = 10
_NAMED: Final = 4
"""Fields that differ and are named; the form marks all."""


class EditPanel(Panel):
    checked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._original = ""
        self._invocation: Invocation | None = None
        self._schema: Mapping[str, Json] | None = None
        self._checker: FormChecker | None = None
        self._problem = ""
        self._writing = False
        self.form: SchemaForm | None = None
        self.field = Editor(theme, _EDITOR_LINES)
        self.field.setObjectName("argumentsEditor")
        self.field.setAccessibleName("Arguments, editable")
        self.field.textChanged.connect(self._changed)
        self._note = plain_label("", "hint", wrap=True)
        self._note.setObjectName("editNote")
        self.views = ViewChoice(("Form", "Text"), "How the arguments are edited")
        self.views.chosen.connect(lambda _: self._turn())
        self.revert = QPushButton("Revert")
        self.revert.setObjectName("revertButton")
        self.revert.setProperty("kind", "quiet")
        self.revert.setAutoDefault(False)
        self.revert.setToolTip("Back to what the model wrote")
        self.revert.clicked.connect(self._revert)
        self._scroll = QScrollArea()
        self._stack = QStackedWidget()
        self._arrange()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.check)

    def open(self, invocation: Invocation, schema: Mapping[str, Json] | None = None) -> None:
        """`schema`: of the tool's arguments, where it is known."""
        self._invocation = invocation
        self._drop_form()
        if self._edits_result:
            self._original = invocation.ran_result.text if invocation.ran_result else ""
            self.field.setAccessibleName("Result, as the model will get it")
            schema = None
        else:
            self._original = _editable(invocation)
            self.field.setAccessibleName("Arguments, editable")
        fits = schema is not None and len(self._original) <= _LARGEST_FORM and _loaded(self._original) is not None
        self._schema = schema if fits else None
        self._checker = None if schema is None else FormChecker(schema)
        self.field.setPlainText(self._original)
        self.views.setVisible(self._schema is not None)
        self._turn()
        self.check()

    @property
    def text(self) -> str:
        return self.field.toPlainText()

    @property
    def edited(self) -> bool:
        return self.text != self._original

    @property
    def problem(self) -> str:
        """Why this can't be sent; empty = it can. Never older than the text."""
        if self._pause.isActive():
            self.check()
        return self._problem

    @property
    def _edits_result(self) -> bool:
        return self._invocation is not None and self._invocation.state == "WaitingForPostApproval"

    # ---- building --------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        self._scroll.setObjectName("formScroll")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.field)
        head = QHBoxLayout()
        head.setSpacing(XS)
        head.addWidget(self.views)
        head.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self._note, 1)
        row.addWidget(self.revert)
        row.addWidget(self.back)
        self.column.addLayout(head)
        self.column.addWidget(self._stack, 1)
        self.column.addLayout(row)

    def _drop_form(self) -> None:
        if self.form is not None:
            self._scroll.takeWidget()
            self.form.hide()
            self.form.deleteLater()
            self.form = None

    def _make_form(self, schema: Mapping[str, Json]) -> SchemaForm:
        form = SchemaForm(schema, self._theme)
        form.set_strict(True)
        form.changed.connect(self._written)
        self._scroll.setWidget(form)
        return form

    # ---- two views of one value ------------------------------------------------------------------------------------

    @property
    def _as_form(self) -> bool:
        return self._schema is not None and self.views.current == "Form"

    def _turn(self) -> None:
        """Shows the value in the view that is wanted; a text that is no JSON stays a text."""
        value = _loaded(self.text)
        if self._as_form and value is None:
            self.views.choose("Text")
            return
        self._stack.setCurrentWidget(self._scroll if self._as_form else self.field)
        if self._as_form and self._schema is not None:
            if self.form is None:
                self.form = self._make_form(self._schema)
            self.form.set_value(value)
            self.form.mark_changed_from(_loaded(self._original))
            self.form.focus_first()
        else:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _written(self) -> None:
        """The form was edited: the text follows."""
        if self.form is None:
            return
        value = self.form.value()
        self._writing = True
        self.field.setPlainText(self._original if same(value, _loaded(self._original)) else spelled(value, 2))
        self._writing = False
        self.check()

    def _revert(self) -> None:
        self.field.setPlainText(self._original)
        self._turn()

    def _changed(self) -> None:
        if self._writing:
            return
        if self.field.document().characterCount() <= _CHECK_AT_ONCE:
            self.check()
        else:
            self._pause.start()

    # ---- checking --------------------------------------------------------------------------------------------------

    def check(self) -> None:
        self._pause.stop()
        text = self.text
        free = self._edits_result or self._invocation is None or self._invocation.variant == "custom"
        self._problem = "" if free else problem(text)
        unfit = "" if free or self._problem else self._unfit(text)
        if unfit and self._invocation is not None and self._invocation.owner == "gate" and self.edited:
            # the tool would refuse it anyway; an agent's own may know better than its schema
            self._problem = unfit
        self._tell(text, unfit)
        self.revert.setEnabled(self.edited)
        self.checked.emit()

    def _unfit(self, text: str) -> str:
        if self._checker is None or self._checker.fault:
            return ""
        drafts = self.form.problems() if self._as_form and self.form is not None else ()
        found = drafts or self._checker.problems(json.loads(text))
        return _said(found[0], len(found) - 1) if found else ""

    def _tell(self, text: str, unfit: str) -> None:
        if self._problem:
            words, tone = self._problem, "danger"
        elif unfit:
            words, tone = f"Does not fit the tool's schema: {unfit}", "waiting"
        elif found := suspects(text):
            words, tone = f"Contains {found[0].what}: {found[0].why}.", "waiting"
        elif doubled := doubled_keys(text):
            words, tone = f"Duplicate key {doubled[0]!r}.", "waiting"
        elif self.edited:
            words, tone = f"{self._differing(text)}The model's history will show the edited text.", "hint"
        else:
            words, tone = "Unchanged.", "hint"
        self._note.setText(reveal(words))
        set_tone(self._note, tone)

    def _differing(self, text: str) -> str:
        """The fields that differ from what the model wrote, by name."""
        before, after = _loaded(self._original), _loaded(text)
        if before is None or after is None or len(text) > _LARGEST_FORM:
            return "Edited. "
        names = list(dict.fromkeys(change.where.partition(".")[0] for change in diff(before, after)))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return f"Edited: {', '.join(names[:_NAMED])}{more}. " if names else "Edited: formatting only. "


def _said(found: FieldProblem, others: int) -> str:
    where = ".".join(map(str, found.path))
    more = f" (and {others} more)" if others else ""
    return f"{where}: {found.message}{more}" if where else f"{found.message}{more}"


def _loaded(text: str) -> Json:
    """None where it is no JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _editable(invocation: Invocation) -> str:
    """What is to be decided, laid out for editing where it can be."""
    text = invocation.effective_arguments
    return indented(text) if invocation.variant != "custom" and is_json(text) else text
