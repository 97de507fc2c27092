"""A conversation of 10,000 blocks opens, scrolls and grows without anybody noticing its size."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

WHOLE_MB = 250.0
AS_THE_COMMAND_DOES = """
import runpy, sys
import callgate.cli.main
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""What knows nothing of Qt is loaded before it: PySide looks into everything that comes after."""
FRAME_MS = 33.0
"""Two frames: a longer stall is seen."""
FIRST_MS = 300.0
MOST_MB = 60.0
"""What the blocks may add to a program that is open already."""


def measured(script: str, folder: Path) -> dict[str, float]:
    """What a process of its own found out."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", AS_THE_COMMAND_DOES, str(Path(__file__).with_name(script)), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=150, check=True)
    found: dict[str, float] = orjson.loads(done.stdout.strip().splitlines()[-1])
    for name, value in found.items():
        print(f"{name:>22}: {value:,.1f}")
    return found


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return measured("conversation_process.py", tmp_path_factory.mktemp("conversation"))


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return measured("window_process.py", tmp_path_factory.mktemp("window"))


def test_it_opens_in_under_three_tenths_of_a_second(numbers: dict[str, float]) -> None:
    assert numbers["open_ms"] < FIRST_MS


def test_jumps_and_steps_of_the_scroll_bar_are_not_felt(numbers: dict[str, float]) -> None:
    assert numbers["jump_p95_ms"] < FRAME_MS
    assert numbers["step_median_ms"] < FRAME_MS / 2


def test_six_thousand_deltas_at_a_thousand_a_second_never_stall_the_loop(numbers: dict[str, float]) -> None:
    assert numbers["stream_stall_ms"] < FRAME_MS


def test_all_of_it_fits_into_memory(numbers: dict[str, float]) -> None:
    assert numbers["resident_mb"] < WHOLE_MB


@pytest.mark.parametrize("kind", ["json", "table", "text", "line", "terminal"])
def test_a_result_of_a_megabyte_does_not_stall_the_view(numbers: dict[str, float], kind: str) -> None:
    assert numbers[f"big_{kind}_ms"] < FRAME_MS


def test_in_the_whole_program_it_opens_scrolls_and_streams_as_fast(window: dict[str, float]) -> None:
    assert window["open_ms"] < FIRST_MS
    assert window["jump_p95_ms"] < FRAME_MS
    assert window["stream_stall_ms"] < FRAME_MS


def test_a_tool_that_returns_a_megabyte_stalls_no_part_of_the_program(window: dict[str, float]) -> None:
    assert window["tool_result_stall_ms"] < FRAME_MS


def test_ten_thousand_blocks_cost_the_program_little_memory(window: dict[str, float]) -> None:
    assert window["conversation_mb"] < MOST_MB


def test_the_whole_program_fits_into_memory_with_them(window: dict[str, float]) -> None:
    assert window["resident_mb"] < WHOLE_MB
