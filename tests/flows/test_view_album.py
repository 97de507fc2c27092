"""The album of pictures is made from the real window, at any scale; what is in them is for eyes to judge."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scale", [1, 2])
def test_pictures_are_taken_at_the_size_of_the_window_times_the_scale(tmp_path: Path, scale: int) -> None:
    asked = (str(tmp_path), "--scale", str(scale), "--only", "empty,palette", "--dark")
    done = subprocess.run(
        [sys.executable, "-m", "tests.flows.view_album", *asked],
        cwd=ROOT, capture_output=True, timeout=100, check=False, text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    taken = {path.stem: QImage(str(path)) for path in tmp_path.glob("*.png")}
    assert {"window-empty-dark", "traffic-empty-dark", "statistics-empty-dark", "palette-nothing-dark"} <= set(taken)
    for name, picture in taken.items():
        assert (picture.width(), picture.height()) == (1280 * scale, 800 * scale), name
        shades = {picture.pixelColor(x, y).rgb() for x in range(0, 1280, 9) for y in range(0, 800, 9)}
        assert len(shades) > 8, f"{name} is empty"
