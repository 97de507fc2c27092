"""A server wants a model's words: the person writes them, or has them written and reads them first."""

import asyncio
from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from callgate.core.errors import UserFault
from callgate.core.question import Answer, OpenQuestion, SampleQuestion
from callgate.engine.console.console import Console
from callgate.ui.bridge import Bridge
from callgate.ui.questions.sheet import Sheet
from callgate.ui.text.hidden_characters import reveal
from callgate.ui.text.long_text import LongText
from callgate.ui.text.plain_text import plain_label
from callgate.ui.theme.theme import S, Theme
from callgate.ui.widgets.choice_box import ChoiceBox

_ROLES: Final = {"user": "Server", "assistant": "Model"}
_ROWS: Final = 5
_TOLD_HEIGHT: Final = 160


class SampleSheet(Sheet):
    accept_words = "Send this answer"
    accept_tip = "The server gets exactly what stands in the field"

    def __init__(self, asked: OpenQuestion, question: SampleQuestion, console: Console, theme: Theme, bridge: Bridge):
        super().__init__()
        self._asked, self._console, self._bridge = asked, console, bridge
        self._writing: asyncio.Task[None] | None = None
        self._written = ""
        self._writer = ""
        told = LongText(theme, "What the server asks")
        told.text.setObjectName("sampleRequest")
        told.show_text("\n".join(_told(question)))
        told.setMaximumHeight(_TOLD_HEIGHT)
        self.column.addWidget(told)
        self.column.addLayout(self._tools(question, theme))
        self.editor = QPlainTextEdit()
        self.editor.setObjectName("sampleText")
        self.editor.setAccessibleName("The answer sent to the server")
        self.editor.setPlaceholderText("Write the answer yourself, or let a model write it and read it first.")
        self.editor.setTabChangesFocus(True)
        self.editor.setMinimumHeight(self.editor.fontMetrics().lineSpacing() * _ROWS + 2 * S)
        self.editor.textChanged.connect(self.changed)
        self.column.addWidget(self.editor, 1)
        self.note = self.say("", "hint")
        self.note.setObjectName("sampleNote")
        if question.max_tokens:
            self._tell(f"The server wants at most {question.max_tokens:,} tokens.")

    def answer(self) -> Answer | None:
        text = self.editor.toPlainText()
        if not text.strip() or self._writing is not None:
            return None
        return Answer("accept", text=text, model=self._writer if text == self._written else "")

    def first(self) -> QWidget | None:
        return self.editor

    def _tools(self, question: SampleQuestion, theme: Theme) -> QHBoxLayout:
        models = self._console.models()
        self._model = ChoiceBox(theme, "Model that writes", [(reveal(model.id), model.id) for model in models])
        self._model.setObjectName("sampleModel")
        self._model.choose(_wished([model.id for model in models], question.model_hints))
        self._write = QPushButton("Let a model write it")
        self._write.setObjectName("sampleWrite")
        self._write.setEnabled(bool(models))
        self._write.setToolTip("The model gets the server's words and no tools; you read its answer before it is sent")
        self._write.clicked.connect(self._toggle)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(plain_label("Answer", "strong"))
        row.addStretch(1)
        row.addWidget(self._model)
        row.addWidget(self._write)
        return row

    def _toggle(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            return
        self._writing = self._bridge.start(self._have_written(), self, "a model's words for a server")
        self._show_state("Stop")
        self._tell("The model is writing…")

    async def _have_written(self) -> None:
        model = self._model.currentData() or ""
        try:
            text = await self._console.questions.write(self._asked.id, model)
        except UserFault as problem:
            self._tell(f"Nothing was written: {problem}")
        except asyncio.CancelledError:
            self._tell("Stopped; nothing was written.")
            raise
        else:
            self._written, self._writer = text, model
            self.editor.setPlainText(text)
            self._tell(f"Written by {model}. Read it before you send it; you may change it.")
        finally:
            self._writing = None
            self._show_state("Let a model write it")

    def _show_state(self, words: str) -> None:
        self._write.setText(words)
        self._model.setEnabled(self._writing is None)
        self.editor.setReadOnly(self._writing is not None)
        self.changed.emit()

    def _tell(self, text: str) -> None:
        self.note.setText(reveal(text))


def _wished(models: list[str], hints: tuple[str, ...]) -> str:
    """The first model that a server's wish fits; wishes are parts of names."""
    return next((model for hint in hints for model in models if hint.lower() in model.lower()), "")


def _told(question: SampleQuestion) -> list[str]:
    told = [f"Instructions: {question.system}"] if question.system else []
    for message in question.messages:
        others = [part.kind for part in message.parts if part.kind != "text"]
        more = f" [and: {', '.join(others)}]" if others else ""
        told.append(f"{_ROLES.get(message.role, message.role)}: {message.text}{more}")
    return told
