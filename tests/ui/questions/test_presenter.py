"""Dialog and line follow the questions that are open, wherever these are answered."""

from PySide6.QtWidgets import QLabel, QPushButton
from tests.ui.questions.conftest import Stage

from callgate.core.question import Answer, InputQuestion

INPUT = InputQuestion("srv", "zone", "Zone")


def test_a_question_answered_elsewhere_leaves_a_note(stage: Stage) -> None:
    task = stage.ask(INPUT)
    (asked,) = stage.console.questions.waiting()
    assert stage.console.questions.answer(asked.id, Answer("accept", text="eu"), "terminal")
    assert stage.answer_of(task).text == "eu"
    assert stage.find(QLabel, "questionNote").text() == "The question of “srv” was answered elsewhere."
    assert stage.presenter.dialog.isVisible()


def test_a_question_that_is_taken_back_goes(stage: Stage) -> None:
    task = stage.ask(INPUT)
    task.cancel()
    stage.loop.until(task.done)
    stage.bridge.flush()
    assert "does not need the answer" in stage.find(QLabel, "questionNote").text()


def test_while_quiet_nothing_comes_up_by_itself(stage: Stage) -> None:
    stage.presenter.set_quiet(True)
    stage.ask(INPUT)
    assert not stage.presenter.dialog.isVisible()
    assert not stage.presenter.notice.isHidden()
    stage.presenter.set_quiet(False)
    assert stage.presenter.dialog.isVisible()


def test_an_answer_that_comes_too_late_is_said(stage: Stage) -> None:
    stage.ask(INPUT)
    (asked,) = stage.console.questions.waiting()
    stage.console.questions.answer(asked.id, Answer("decline"), "terminal")
    stage.find(QPushButton, "declineQuestion").click()  # before the window has heard
    assert "Too late" in stage.find(QLabel, "questionNote").text()
