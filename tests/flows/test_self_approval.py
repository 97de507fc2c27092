"""Agents cannot approve themselves: nothing that they can reach decides a call, makes a rule or changes a setting."""

import ast
import asyncio
import subprocess
import threading
from pathlib import Path

import httpx
import pytest
from mcp import Client
from tests.fakes.running import RunningStation, running

import callgate
from callgate.core.calls.invocation import Decision
from callgate.runtime.runtime import Launch

DECIDING = {
    *(
        "add_rule",
        "configure",
        "decide",
        "grant",
        "reaccept",
        "reload",
        "remove_rule",
        "reset_rules",
        "rulebook",
        "take_back",
    ),
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


def ask(runtime: RunningStation) -> threading.Thread:
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "#read_file Read notes.txt"}],
        "use_tools": True,
        "tool_execution": "auto",
    }
    asking = threading.Thread(
        target=lambda: httpx.post(f"{runtime.address}/v1/chat/completions", json=body, trust_env=False, timeout=20)
    )
    asking.start()
    return asking


def test_whatever_an_agent_sends_a_waiting_call_waits_and_no_rule_is_made(tmp_path: Path, config: Path) -> None:
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        asking = ask(runtime)
        waiting = runtime.wait_for_state("WaitingForConfirmation")
        before = runtime.do(lambda: (runtime.runtime.rulebook.rules(), runtime.runtime.gate.mode))
        decision = {"id": waiting.id, "verb": "approve", "verdict": "allow", "tool": "*", "mode": "observe"}
        with httpx.Client(base_url=runtime.address, trust_env=False, timeout=10) as agent:
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
        assert runtime.do(lambda: [one.id for one in runtime.runtime.gate.waiting()]) == [waiting.id]
        assert runtime.do(lambda: (runtime.runtime.rulebook.rules(), runtime.runtime.gate.mode)) == before
        assert config.read_text("utf-8") == '[server]\nrate_limit = ""\n'
        assert runtime.decide(waiting, Decision("deny")), "the person still can"
        asking.join(10)


GENEROUS = """
[[rules]]
verdict = "allow"
tool = "write_file"

[[rules]]
verdict = "allow"
tool = "run_command"
when = "command:'git *'"
"""


def test_an_agent_that_may_write_files_and_use_git_can_not_grant_itself_the_rest(tmp_path: Path) -> None:
    """Its way in was: commit a rules.toml, then check it out into the data folder."""
    workspace, data = tmp_path / "work", tmp_path / "data"
    workspace.mkdir()
    subprocess.run(["git", "init", "-q", workspace], check=True)
    for key, value in (("user.name", "a"), ("user.email", "a@example.org")):
        subprocess.run(["git", "-C", workspace, "config", key, value], check=True)
    config = tmp_path / "my.toml"
    config.write_text(GENEROUS, "utf-8")
    steps = [
        ("write_file", {"path": "rules.toml", "content": '[[rules]]\nverdict = "allow"\ntool = "*"\n'}),
        ("run_command", {"command": "git add rules.toml && git commit -qm x"}),
        ("run_command", {"command": f"git --work-tree={data} checkout -f HEAD -- rules.toml"}),
        ("write_file", {"path": str(data / "sources.json"), "content": "[]"}),
        ("write_file", {"path": str(config), "content": ""}),
        ("write_file", {"path": ".git/hooks/pre-commit", "content": "#!/bin/sh\n"}),
        ("run_command", {"command": "git config alias.x '!touch made'"}),
        ("run_command", {"command": "touch made"}),
    ]

    async def attack(address: str) -> list[bool]:
        async with Client(f"{address}/mcp") as session:
            return [bool((await session.call_tool(name, given)).is_error) for name, given in steps]

    with running(Launch(config, 0, workspace, data, "deny", demo_pace_ms=0)) as runtime:
        refused = asyncio.run(asyncio.wait_for(attack(runtime.address), 30))
    assert refused == [False, False, True, True, True, True, True, True]
    assert config.read_text("utf-8") == GENEROUS
    assert not (data / "rules.toml").exists() and not (workspace / "made").exists()
    assert not (workspace / ".git" / "hooks" / "pre-commit").exists()
