"""A program for each flow that asks for one, taken down at its end."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from tests.fakes.program import SECONDS, Program

__all__ = ["SECONDS", "Program"]

PROGRAMS = pytest.StashKey[list[Program]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """pytest-qt lets Qt run what is due between a test and its end: tasks that go on there must find their loop."""
    try:
        return (yield)
    finally:
        for program in item.stash.get(PROGRAMS, []):
            asyncio.events._set_running_loop(program.loop)


@pytest.fixture
def make_program(
    qapp: QApplication, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Program]]:
    opened = request.node.stash.setdefault(PROGRAMS, [])

    def make(config: str = "") -> Program:
        program = Program(qapp, tmp_path, config)
        program.begin()
        opened.append(program)
        return program

    yield make
    for program in opened:
        program.stop()
