"""Each text is run as it is, by the program it is written for, against a running proxy."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.fakes.running import RunningStation, running

from callgate.runtime.runtime import Launch
from callgate.ui.tools.try_it.snippets import Call, as_curl, as_json, as_mcp, as_openai

CONFIG = """
[server]
token = {token}

[[rules]]
verdict = "allow"
tool = "*"
"""
SECONDS = 30.0
"""An interpreter has to start and import an SDK."""
TRICKY = json.dumps({"path": 'it\'s "a" $HOME `x` \\ ü.txt', "content": "one\ntwo\u200b"})


@pytest.fixture(scope="module", params=["", "s3cret"], ids=["open", "token"])
def runtime(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStation]:
    folder = tmp_path_factory.mktemp("snippets")
    config = folder / "callgate.toml"
    config.write_text(CONFIG.format(token=json.dumps(request.param)), "utf-8")
    workspace = folder / "workspace"
    workspace.mkdir()
    (workspace / "notes.txt").write_text("buy milk\n", "utf-8")
    with running(Launch(config, 0, workspace, folder / "data", demo_pace_ms=0)) as opened:
        yield opened


def call(runtime: RunningStation, tool: str, arguments: str) -> Call:
    return Call(runtime.address, tool, arguments, "callgate-demo", bool(runtime.runtime.settings.server.token))


def run(command: list[str], runtime: RunningStation) -> str:
    environment = {**os.environ, "CALLGATE_TOKEN": runtime.runtime.settings.server.token}
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def spell_and_run(spell: Callable[[Call], str], runtime: RunningStation, tool: str, arguments: str) -> str:
    text = spell(call(runtime, tool, arguments))
    assert "s3cret" not in text
    if spell is as_curl:
        return run(["sh", "-c", text], runtime)
    return run([sys.executable, "-c", text], runtime)


def workspace(runtime: RunningStation) -> Path:
    return runtime.runtime.launch.workspace_folder


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed here")
def test_curl_gets_the_result_in_one_request(runtime: RunningStation) -> None:
    said = spell_and_run(as_curl, runtime, "read_file", '{"path": "notes.txt"}')
    assert json.loads(said)["result"]["content"] == [{"type": "text", "text": "buy milk\n"}]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed here")
def test_no_letter_is_lost_on_the_way_through_a_shell(runtime: RunningStation) -> None:
    spell_and_run(as_curl, runtime, "create_file", TRICKY)
    wanted = json.loads(TRICKY)
    assert (workspace(runtime) / wanted["path"]).read_text("utf-8") == wanted["content"]
    (workspace(runtime) / wanted["path"]).unlink()


def test_python_with_mcp_gets_the_result(runtime: RunningStation) -> None:
    assert "buy milk" in spell_and_run(as_mcp, runtime, "read_file", '{"path": "notes.txt"}')


def test_python_with_openai_has_a_model_make_the_call(runtime: RunningStation) -> None:
    assert "git_status" in spell_and_run(as_openai, runtime, "git_status", "{}")
    made = [event.invocation for event in runtime.events if event.kind == "invocation"]  # type: ignore[union-attr]
    assert made[-1].tool == "git_status"
    assert made[-1].state == "Completed"


def test_json_is_the_call_as_mcp_has_it() -> None:
    text = as_json(Call("http://127.0.0.1:1", "t", '{"a": 1.0, "b": 100000000000000000000}', "m"))
    assert text == '{\n  "name": "t",\n  "arguments": {\n    "a": 1.0,\n    "b": 100000000000000000000\n  }\n}'


def test_a_name_that_is_no_plain_text_still_fits_a_header() -> None:
    assert "Mcp-Name: =?base64?" in as_curl(Call("http://127.0.0.1:1", "größe", "{}", "m"))
