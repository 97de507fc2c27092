"""A program for each flow that asks for one, taken down at its end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from tests.fakes.program import SECONDS, Program

__all__ = ["SECONDS", "Program"]


@pytest.fixture
def make_program(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    opened: list[Program] = []

    def make(config: str = "") -> Program:
        program = Program(qapp, tmp_path, config)
        program.begin()
        opened.append(program)
        return program

    yield make
    for program in opened:
        program.stop()
