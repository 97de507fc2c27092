"""The doctor on real processes and ports: each step told, the reason found, nothing left behind."""

import asyncio
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import BIN, alive, rude, settings, until, versatile
from tests.fakes.on_loop import on_loop

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.engine.bus import Bus
from callgate.engine.tasks import Tasks
from callgate.tools.mcp_source.doctor import Doctor

STATES = ["configuration", "program", "process", "handshake", "tools"]


class Examined:
    def __init__(self) -> None:
        self.tasks = Tasks(Bus())
        self.told: list[DoctorStep] = []

    async def run(
        self, configured: SourceSettings, workspace: Path, values: Mapping[str, str] = {}, seconds: float = 30.0
    ) -> Diagnosis:
        doctor = Doctor(
            configured,
            workspace,
            self.tasks.start,
            self.told.append,
            values,
            answer_seconds=seconds,
        )
        found = await doctor.examine()
        await until(lambda: len(self.tasks) == 0)
        for pid in self.pids:
            assert not alive(pid)
        return found

    @property
    def pids(self) -> list[int]:
        return [int(step.detail.removeprefix("process ")) for step in self.told if step.detail.startswith("process ")]


def states(found: Diagnosis) -> dict[str, str]:
    return {step.id: step.state for step in found.steps}


@on_loop
async def test_a_real_server_passes_every_step(tmp_path: Path) -> None:
    examined = Examined()
    found = await examined.run(settings((str(BIN / "mcp-server-time"),)), tmp_path)
    assert found.works
    assert states(found) == dict.fromkeys(STATES, "ok")
    assert found.era == "modern"
    handshake, tools = found.steps[3:]
    assert "mcp-time" in handshake.detail and "MCP 2026-07-28" in handshake.detail and "tools" in handshake.detail
    assert tools.detail.startswith("2 tools: ")
    # told as they happen: each begins before it ends
    order = [(step.id, step.state) for step in examined.told]
    assert order == [(step, state) for step in STATES for state in ("running", "ok")]
    assert len(examined.pids) == 1


@on_loop
async def test_a_missing_command_is_said_with_what_to_do(tmp_path: Path) -> None:
    found = await Examined().run(settings(("no-such-server-anywhere",)), tmp_path)
    assert states(found) == {
        "configuration": "ok",
        "program": "failed",
        "process": "skipped",
        "handshake": "skipped",
        "tools": "skipped",
    }
    assert "was not found" in found.steps[1].detail
    assert "Install it" in found.steps[1].hint


@on_loop
async def test_a_server_that_exits_at_once_shows_its_last_words(tmp_path: Path) -> None:
    found = await Examined().run(settings(rude("quits")), tmp_path)
    assert states(found)["handshake"] == "failed"
    assert found.failure is not None
    assert "exited with code 3" in found.failure.detail
    assert found.stderr == ("no licence found",)  # it was started twice, in either era, and said so twice


@on_loop
async def test_a_server_that_prints_garbage_works_with_a_remark(tmp_path: Path) -> None:
    found = await Examined().run(settings(rude("garbage")), tmp_path)
    assert found.works
    assert states(found)["handshake"] == "warning"
    assert any("<html>" in line for line in found.stderr)


@on_loop
async def test_an_older_server_that_quits_at_the_newer_greeting_is_asked_again(tmp_path: Path) -> None:
    found = await Examined().run(settings(rude("fragile")), tmp_path)
    assert found.works
    assert found.era == "legacy"
    assert not found.stderr  # what it said of a greeting that it need not understand is no trouble


@on_loop
async def test_a_silent_server_is_given_up_in_time(tmp_path: Path) -> None:
    found = await Examined().run(settings(rude("mute")), tmp_path, seconds=0.4)
    assert states(found)["handshake"] == "failed"
    assert found.failure is not None and "in time" in found.failure.detail


@on_loop
async def test_a_server_without_tools_is_remarked(tmp_path: Path) -> None:
    found = await Examined().run(settings(rude("toolless")), tmp_path)
    assert states(found)["tools"] == "warning"


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(("kind", "path", "said"), [("http", "/mcp", "streamable HTTP"), ("sse", "/mcp", "SSE")])
def test_a_server_behind_an_address_passes_every_step_over_either_transport(
    tmp_path: Path, kind: str, path: str, said: str
) -> None:
    process = subprocess.Popen(
        versatile(kind), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={"PORT": "0"}
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline())

        @on_loop
        async def examine() -> None:
            await until(lambda: listens(port))  # it says its port a little before it listens
            url = f"http://127.0.0.1:{port}{path}"
            found = await Examined().run(SourceSettings(name="r", kind="mcp", url=url), tmp_path)
            assert states(found) == dict.fromkeys(("configuration", "address", "handshake", "tools"), "ok")
            assert said in found.steps[2].detail

        examine()
    finally:
        process.kill()
        process.wait(5)
        process.stdout.close()


@on_loop
async def test_a_closed_port_is_found_before_anything_is_sent(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = await Examined().run(SourceSettings(name="r", kind="mcp", url=f"http://127.0.0.1:{port}/mcp"), tmp_path)
    assert states(found) == {"configuration": "ok", "address": "failed", "handshake": "skipped", "tools": "skipped"}
    assert found.failure is not None and "Nothing listens" in found.failure.detail


@on_loop
async def test_behind_a_proxy_the_address_itself_is_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    found = await Examined().run(SourceSettings(name="r", kind="mcp", url="http://far.invalid/mcp"), tmp_path)
    assert found.steps[1].detail == "through the proxy http://127.0.0.1:9"
    assert states(found)["handshake"] == "failed"


@on_loop
async def test_an_address_that_is_no_mcp_server_is_told_by_its_status(tmp_path: Path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.read(65536):
            writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        found = await Examined().run(SourceSettings(name="r", kind="mcp", url=f"http://127.0.0.1:{port}/mcp"), tmp_path)
    assert found.failure is not None
    assert (found.failure.id, "401" in found.failure.detail) == ("handshake", True)
    assert "login" in found.failure.hint


@on_loop
async def test_inputs_are_filled_in_and_a_missing_one_stops_it(tmp_path: Path) -> None:
    asking = settings(rude("polite", "${input:word}"))
    found = await Examined().run(asking, tmp_path)
    assert states(found)["configuration"] == "failed"
    assert (await Examined().run(asking, tmp_path, {"word": "x"})).works


@on_loop
async def test_no_secret_is_shown_in_the_steps(tmp_path: Path) -> None:
    examined = Examined()
    assert (await examined.run(settings(rude("polite", "--token", "s3cret")), tmp_path)).works
    assert not any("s3cret" in step.detail for step in examined.told)


@on_loop
async def test_a_cancelled_examination_leaves_nothing_behind(tmp_path: Path) -> None:
    examined = Examined()
    task = examined.tasks.start(_ignored(examined, tmp_path), "examination")
    await until(lambda: bool(examined.pids))
    pid = examined.pids[0]
    assert alive(pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not alive(pid))
    assert not len(examined.tasks)


async def _ignored(examined: Examined, workspace: Path) -> None:
    doctor = Doctor(settings(rude("mute")), workspace, examined.tasks.start, examined.told.append, {})
    await doctor.examine()
