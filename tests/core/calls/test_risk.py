"""Which calls need more than a click."""

from dataclasses import replace

import pytest
from tests.fakes.samples import completed, sample_tools, waiting

from callgate.core.calls.preview import CommandPreview
from callgate.core.calls.risk import high_risk
from callgate.core.messages import Json
from callgate.core.rules.policy import Call, Policy, Rule, Verdict

TOOLS = {tool.name: tool for tool in sample_tools()}


def test_a_tool_that_says_it_destroys_is_a_risk() -> None:
    assert high_risk(waiting("write_file"), TOOLS["write_file"]) == "It is declared destructive"


def test_a_tool_that_does_not_say_so_is_none() -> None:
    assert high_risk(waiting("read_file"), TOOLS["read_file"]) == ""
    assert high_risk(waiting("unknown"), None) == ""


def test_the_note_of_a_rule_makes_any_call_a_risk() -> None:
    noted = replace(waiting("read_file"), verdict=Verdict("ask", "High-risk: production keys", "ask read_file"))
    assert high_risk(noted, TOOLS["read_file"]) == "High-risk: production keys"
    by_nobody = replace(noted, verdict=Verdict("ask", "high risk"))
    assert high_risk(by_nobody, TOOLS["read_file"]) == ""


def test_a_clients_own_tool_is_not_the_one_of_the_catalog() -> None:
    assert high_risk(waiting("write_file", owner="client"), TOOLS["write_file"]) == ""


def test_a_tool_that_is_defined_otherwise_now_needs_more_than_a_click() -> None:
    rule = Rule("allow", "read_file", fingerprint="old")
    verdict = Policy([rule]).judge(Call("read_file", "built-in", "", fingerprint="new"), 0)
    assert verdict.kind == "ask" and verdict.suspends
    changed = replace(waiting("read_file"), verdict=verdict)
    assert "definition has changed" in high_risk(changed, TOOLS["read_file"])
    same = Policy([rule]).judge(Call("read_file", "built-in", "", fingerprint="old"), 0)
    assert not same.suspends


def test_what_does_not_wait_needs_no_click() -> None:
    assert high_risk(completed("write_file"), TOOLS["write_file"]) == ""


def test_a_command_that_does_harm_is_a_risk_whoever_runs_it() -> None:
    assert high_risk(waiting("Bash", {"command": "ls; rm -rf /x"}, owner="client"), None).startswith(
        "It deletes folders"
    )
    assert high_risk(waiting("Bash", {"command": "ls | wc"}, owner="client"), None) == ""


def test_a_redirection_out_of_the_workspace_is_a_risk() -> None:
    call = replace(waiting("shell"), owner="client", preview=CommandPreview("echo x > /etc/hosts", "/w"))
    assert high_risk(call, None) == "It has a redirection out of the workspace: /etc/hosts"


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        (
            "Write",
            {"file_path": "/etc/hosts", "content": "x"},
            "It changes a file outside of any workspace: /etc/hosts",
        ),
        (
            "Edit",
            {"file_path": "~/.bashrc", "old_string": "a", "new_string": "b"},
            "outside of any workspace: ~/.bashrc",
        ),
        ("Write", {"file_path": "/home/ada/project/src/a.py", "content": "x"}, ""),
        ("Read", {"file_path": "/etc/hosts"}, ""),
        ("Bash", {"command": "echo x >> ~/.bashrc"}, "It writes outside of any workspace: ~/.bashrc"),
        ("Bash", {"command": "make > /tmp/log.txt 2> /dev/null"}, ""),
    ],
)
def test_what_an_agent_changes_beyond_any_workspace_is_a_risk(tool: str, arguments: Json, words: str) -> None:
    told = high_risk(waiting(tool, arguments, owner="client"), None)
    assert told.endswith(words) if words else not told


def test_a_command_that_names_a_place_outside_its_workspace_is_a_risk() -> None:
    call = replace(waiting("shell"), owner="client", preview=CommandPreview("cp x /srv/www", "/w"))
    assert high_risk(call, None) == "It names a place outside the workspace: /srv/www"
    inside = replace(call, preview=CommandPreview("cp x /w/y", "/w"))
    assert high_risk(inside, None) == ""


def test_a_line_that_would_hide_the_next_does_not_hide_what_it_does() -> None:
    call = waiting("shell", arguments='{"commands":["cat <<EOF","rm -rf /","EOF"]}', owner="client")
    assert "deletes folders" in high_risk(call, None)
