import pytest

from callgate.core.messages import Json
from callgate.tools.memory import Forgetful
from callgate.tools.switches import Subject, Switches


def test_a_tool_is_on_only_where_its_source_is() -> None:
    switches = Switches(Forgetful())
    assert switches.is_on("git", "log")
    switches.set(Subject("git"), False)
    assert not switches.is_on("git", "log") and switches.is_on("fs", "log")
    switches.set(Subject("git", "log"), True)
    assert not switches.is_on("git", "log")
    switches.set(Subject("git"), True)
    assert switches.is_on("git", "log")


def test_what_was_said_for_an_agent_wins_over_what_was_said_for_all() -> None:
    switches = Switches(Forgetful())
    switches.set(Subject("git", "push"), False)
    switches.set(Subject("git", "push", "codex"), True)
    switches.set(Subject("fs", agent="codex"), False)
    assert not switches.is_on("git", "push") and switches.is_on("git", "push", "codex")
    assert switches.is_on("fs", "read") and not switches.is_on("fs", "read", "codex")
    switches.set(Subject("fs", agent="codex"), None)
    assert switches.is_on("fs", "read", "codex")


def test_an_agent_as_a_whole_can_be_switched_off_or_given_tools_unasked() -> None:
    switches = Switches(Forgetful())
    assert switches.said_of_agent("codex") is None
    switches.set(Subject(agent="codex"), False)
    switches.set(Subject(agent="claude"), True)
    assert not switches.is_on("git", "log", "codex") and switches.is_on("git", "log", "claude")
    assert switches.said_of_agent("claude") is True and switches.agents() == {"codex", "claude"}


def test_switches_outlive_the_program() -> None:
    memory = Forgetful()
    Switches(memory).set(Subject("git", "push", "codex"), False)
    Switches(memory).set(Subject("fs"), False)
    again = Switches(memory)
    assert not again.is_on("git", "push", "codex") and not again.is_on("fs", "x")
    assert again.is_on("git", "push")


@pytest.mark.parametrize("kept", [None, 7, {}, [7, {}, {"source": 1, "enabled": False}, {"source": "a"}]])
def test_what_another_version_kept_does_no_harm(kept: Json) -> None:
    memory = Forgetful()
    memory.write(kept)
    assert Switches(memory).is_on("a", "b", "c")


def test_several_switches_are_kept_in_one_go_and_can_be_read_back() -> None:
    memory = Forgetful()
    switches = Switches(memory)
    switches.set_all({Subject("git", "log"): False, Subject("git", "push", "codex"): True, Subject("fs"): None})
    assert switches.said(Subject("git", "log")) is False and switches.said(Subject("fs")) is None
    assert Switches(memory).subjects_of("codex") == (Subject("git", "push", "codex"),)
