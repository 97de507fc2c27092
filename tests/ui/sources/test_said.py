"""Log and wire views: what is new is fetched, searched and cleared."""

import json

from PySide6.QtGui import QGuiApplication
from tests.fakes.loop import BoundLoop
from tests.fakes.source_service import FakeSourceService

from callgate.engine.sources.source_service import LogLine, WireFrame
from callgate.ui.sources.log_view import LogView
from callgate.ui.sources.wire_view import WireView
from callgate.ui.theme.theme import Theme


def test_lines_appear_as_they_are_written(theme: Theme, loop: BoundLoop) -> None:
    service = FakeSourceService()
    service.lines["a"] = [LogLine(1, 0.0, "first"), LogLine(2, 0.0, "warn <b>bold</b>")]
    view = LogView(service, theme)
    view.show_source("a")
    assert "first" in view.text.toPlainText() and "<b>bold</b>" in view.text.toPlainText()
    service.lines["a"].append(LogLine(3, 0.0, "third"))
    service.speak("b")
    service.speak("a")
    loop.until(lambda: "third" in view.text.toPlainText())
    view.filter.setText("WARN")
    assert view.text.toPlainText().count("\n") == 0
    view.filter.clear()
    view.clear.click()
    loop.until(lambda: view.text.toPlainText() == "")
    view.show_source("b")
    assert view.text.toPlainText() == ""


def test_whoever_reads_further_up_stays_there(theme: Theme, loop: BoundLoop) -> None:
    service = FakeSourceService()
    service.lines["a"] = [LogLine(number, 0.0, f"line {number}") for number in range(1, 400)]
    view = LogView(service, theme)
    view.resize(400, 200)
    view.show()
    view.show_source("a")
    bar = view.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    service.lines["a"].append(LogLine(400, 0.0, "later"))
    view.fetch()
    assert bar.value() == 10
    view.close()


def test_messages_are_searched_shown_and_copied(theme: Theme, loop: BoundLoop) -> None:
    service = FakeSourceService()
    service.wire["a"] = [
        WireFrame(1, 1.0, "out", '{"id":1,"method":"tools/list"}'),
        WireFrame(2, 2.0, "in", '{"id":1,"result":{"tools":[{"name":"needle"}]}}'),
    ]
    view = WireView(service, theme)
    view.show_source("a")
    view.filter.setText("needle")
    assert view.table.model().rowCount() == 1
    view.table.selectRow(0)
    assert not view.detail.isHidden()
    view.filter.clear()
    service.wire["a"].append(WireFrame(3, 3.0, "in", "no json"))
    service.speak("a")
    loop.until(lambda: view.model.rowCount() == 3)
    view._copy.click()
    lines = [json.loads(line) for line in QGuiApplication.clipboard().text().splitlines()]
    assert [line["direction"] for line in lines] == ["out", "in", "in"]
    assert lines[2]["message"] == "no json"
    view.clear.click()
    loop.until(lambda: view.model.rowCount() == 0)


def test_a_view_that_is_gone_does_not_listen_any_more(theme: Theme, loop: BoundLoop) -> None:
    service = FakeSourceService()
    view = LogView(service, theme)
    view.show_source("a")
    view.deleteLater()
    loop.settle()
    loop.until(lambda: all(hearing.closed for hearing, _ in service._listeners))
    service.speak("a")
