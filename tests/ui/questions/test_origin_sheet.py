"""A web page that asks for permission: its address is shown, and both answers say that they are remembered."""

from typing import Literal

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from tests.ui.questions.conftest import Stage

from callgate.core.question import Answer, OriginQuestion

PAGE = OriginQuestion("http://localhost:3000")


@pytest.mark.parametrize(("button", "action"), [("acceptQuestion", "accept"), ("declineQuestion", "decline")])
def test_a_page_is_allowed_or_refused_by_name(stage: Stage, button: str, action: Literal["accept", "decline"]) -> None:
    task = stage.ask(PAGE)
    assert stage.find(QLabel, "questionOrigin").text() == "http://localhost:3000"
    assert "emembered" in stage.find(QPushButton, button).toolTip()
    stage.click(button)
    assert stage.answer_of(task) == Answer(action)


def test_closing_the_dialog_decides_nothing_and_the_line_leads_back(stage: Stage) -> None:
    task = stage.ask(PAGE)
    stage.presenter.close()
    assert not task.done()
    line = stage.presenter.notice.findChild(QLabel, "questionNoticeText")
    assert line.text() == "Allow pages of http://localhost:3000 to use Callgate?"
    stage.presenter.open()
    stage.click("declineQuestion")
    assert stage.answer_of(task) == Answer("decline")


def test_the_next_question_has_its_own_words_again(stage: Stage) -> None:
    stage.ask(PAGE)
    assert stage.find(QPushButton, "declineQuestion").text() == "Refuse"
    assert stage.find(QPushButton, "acceptQuestion").text() == "Allow"
