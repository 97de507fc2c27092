"""Agents cannot approve themselves: nothing that they can reach decides a call, makes a rule or changes a setting."""

import ast
import threading
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import RunningStation, running

import callgate
from callgate.core.invocation import Decision
from callgate.station import Launch

DECIDING = {
    *("add_rule", "configure", "decide", "grant", "reaccept", "reload", "remove_rule", "reset_rules", "rulebook"),
    *("set_conduct", "set_gate_mode", "set_mode", "take_import", "Rulebook"),
}
PLACES = ("approve", "approvals", "decide", "decisions", "invocations", "rules", "gate", "mode", "config", "settings")
METHODS = ("POST", "PUT", "PATCH", "DELETE")


def test_nothing_behind_the_agents_port_even_names_what_decides() -> None:
    package = Path(callgate.__file__).parent / "proxy"
    for file in sorted(package.glob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not used & DECIDING, f"{file.name} reaches for {used & DECIDING}"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "callgate.toml"
    path.write_text('[server]\nrate_limit = ""\n', "utf-8")
    return path


def ask(station: RunningStation) -> threading.Thread:
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "#read_file Read notes.txt"}],
        "use_tools": True,
        "tool_execution": "auto",
    }
    asking = threading.Thread(
        target=lambda: httpx.post(f"{station.address}/v1/chat/completions", json=body, trust_env=False, timeout=20)
    )
    asking.start()
    return asking


def test_whatever_an_agent_sends_a_waiting_call_waits_and_no_rule_is_made(tmp_path: Path, config: Path) -> None:
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as station:
        asking = ask(station)
        waiting = station.wait_for_state("WaitingForConfirmation")
        before = station.do(lambda: (station.station.rulebook.rules(), station.station.gate.mode))
        decision = {"id": waiting.id, "verb": "approve", "verdict": "allow", "tool": "*", "mode": "observe"}
        with httpx.Client(base_url=station.address, trust_env=False, timeout=10) as agent:
            for place in PLACES:
                for path in (
                    f"/{place}",
                    f"/v1/{place}",
                    f"/v1/{place}/{waiting.id}",
                    f"/v1/tools/{waiting.tool}/{place}",
                ):
                    for method in METHODS:
                        assert agent.request(method, path, json=decision).status_code >= 400, f"{method} {path}"
            called = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "decide", "arguments": decision},
            }
            agent.post("/mcp", json=called, headers={"accept": "application/json, text/event-stream"})
        assert station.do(lambda: [one.id for one in station.station.gate.waiting()]) == [waiting.id]
        assert station.do(lambda: (station.station.rulebook.rules(), station.station.gate.mode)) == before
        assert config.read_text("utf-8") == '[server]\nrate_limit = ""\n'
        assert station.decide(waiting, Decision("deny")), "the person still can"
        asking.join(10)
