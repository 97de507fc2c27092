"""The demonstration and the choice of an endpoint, with a provider configured that would answer anything."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.desktop.agent import Model
from tests.desktop.program import DIALOG, Program
from tests.desktop.screen import Screen


class Exact(Model):
    @property
    def config(self) -> str:
        return super().config.replace('["*"]', '["m"]')


@pytest.fixture
def exact() -> Iterator[Model]:
    played = Exact()
    yield played
    played.end()


def test_the_demo_uses_its_own_model_and_workspace_grants_nothing_and_ends_well(own_program: Program) -> None:
    own_program.model.results.clear()
    own_program.activate("demoButton", "mainWindow")
    own_program.ready("approveButton", DIALOG)
    offered = httpx.get(f"{own_program.address}/v1/tools").json()["data"]
    assert not [tool["name"] for tool in offered if tool["name"].endswith("_sample")], (
        "others are not offered its tools"
    )
    own_program.front_dialog()
    while own_program.sees("approveButton", DIALOG):
        own_program.activate("approveButton", DIALOG, ready=True)
        own_program.screen.until(
            lambda: (
                not own_program.sees("approveButton", DIALOG)
                or own_program.screen.seen(own_program.pid, within=DIALOG, id="approveButton", first=True)[0].enabled
            ),
            "the next call, or none",
        )
    own_program.screen.gone(own_program.pid, within=DIALOG)
    own_program.screen.until(lambda: not own_program.sees("stopButton", "mainWindow"), "its end")
    assert own_program.model.results == {}, "the configured provider was asked nothing"
    asked = own_program.ask("list_directory", path=".")
    own_program.ready("approveButton", DIALOG)
    assert asked.waits, "what the demo was granted counts for nobody else"


def test_an_exact_name_beats_an_endpoint_for_everything(
    screen: Screen, model: Model, exact: Model, tmp_path: Path
) -> None:
    model.results.clear()
    wild = model.config.replace('"played"', '"wild"') + "\n"
    program = Program(screen, tmp_path, exact, wild)
    try:
        asked, _ = program.write()
        program.front_dialog()
        program.activate("approveButton", DIALOG, ready=True)
        assert asked.ended().status == 200
        assert len(exact.results) == 1 and model.results == {}
    finally:
        program.end()
