"""The commands as processes, exactly as a person or a script starts them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from callgate.runtime.resources import resource

COMMAND = [str(Path(sys.executable).with_name("callgate"))]
READY = "Callgate listening on "
SECONDS = 20.0
PICTURES_SECONDS = 150.0
"""Some thirty pictures of the whole window, each in two themes."""


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    return kept | more


@contextmanager
def started(*arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env=environment(**more),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], mark: str) -> list[str]:
    assert process.stdout is not None
    lines: list[str] = []
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        line = process.stdout.readline()
        if not line:
            break
        lines.append(line.rstrip("\n"))
        if mark in line:
            return lines
    raise AssertionError(f"{mark!r} never came: {lines} {process.stderr.read() if process.stderr else ''}")


def address(lines: list[str]) -> str:
    return lines[-1].removeprefix(READY)


def finish(process: subprocess.Popen[str], number: signal.Signals) -> float:
    asked = time.monotonic()
    process.send_signal(number)
    assert process.wait(SECONDS) == 0, process.stderr.read() if process.stderr else ""
    return time.monotonic() - asked


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_says_when_it_is_ready_and_ends_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with started("serve", "--port", "0", "--data", str(tmp_path / "d"), "--workspace", str(tmp_path)) as process:
        url = address(read_until(process, READY))
        assert httpx.get(f"{url}/healthz", trust_env=False).json()["status"] == "ok"
        assert httpx.head(url, trust_env=False).status_code == 200
        assert finish(process, number) < 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_window_says_when_it_is_ready_and_ends_in_order_with_a_stream_open(
    tmp_path: Path, number: signal.Signals
) -> None:
    options = ["--port", "0", "--data", str(tmp_path / "d"), "--workspace", str(tmp_path)]
    with started(*options, QT_QPA_PLATFORM="offscreen") as process:
        url = address(read_until(process, READY))
        body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "List the folder"}]}
        more = {"use_tools": True, "tool_execution": "auto"}
        with (
            httpx.Client(trust_env=False, timeout=SECONDS) as client,
            client.stream("POST", f"{url}/v1/chat/completions", json=body | more) as response,
        ):
            next(response.iter_raw())
            assert finish(process, number) < 2


def test_killed_while_a_call_waits_nothing_that_was_finished_is_lost(tmp_path: Path) -> None:
    """What was shown as finished is there at the next start; the call that waited was cancelled by the end."""
    (tmp_path / "notes.txt").write_text("buy milk\n", "utf-8")
    options = ["--port", "0", "--data", str(tmp_path / "d"), "--workspace", str(tmp_path)]
    with (
        started(*options, QT_QPA_PLATFORM="offscreen") as process,
        httpx.Client(trust_env=False, timeout=SECONDS) as client,
    ):
        url = address(read_until(process, READY)) + "/v1/chat/completions"
        done = client.post(url, json={"model": "m", "messages": [{"role": "user", "content": "Good morning"}]})
        assert done.status_code == 200
        ask = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Read notes.txt"}]}
        with client.stream("POST", url, json=ask | {"use_tools": True, "tool_execution": "auto"}) as response:
            beat = next(line for line in response.iter_lines() if '"delta":{}' in line)  # it is held: a call waits
            assert beat
            process.send_signal(signal.SIGKILL)
            process.wait(SECONDS)
    with started("serve", *options) as process:
        read_until(process, READY)
        finish(process, signal.SIGTERM)
    told = subprocess.run(
        [*COMMAND, "export", "--all", "--format", "markdown", "--data", str(tmp_path / "d")],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment(),
    )
    assert told.returncode == 0, told.stderr
    assert "Good morning" in told.stdout and "Read notes.txt" in told.stdout
    assert done.json()["choices"][0]["message"]["content"].splitlines()[0] in told.stdout
    assert "cancelled" in told.stdout and "buy milk" not in told.stdout


def test_without_a_display_the_window_says_so_and_tells_what_to_do_instead(tmp_path: Path) -> None:
    with started("--data", str(tmp_path / "d")) as process:
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 1
        assert "no display" in errors and "callgate serve" in errors


def test_without_a_display_the_demo_shows_its_main_job_and_keeps_serving(tmp_path: Path) -> None:
    with started("demo", "--port", "0") as process:
        url = address(read_until(process, READY))
        told = "\n".join(read_until(process, "Ctrl+C ends it"))
        for expected in ("no screen", "waits for approval", "approved", "ran; its result begins: # Weather station"):
            assert expected in told
        assert httpx.get(f"{url}/v1/tools", trust_env=False).json()["data"]
        assert finish(process, signal.SIGINT) < 2


def test_what_the_demo_may_change_is_a_copy_of_the_sample(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[[rules]]\nverdict = "allow"\ntool = "create_directory"\n', "utf-8")
    with started("demo", "--port", "0", "--config", str(config)) as process:
        url = address(read_until(process, READY))
        read_until(process, "Ctrl+C ends it")
        body = {"model": "m", "messages": [{"role": "user", "content": "Create the directory made_by_a_test"}]}
        more = {"use_tools": True, "tool_execution": "auto"}
        answer = httpx.post(f"{url}/v1/chat/completions", json=body | more, trust_env=False, timeout=SECONDS).text
        finish(process, signal.SIGINT)
    assert "Created" in answer, answer
    assert not resource("samples", "workspace", "made_by_a_test").exists()


def test_a_reader_that_leaves_ends_a_listing_without_a_traceback(tmp_path: Path) -> None:
    with started("tools", "--data", str(tmp_path / "d"), "--workspace", str(tmp_path)) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.wait(SECONDS) == 141
        assert process.stderr.read() == ""


def test_a_reader_that_leaves_does_not_end_a_server(tmp_path: Path) -> None:
    with started("demo", "--port", "0") as process:
        assert process.stdout is not None and process.stderr is not None
        url = address(read_until(process, READY))
        process.stdout.close()
        body = {"model": "m", "messages": [{"role": "user", "content": "Good morning"}]}
        assert httpx.post(f"{url}/v1/chat/completions", json=body, trust_env=False, timeout=SECONDS).is_success
        finish(process, signal.SIGINT)
        assert process.stderr.read() == ""


def test_calls_can_be_decided_in_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("buy milk\n", "utf-8")
    options = ["--on-ask", "prompt", "--port", "0", "--data", str(tmp_path / "d"), "--workspace", str(tmp_path)]
    with started("serve", *options) as process:
        url = address(read_until(process, READY))
        assert process.stdin is not None
        process.stdin.write("perhaps\nd too private\n")
        process.stdin.flush()
        body = {"model": "m", "messages": [{"role": "user", "content": "Read notes.txt"}]}
        more = {"use_tools": True, "tool_execution": "auto"}
        answer = httpx.post(f"{url}/v1/chat/completions", json=body | more, trust_env=False, timeout=SECONDS).text
        told = "\n".join(read_until(process, "read_file: deny"))
        assert "wants to run read_file" in told and '"path": "notes.txt"' in told and "Please answer" in told
        assert "buy milk" not in answer
        finish(process, signal.SIGTERM)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--config", "missing.toml"], "missing.toml"),
        (["serve", "--port", "99999"], "0 to 65535"),
        (["serve", "--workspace", "/nowhere/at/all"], "is not a folder"),
        (["rules", "check", "missing.toml"], "missing.toml"),
        (["fly"], "invalid choice"),
    ],
)
def test_what_the_person_can_mend_is_said_without_a_traceback(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=SECONDS, env=environment(), cwd=tmp_path
    )
    assert done.returncode != 0
    assert says in done.stderr and "Traceback" not in done.stderr


def test_a_bad_configuration_names_file_line_and_what_was_expected(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text('[server]\nport = "8080"\n', "utf-8")
    done = subprocess.run(
        [*COMMAND, "serve", "--config", str(config)], capture_output=True, text=True, timeout=SECONDS, env=environment()
    )
    assert done.returncode == 2
    assert "callgate.toml" in done.stderr and "2" in done.stderr and "port" in done.stderr


def test_without_a_window_what_fails_is_said_on_standard_error(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[[sources]]\nname = "gone"\nkind = "mcp"\ncommand = ["no-such-program"]\n', "utf-8")
    with started("serve", "--port", "0", "--data", str(tmp_path / "d"), "--config", str(config)) as process:
        read_until(process, READY)
        assert process.stderr is not None
        assert process.stderr.readline().startswith("callgate: MCP server gone: The command 'no-such-program' was not")


def test_tools_are_listed(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "tools", "read_*"], capture_output=True, text=True, timeout=SECONDS, env=environment(), cwd=tmp_path
    )
    assert done.returncode == 0 and "read_file" in done.stdout


@pytest.mark.timeout(PICTURES_SECONDS + SECONDS)
def test_the_demonstration_saves_its_pictures(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "demo", "--port", "0", "--screenshots", str(tmp_path / "pictures")],
        capture_output=True,
        text=True,
        timeout=PICTURES_SECONDS,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr
    pictures = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    for name in ("approval-dark.png", "approval-light.png", "conversation-dark.png", "dialog-light.png"):
        assert name in pictures
