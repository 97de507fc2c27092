"""The MCP SDK is loaded when there is a server to speak to, and not before."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import rude

LISTED = """
import sys
from callgate.cli.main import main
main(["tools", "read_file", *sys.argv[1:]])
print({m!r} in sys.modules)
"""


def loads(module: str, *arguments: str) -> bool:
    done = subprocess.run(
        [sys.executable, "-c", LISTED.format(m=module), *arguments],
        capture_output=True, text=True, timeout=40, check=True,
    )  # fmt: skip
    *listed, loaded = done.stdout.splitlines()
    assert any(line.startswith("read_file") for line in listed), done.stderr
    return loaded == "True"


@pytest.mark.parametrize("module", ["mcp", "mcp_types", "PySide6"])
def test_without_a_server_neither_sdk_nor_window_is_loaded(tmp_path: Path, module: str) -> None:
    assert not loads(module, "--data", str(tmp_path), "--workspace", str(tmp_path))


def test_with_a_server_the_sdk_is(tmp_path: Path) -> None:
    argv = ", ".join(f'"{word}"' for word in rude("polite"))
    config = tmp_path / "config.toml"
    config.write_text(f'[[sources]]\nname = "polite"\nkind = "mcp"\nera = "legacy"\ncommand = [{argv}]\n', "utf-8")
    assert loads(
        "mcp", "--data", str(tmp_path), "--workspace", str(tmp_path), "--config", str(config), "--trust-config"
    )


ADDED = """
import asyncio, json, sys, threading
from pathlib import Path
from callgate.core.config.settings import SourceSettings
from callgate.runtime.runtime import Launch, Runtime

async def main():
    station = Runtime(Launch(data=Path(sys.argv[1]), workspace=Path(sys.argv[1]), port=0, windowed=False))
    await station.open()
    threads = []
    sys.addaudithook(lambda event, args: threads.append(threading.current_thread().name)
                     if event == "import" and args[0] == "mcp" else None)
    await station.sources.add(SourceSettings(name="added", kind="mcp", command=tuple(json.loads(sys.argv[2]))))
    await station.close()
    print(threads[0])

asyncio.run(main())
"""


def test_a_server_that_is_added_while_the_program_runs_loads_the_sdk_beside_the_loop(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ADDED, str(tmp_path), json.dumps(list(rude("polite")))],
        capture_output=True, text=True, timeout=40, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "loading callgate.tools.mcp_source.source", done.stderr
