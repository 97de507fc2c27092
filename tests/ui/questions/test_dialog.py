"""Every kind of question is shown, can be answered and declined, and closing the dialog answers nothing."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QToolButton
from tests.ui.questions.conftest import Stage

from callgate.core.errors import UserFault
from callgate.core.messages import say
from callgate.core.question import Answer, FormQuestion, InputQuestion, LinkQuestion, SampleQuestion
from callgate.engine.console.console import ModelChoice
from callgate.ui.questions.dialog import FormSheet, InputSheet
from callgate.ui.questions.link_sheet import LinkSheet
from callgate.ui.text.long_text import LongText
from callgate.ui.widgets.choice_box import ChoiceBox

FORM = FormQuestion(
    "srv",
    "Who are you?",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer", "default": 30}},
        "required": ["name"],
    },
)
URL = "https://login.example/authorize?state=abc&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback"
SAMPLE = SampleQuestion("srv", (say("user", "Write a haiku"),), "Be brief", 100)


class Writer:
    def __init__(self, words: str = "", problem: str = "") -> None:
        self.words, self.problem = words, problem
        self.asked: list[str] = []

    async def write(self, question: SampleQuestion, model: str) -> str:
        self.asked.append(model)
        if self.problem:
            raise UserFault(self.problem)
        return self.words


def test_a_form_begins_with_its_defaults_and_is_sent_once_it_is_right(stage: Stage) -> None:
    task = stage.ask(FORM)
    sheet = stage.find(FormSheet, "")
    sheet.form.settle()
    assert not stage.find(QPushButton, "acceptQuestion").isEnabled()
    assert stage.find(QLabel, "questionMissing").text() == "Needs attention: name"
    sheet.form.set_value({"name": "Ada", "age": 30})
    sheet.form.changed.emit()
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", {"name": "Ada", "age": 30})
    assert not stage.presenter.dialog.isVisible()


def test_a_form_can_be_declined(stage: Stage) -> None:
    task = stage.ask(FORM)
    stage.click("declineQuestion")
    assert stage.answer_of(task) == Answer("decline")


def test_an_address_is_shown_whole_and_opened_only_by_the_click(stage: Stage) -> None:
    task = stage.ask(LinkQuestion("srv", "Log in", URL))
    assert stage.find(QPlainTextEdit, "questionAddress").toPlainText() == URL
    assert stage.find(QLabel, "questionHost").text() == "login.example"
    assert stage.opened == []
    stage.click("acceptQuestion")
    assert stage.opened == [URL]
    assert stage.answer_of(task) == Answer("accept")


def test_where_no_browser_opens_the_address_is_copied_and_that_is_said(stage: Stage) -> None:
    stage.browser = False
    task = stage.ask(LinkQuestion("srv", "Log in", URL))
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept")
    assert QApplication.clipboard().text() == URL
    assert "copied" in stage.find(QLabel, "questionNote").text()
    assert stage.presenter.dialog.isVisible()


def test_an_address_that_is_not_of_the_web_cannot_be_opened(stage: Stage) -> None:
    task = stage.ask(LinkQuestion("srv", "Open this", "file:///etc/passwd"))
    assert not stage.find(QPushButton, "acceptQuestion").isEnabled()
    assert any("Not a web address" in label.text() for label in stage.find(LinkSheet, "").findChildren(QLabel))
    stage.click("declineQuestion")
    assert stage.answer_of(task) == Answer("decline")
    assert stage.opened == []


def test_a_password_is_not_shown(stage: Stage) -> None:
    task = stage.ask(InputQuestion("srv", "token", "API token", password=True))
    field = stage.find(QLineEdit, "questionField")
    assert field.echoMode() == QLineEdit.EchoMode.Password
    assert not stage.find(QPushButton, "acceptQuestion").isEnabled()
    field.setText("s3cret")
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", text="s3cret")


def test_a_value_may_be_one_of_a_few(stage: Stage) -> None:
    task = stage.ask(InputQuestion("srv", "zone", "Zone", default="us", options=("eu", "us")))
    assert stage.find(ChoiceBox, "questionChoice").currentData() == "us"
    assert stage.find(InputSheet, "").first() is stage.find(ChoiceBox, "questionChoice")
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", text="us")


def test_the_person_writes_the_words_a_server_wants(stage: Stage) -> None:
    task = stage.ask(SAMPLE)
    assert "Write a haiku" in stage.find(QPlainTextEdit, "sampleRequest").toPlainText()
    assert "Be brief" in stage.find(QPlainTextEdit, "sampleRequest").toPlainText()
    stage.find(QPlainTextEdit, "sampleText").setPlainText("Gates of morning")
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", text="Gates of morning")


def test_what_a_model_wrote_is_read_before_it_is_sent(stage: Stage) -> None:
    writer = Writer("An old silent gate")
    stage.console.questions.set_writer(writer)
    task = stage.ask(SAMPLE)
    stage.click("sampleWrite")
    editor = stage.find(QPlainTextEdit, "sampleText")
    stage.loop.until(lambda: editor.toPlainText() == "An old silent gate")
    assert writer.asked == ["demo"]
    assert not task.done()
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", text="An old silent gate", model="demo")


def test_words_that_the_person_changed_are_the_persons(stage: Stage) -> None:
    stage.console.questions.set_writer(Writer("An old silent gate"))
    task = stage.ask(SAMPLE)
    stage.click("sampleWrite")
    editor = stage.find(QPlainTextEdit, "sampleText")
    stage.loop.until(lambda: editor.toPlainText() != "")
    editor.setPlainText("A new gate")
    stage.click("acceptQuestion")
    assert stage.answer_of(task) == Answer("accept", text="A new gate")


def test_a_model_that_fails_says_so_and_nothing_is_lost(stage: Stage) -> None:
    stage.console.questions.set_writer(Writer(problem="The provider is away"))
    task = stage.ask(SAMPLE)
    stage.find(QPlainTextEdit, "sampleText").setPlainText("my own")
    stage.click("sampleWrite")
    note = stage.find(QLabel, "sampleNote")
    stage.loop.until(lambda: "The provider is away" in note.text())
    stage.click("acceptQuestion")
    assert stage.answer_of(task).text == "my own"


def test_closing_the_dialog_answers_nothing_and_a_line_leads_back(stage: Stage) -> None:
    task = stage.ask(InputQuestion("srv", "zone", "Zone"))
    stage.find(QLineEdit, "questionField").setText("half typ")
    stage.presenter.dialog.reject()
    assert not task.done()
    assert not stage.presenter.notice.isHidden()
    stage.presenter.notice.wanted.emit()
    assert stage.presenter.dialog.isVisible()
    assert stage.presenter.notice.isHidden()
    assert stage.find(QLineEdit, "questionField").text() == "half typ"


def test_it_is_never_modal_and_takes_no_focus(stage: Stage) -> None:
    stage.ask(FORM)
    assert not stage.presenter.dialog.isModal()
    assert stage.presenter.dialog.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


def test_walking_between_questions_loses_nothing(stage: Stage) -> None:
    first = stage.ask(InputQuestion("one", "a", "A"))
    stage.ask(InputQuestion("two", "b", "B"))
    stage.find(QLineEdit, "questionField").setText("for one")
    stage.find(QToolButton, "nextQuestion").click()
    assert "two" in stage.find(QLabel, "questionHeading").text()
    stage.find(QToolButton, "previousQuestion").click()
    stage.click("acceptQuestion")
    assert stage.answer_of(first) == Answer("accept", text="for one")
    assert "two" in stage.find(QLabel, "questionHeading").text()


def test_a_megabyte_of_words_is_shown_in_a_box_that_does_not_stall(stage: Stage) -> None:
    stage.ask(FormQuestion("srv", "word " * 200_000, {"type": "object"}))
    assert stage.presenter.dialog.findChild(LongText) is not None
    assert stage.presenter.dialog.height() <= 700


def test_the_model_that_the_server_would_like_is_chosen_first(stage: Stage) -> None:
    stage.console.model_list = [ModelChoice("demo", "demo"), ModelChoice("claude-3-haiku", "anthropic")]
    stage.ask(SampleQuestion("srv", (say("user", "hi"),), model_hints=("gpt-9", "haiku")))
    assert stage.find(ChoiceBox, "sampleModel").currentData() == "claude-3-haiku"
