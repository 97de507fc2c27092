"""A conversation of 10,000 blocks opens, scrolls and grows without anybody noticing its size."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(180)]

FRAME_MS = 33.0
"""Two frames: a longer stall is seen."""
FIRST_MS = 300.0


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    script = Path(__file__).with_name("conversation_process.py")
    root = Path(__file__).parents[2]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    folder = tmp_path_factory.mktemp("conversation")
    done = subprocess.run(
        [sys.executable, script, folder], env=environment, capture_output=True, text=True, timeout=150, check=True
    )
    measured: dict[str, float] = orjson.loads(done.stdout.strip().splitlines()[-1])
    for name, value in measured.items():
        print(f"{name:>18}: {value:,.1f}")
    return measured


def test_it_opens_in_under_three_tenths_of_a_second(numbers: dict[str, float]) -> None:
    assert numbers["open_ms"] < FIRST_MS


def test_jumps_and_steps_of_the_scroll_bar_are_not_felt(numbers: dict[str, float]) -> None:
    assert numbers["jump_p95_ms"] < FRAME_MS
    assert numbers["step_median_ms"] < FRAME_MS / 2


def test_six_thousand_deltas_at_a_thousand_a_second_never_stall_the_loop(numbers: dict[str, float]) -> None:
    assert numbers["stream_stall_ms"] < FRAME_MS


def test_all_of_it_fits_into_memory(numbers: dict[str, float]) -> None:
    assert numbers["resident_mb"] < 250


@pytest.mark.parametrize("kind", ["json", "table", "text", "line", "terminal"])
def test_a_result_of_a_megabyte_does_not_stall_the_view(numbers: dict[str, float], kind: str) -> None:
    assert numbers[f"big_{kind}_ms"] < FRAME_MS
