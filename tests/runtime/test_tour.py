"""The demonstration: the same wherever it is started, and nothing of it stays."""

import threading
from pathlib import Path

import pytest
from tests.fakes.running import RunningStation, running

from callgate.core.calls.invocation import Decision, Invocation, shown_hash
from callgate.core.errors import UserFault
from callgate.core.events import ExchangeEnded, InvocationChanged, RoundStarted
from callgate.runtime import tour
from callgate.runtime.runtime import Launch

CONFIG = """
[server]
token = "secret"
[gate]
tools_enabled = false
[[upstreams]]
name = "demo"
wire = "openai-chat"
base_url = "http://127.0.0.1:9/v1"
models = ["*", "callgate-demo"]
"""


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    (tmp_path / "work").mkdir()
    (tmp_path / "callgate.toml").write_text(CONFIG, "utf-8")
    return Launch(tmp_path / "callgate.toml", 0, tmp_path / "work", tmp_path / "data", demo_pace_ms=0)


def started(runtime: RunningStation, demonstration: tour.Demonstration) -> threading.Thread:
    showing = threading.Thread(target=lambda: runtime.call(demonstration.show()))
    showing.start()
    return showing


def waiting(runtime: RunningStation, after: int = 0) -> Invocation:
    """The first call that came to wait after so many events and still does."""

    def found(events: list[object]) -> Invocation | None:
        calls = [event.invocation for event in events[after:] if isinstance(event, InvocationChanged)]
        latest = {call.id: call for call in calls}
        return next((call for call in latest.values() if call.state == "WaitingForConfirmation"), None)

    return runtime.wait_for(found)  # type: ignore[arg-type]


def approve_both(runtime: RunningStation, after: int = 0) -> None:
    for _ in range(2):
        call = waiting(runtime, after)
        assert runtime.decide(call, Decision("approve", shown=shown_hash(call), scope="always"))


def left(runtime: RunningStation) -> tuple[object, ...]:
    inner = runtime.runtime
    sample = [tool for tool in inner.catalog.tools() if tool.source == tour.SAMPLE]
    return (*inner.console.waiting(), *inner.rulebook.rules(), *sample)


def test_it_uses_the_embedded_model_and_the_sample_whatever_is_configured_and_leaves_nothing(launch: Launch) -> None:
    with running(launch) as runtime:
        demonstration = tour.Demonstration(runtime.runtime)
        for _ in range(2):
            before = len(runtime.events)
            showing = started(runtime, demonstration)
            approve_both(runtime, before)
            showing.join(10)
            assert not showing.is_alive()
            events = runtime.events[before:]
            assert {event.endpoint for event in events if isinstance(event, RoundStarted)} == {"demo"}
            done = {e.invocation.tool: e.invocation for e in events if isinstance(e, InvocationChanged)}
            assert {call.state for call in done.values()} == {"Completed"}
            assert "Weather station" in (done["read_file_sample"].result or pytest.fail("no result")).text
            assert done["list_directory_sample"].decided_by == "rule"
            ended = [event for event in events if isinstance(event, ExchangeEnded)]
            assert [event.outcome for event in ended] == ["completed", "completed"]
            assert {event.conversation_id for event in ended} == {demonstration.conversation_id}
            assert runtime.do(lambda: left(runtime)) == (), "also what was approved for always"
            assert not demonstration.is_running


def test_while_it_runs_it_is_not_begun_twice_and_its_tools_and_rule_are_its_own(launch: Launch) -> None:
    with running(launch) as runtime:
        demonstration = tour.Demonstration(runtime.runtime)
        showing = started(runtime, demonstration)
        waiting(runtime)
        assert runtime.do(lambda: demonstration.is_running)
        with pytest.raises(UserFault, match="running already"):
            runtime.call(tour.show(runtime.runtime))
        catalog, rules = runtime.runtime.catalog, runtime.runtime.rulebook.rules()
        assert runtime.do(lambda: catalog.offers("read_file_sample", "x")) is None
        assert [rule.source for rule in rules] == [tour.SAMPLE]
        runtime.do(lambda: runtime.runtime.console.stop(demonstration.conversation_id))
        showing.join(10)
        assert not showing.is_alive() and runtime.do(lambda: left(runtime)) == (), "stopped, and nothing waits"
