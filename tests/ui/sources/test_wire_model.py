import json

from pytestqt.modeltest import ModelTester

from callgate.engine.sources.source_service import WireFrame
from callgate.ui.sources.wire_model import WireModel
from callgate.ui.theme.theme import Theme


def frame(number: int, direction: str, message: object, at: float = 0.0) -> WireFrame:
    text = message if isinstance(message, str) else json.dumps(message)
    return WireFrame(number, at, "in" if direction == "in" else "out", text)


FRAMES = [
    frame(1, "out", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo"}}, 10.0),
    frame(2, "in", {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"}, 10.1),
    frame(3, "in", {"jsonrpc": "2.0", "id": 1, "result": {}}, 10.5),
    frame(4, "out", {"jsonrpc": "2.0", "id": 1, "error": {"code": -1}}, 11.1),
    frame(5, "in", {"jsonrpc": "2.0", "method": "notifications/progress"}, 12.0),
    frame(6, "in", "{ cut…", 13.0),
]


def test_answers_find_their_questions_by_side_and_id(theme: Theme, qtmodeltester: ModelTester) -> None:
    model = WireModel(theme)
    qtmodeltester.check(model)
    model.add(FRAMES[:2])
    model.add(FRAMES[2:])
    rows = [[str(model.index(row, column).data()) for column in (1, 2, 4)] for row in range(model.rowCount())]
    assert rows == [
        ["→", "tools/call echo", ""],
        ["←", "sampling/createMessage", ""],
        ["←", "answer to tools/call", "0.5 s"],
        ["→", "error to sampling/createMessage", "1.0 s"],
        ["←", "notifications/progress", ""],
        ["←", "not JSON", ""],
    ]


def test_only_the_last_thousand_stay(theme: Theme) -> None:
    model = WireModel(theme)
    model.add([frame(number, "in", {"method": str(number)}) for number in range(1200)])
    assert model.rowCount() == 1000
    assert model.index(0, 2).data() == "200"
    model.clear()
    assert model.rowCount() == 0
