"""A configuration that is edited while the program runs."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from callgate.core.config.settings import Settings, UpstreamSettings
from callgate.core.errors import UserFault
from callgate.engine.gate.gate_ports import GateConduct
from callgate.runtime.configuration import Configuration, Fault
from callgate.store.files.config_file import ConfigFile
from callgate.store.rulebook import Rulebook


class Running:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "callgate.toml"
        self.path.write_text("[gate]\ndeadline_seconds = 300\n")
        file = ConfigFile(self.path)
        self.rulebook = Rulebook(folder / "rules.toml", file.current, folder)
        self.conducts: list[GateConduct] = []
        self.said: list[str] = []
        self.upstreams: list[str] = []
        self._read = Configuration(
            file, self.rulebook, self._conduct_of, self.conducts.append, self._set_upstreams, self._say
        )

    def save(self, text: str) -> None:
        self.path.write_text(text)
        asyncio.run(self._read.reread())

    def _conduct_of(self, settings: Settings) -> GateConduct:
        return GateConduct(deadline_seconds=settings.gate.deadline_seconds)

    async def _set_upstreams(self, upstreams: Sequence[UpstreamSettings], fault: Fault) -> None:
        if any(upstream.dialect == "klingon" for upstream in upstreams):
            raise UserFault("upstream 'up': dialect 'klingon' is unknown")
        self.upstreams = [upstream.name for upstream in upstreams]

    def _say(self, where: str, message: str) -> None:
        self.said.append(f"{where}: {message}")


@pytest.fixture
def running(tmp_path: Path) -> Running:
    return Running(tmp_path)


RULE = "[[rules]]\nverdict = 'deny'\ntool = 'rm'\n"


def test_rules_and_the_conduct_of_the_gate_count_at_once(running: Running) -> None:
    running.save(f"[gate]\ndeadline_seconds = 7\n{RULE}")
    assert [rule.tool for rule in running.rulebook.rules()] == ["rm"]
    assert running.conducts[-1].deadline_seconds == 7 and running.said == []


UPSTREAM = "[[upstreams]]\nname = 'up'\nwire = 'openai-chat'\nbase_url = 'http://127.0.0.1:1/v1'\n"


def test_the_endpoints_count_at_once(running: Running) -> None:
    running.save(f"[gate]\ndeadline_seconds = 300\n{UPSTREAM}")
    assert (running.upstreams, running.said) == (["up"], [])


def test_endpoints_that_cannot_be_used_leave_those_before_and_do_not_hinder_the_rest(running: Running) -> None:
    running.save(f"[gate]\ndeadline_seconds = 300\n{UPSTREAM}")
    running.save(f"[gate]\ndeadline_seconds = 300\n{UPSTREAM}dialect = 'klingon'\n{RULE}")
    assert running.upstreams == ["up"]
    assert [rule.tool for rule in running.rulebook.rules()] == ["rm"]
    (said,) = running.said
    assert "klingon" in said and "stay in force" in said


def test_a_bad_file_leaves_the_last_good_one_in_force_and_says_where(running: Running) -> None:
    running.save(RULE)
    running.save("[[rules]]\nverdict = 'dny'\n")
    assert [rule.tool for rule in running.rulebook.rules()] == ["rm"]
    assert "line 2: rules[0].verdict" in running.said[0] or "line 2" in running.said[0]
    assert "stays in force" in running.said[0]
    running.save("")
    assert running.rulebook.rules() == () and len(running.said) == 1


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[server]\nport = 9\n", "[server]"),
        ("[gate]\ntools_enabled = false\ndeadline_seconds = 300\n", "gate.tools_enabled"),
    ],
)
def test_what_counts_only_from_the_next_start_on_is_said(running: Running, text: str, named: str) -> None:
    running.save(text)
    (said,) = running.said
    assert named in said and "next start" in said


def test_rules_that_were_edited_by_hand_are_read_again(running: Running, tmp_path: Path) -> None:
    heard: list[int] = []
    listener: Callable[[], None] = lambda: heard.append(1)  # noqa: E731
    running.rulebook.on_change(listener)
    (tmp_path / "rules.toml").write_text(RULE)
    asyncio.run(running._read.reread_rules())
    assert [rule.tool for rule in running.rulebook.rules()] == ["rm"] and heard
