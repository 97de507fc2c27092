"""Web pages of this machine that want to use Callgate: what allowing them means, in words."""

from callgate.core.question import Answer, OriginQuestion
from callgate.ui.questions.sheet import Sheet


class OriginSheet(Sheet):
    accept_words = "Allow"
    accept_tip = "Remembered for every page of this address"
    decline_words = "Refuse"
    decline_tip = "Remembered; this address is not asked about again"

    def __init__(self, question: OriginQuestion) -> None:
        super().__init__()
        self.say("A web page in a browser on this machine sent a request to Callgate. It comes from")
        self.say(question.source, "strong").setObjectName("questionOrigin")
        self.say(
            "Allowed pages can use your providers with their keys, and read the answers. Tool calls that run here are "
            "still judged by your rules."
        )
        self.say(
            "Allow it only if you started the program that serves this address. Your answer is kept in origins.json "
            "in the data folder.",
            "hint",
        )

    def answer(self) -> Answer:
        return Answer("accept")
