"""Rules on terminal commands: every part of a line must be allowed, whatever it is joined with."""

from pathlib import Path

import httpx
import pytest
from tests.fakes.running import running

from callgate.runtime.runtime import Launch

RULES = '[[rules]]\nverdict = "allow"\ntool = "run_command"\nwhen = "command:\'echo *\'"\n'


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("echo hello", True),
        ("echo one && echo two", True),
        ("echo hello; touch made", False),
        ("echo hello | tee made", False),
        ("echo $(touch made)", False),
        ("echo hello > /tmp/callgate-must-not-exist", False),
        ("X=1 echo hello", False),
    ],
)
def test_a_line_runs_by_rule_only_if_all_of_it_is_allowed(tmp_path: Path, command: str, runs: bool) -> None:
    workspace = tmp_path / "work"
    workspace.mkdir()
    config = tmp_path / "callgate.toml"
    config.write_text(RULES, "utf-8")
    with running(Launch(config, 0, workspace, tmp_path / "data", "deny", demo_pace_ms=0)) as runtime:
        body = {
            "model": "m",
            "messages": [{"role": "user", "content": f"#run_command run `{command}`"}],
            "use_tools": True,
            "tool_execution": "auto",
        }
        httpx.post(f"{runtime.address}/v1/chat/completions", json=body, trust_env=False, timeout=15)
        ended = runtime.wait_for_state("Completed", "run_command")
    assert command in ended.arguments.replace("\\\\", "\\")
    assert (ended.reason != "Denied") is runs, ended.verdict
    assert not (workspace / "made").exists()
