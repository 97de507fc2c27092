"""Servers that fail, quit, hang, babble or refuse to go."""

import asyncio
import os
import signal
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.mcp_sources import alive, opened, rude, settings, until, versatile, watch

from callgate.core.errors import PeerFault
from callgate.engine.tasks import CLOSE_SECONDS as SHUTDOWN_SECONDS
from callgate.tools.catalog import Catalog
from callgate.tools.mcp_source.connection import MOST_PAGES
from callgate.tools.source import CallContext


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 40))


def test_opening_returns_at_once_and_connects_in_the_background(tmp_path: Path) -> None:
    async def work() -> None:
        began = time.monotonic()
        async with opened(settings(rude("polite")), tmp_path) as server:
            assert time.monotonic() - began < 0.2
            assert server.source.state == "starting"
            await server.ready()
            assert [status.state for status in server.statuses] == ["starting", "ready"]
        assert server.source.state == "stopped"
        assert server.source.tools() == ()

    run(work())


def test_a_call_right_after_opening_waits_for_the_server(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite"), era="legacy"), tmp_path) as server:
            await server.ready()
            tool = server.tool("echo")
            server.source.restart()
            context = CallContext("c", "v", lambda *report: None)
            await until(lambda: server.source.state != "ready")
            assert "hi" in str(await server.source.call(tool, {"a": "hi"}, context))

    run(work())


def test_a_server_killed_in_mid_call_fails_the_call_in_words_and_the_catalog_recovers(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(versatile()), tmp_path) as server:
            await server.ready()
            catalog = Catalog([server.source])
            first = server.source.pid
            with pytest.raises(PeerFault) as cut:
                await server.call("die")
            assert "went away during the call" in str(cut.value)
            assert "exited with code 7" in str(cut.value)
            assert "goodbye, cruel world" in str(cut.value)
            await until(lambda: server.source.state == "restarting")
            assert catalog.get("echo") is not None, "tools stay listed while the server is started again"
            await server.ready()
            assert server.source.pid != first
            assert await server.text("echo", text="again") == "again"

    run(work())


def test_the_death_of_an_idle_server_is_noticed_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite")), tmp_path) as server:
            await server.ready()
            assert server.source.pid is not None
            os.kill(server.source.pid, signal.SIGKILL)
            await until(lambda: server.source.state == "restarting", 1.0)
            assert "was ended by signal 9" in server.source.status.reason
            assert server.source.status.retry_at is not None
            await server.ready()

    run(work())


def test_a_server_that_exits_at_once_is_tried_again_and_says_why(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("quits")), tmp_path) as server:
            await until(lambda: server.source.state == "failed")
            assert "exited with code 3; its last words: no licence found" in server.source.status.reason
            assert server.source.status.retry_at is not None
            await until(lambda: len([s for s in server.statuses if s.state == "failed"]) >= 2)
            assert server.source.stderr[:2] == ("no licence found", "no licence found")

    run(work())


def test_a_command_that_does_not_exist_fails_once_and_waits_for_the_person(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(("no-such-server-anywhere",)), tmp_path) as server:
            await until(lambda: server.source.state == "failed")
            assert "'no-such-server-anywhere' was not found" in server.source.status.reason
            assert server.source.status.retry_at is None
            server.statuses.clear()
            server.source.restart()
            await until(lambda: [s.state for s in server.statuses] == ["starting", "failed"])

    run(work())


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite"), cwd="nowhere"), tmp_path) as server:
            await until(lambda: server.source.state == "failed")
            assert str(tmp_path / "nowhere") in server.source.status.reason

    run(work())


def test_a_call_to_a_failed_server_says_that_nothing_was_run(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite")), tmp_path) as server:
            await server.ready()
            tool = server.tool("echo")
            await server.source.close()
            with pytest.raises(PeerFault, match=r"is not connected .*nothing was run"):
                await server.source.call(tool, {}, CallContext("c", "v", lambda *report: None))

    run(work())


def test_garbage_on_stdout_is_logged_and_does_no_harm(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("garbage")), tmp_path) as server:
            await server.ready()
            assert '"a": 1' in await server.text("echo", a=1)
            assert any("[stdout, not MCP] Debug: got a line <html>" in line for line in server.source.stderr)

    run(work())


def test_a_server_that_ignores_every_signal_is_gone_within_a_second_with_its_child(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("immortal")), tmp_path) as server:
            await server.ready()
            pid = server.source.pid
            child = int(server.source.stderr[0].removeprefix("child "))
            assert pid is not None
            assert alive(pid)
            assert alive(child)
            began = time.monotonic()
            await server.source.close()
            assert time.monotonic() - began < 1.0
            await until(lambda: not alive(pid) and not alive(child), 1.0)

    run(work())


def test_a_shutdown_of_all_tasks_leaves_no_process_behind(tmp_path: Path) -> None:
    async def work() -> None:
        server = watch(settings(rude("immortal")), tmp_path)
        await server.source.open()
        await server.ready()
        pid = server.source.pid
        assert pid is not None
        began = time.monotonic()
        await server.tasks.close()
        await server.source.close()
        assert time.monotonic() - began < SHUTDOWN_SECONDS + 0.5
        assert not alive(pid)
        assert len(server.tasks) == 0

    run(work())


def test_a_stop_that_is_cancelled_again_still_kills_the_server(tmp_path: Path) -> None:
    async def work() -> None:
        server = watch(settings(rude("immortal")), tmp_path)
        await server.source.open()
        await server.ready()
        pid = server.source.pid
        (owner,) = [task for task in asyncio.all_tasks() if task.get_name() == "MCP server srv"]
        assert pid is not None
        owner.cancel()
        await asyncio.sleep(0.05)
        owner.cancel()
        await until(lambda: not alive(pid))
        await until(owner.done)
        await server.source.close()

    run(work())


def test_closing_while_a_server_hangs_in_its_handshake_is_quick(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("mute")), tmp_path) as server:
            await until(lambda: server.source.pid is not None)
            pid = server.source.pid
            began = time.monotonic()
            await server.source.close()
            assert time.monotonic() - began < 1.0
            assert pid is not None
            assert not alive(pid)

    run(work())


def test_a_remembered_older_server_is_connected_without_the_probe(tmp_path: Path) -> None:
    async def work() -> None:
        began = time.monotonic()
        async with opened(settings(rude("silent")), tmp_path, era="legacy") as server:
            await server.ready()
            assert time.monotonic() - began < 5.0, "the probe of a silent server takes ten seconds"
            assert server.source.era == "legacy"
            assert not any("server/discover" in frame.text for frame in server.frames)

    run(work())


def test_a_server_that_quits_at_the_newer_eras_question_is_asked_in_the_older_way(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("fragile")), tmp_path) as server:
            await server.ready()
            assert server.source.era == "legacy"

    run(work())


def test_a_server_without_tools_is_connected_all_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("toolless")), tmp_path) as server:
            await server.ready()
            assert server.source.tools() == ()

    run(work())


def test_an_endless_list_is_cut_and_said(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("endless")), tmp_path) as server:
            await server.ready()
            assert len(server.source.tools()) == MOST_PAGES
            assert "goes on after" in str(server.source.problems[0])

    run(work())


def test_tools_that_cannot_be_used_stay_visible_with_the_reason(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("broken_tools")), tmp_path) as server:
            await server.ready()
            enabled = {tool.name: tool.enabled for tool in server.source.tools()}
            assert enabled == {
                "good": True,
                "no_type": True,
                "no_schema": True,
                "bad_output": True,
                "bad_schema": False,
                "far_ref": False,
                "task_only": False,
                "schema_is_text": False,
            }
            said = [str(problem) for problem in server.source.problems]
            assert any(words.startswith("good: listed more than once") for words in said)
            assert any(words.startswith("a tool without a name") for words in said)
            assert "inputSchema" in server.tool("schema_is_text").user_description
            refused = await server.call("task_only")
            assert refused.is_error
            assert "was not run" in str(refused.parts)
            offered = [tool.name for tool in Catalog([server.source]).offered()]
            assert offered == ["good", "no_type", "no_schema", "bad_output"]

    run(work())


def test_content_that_is_none_is_shown_as_text(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("broken_result")), tmp_path) as server:
            await server.ready()
            words = await server.text("echo")
            assert words.startswith("fine")
            assert "hologram" in words
            assert "[structured content] [1,2]" in words

    run(work())


def test_a_very_long_line_is_one_message(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite")), tmp_path) as server:
            await server.ready()
            assert len(await server.text("big", size=5_000_000)) == 5_000_000

    run(work())


def test_a_server_sees_a_safe_environment_and_what_was_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "do not leak")
    monkeypatch.setenv("CITY", "Ulm")
    (tmp_path / "sub").mkdir()
    (tmp_path / ".env").write_text("FROM_FILE='yes'\nPLACE=file\n", "utf-8")

    async def value(name: str) -> str | None:
        return {"token": "s3cret"}.get(name)

    configured = settings(
        rude("polite", "${workspaceFolder}"),
        env={"PLACE": "${env:CITY}", "TOKEN": "${input:token}", "MISSING": "${NOPE:-none}"},
        env_file=".env",
        cwd="sub",
    )

    async def work() -> None:
        async with opened(configured, tmp_path, input_value=value) as server:
            await server.ready()
            seen = await server.text("environment")
            assert "do not leak" not in seen
            assert '"PLACE": "Ulm"' in seen
            assert '"TOKEN": "s3cret"' in seen
            assert '"MISSING": "none"' in seen
            assert '"FROM_FILE": "yes"' in seen
            assert '"PATH"' in seen
            assert f'"cwd": "{tmp_path / "sub"}"' in seen
            assert f'"argv": ["{tmp_path}"]' in seen

    run(work())


def test_an_input_that_nobody_gives_is_named(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(settings(rude("polite"), env={"T": "${input:token}"}), tmp_path) as server:
            await until(lambda: server.source.state == "failed")
            assert server.source.status.reason == "No value was given for the input 'token'."

    run(work())
