import asyncio
from pathlib import Path

from callgate.core.config.doctor import DoctorStep
from callgate.core.config.settings import SourceSettings
from callgate.tools.command_doctor import examine_commands


def test_programs_are_looked_for_and_none_is_run(tmp_path: Path) -> None:
    settings = SourceSettings.model_validate(
        {
            "name": "mine",
            "kind": "command",
            "tools": [
                {"name": "shell", "argv": ["sh", "-c", "touch ran"]},
                {"name": "gone", "argv": ["no-such-program-anywhere"]},
                {"name": "lost", "argv": ["sh"], "cwd": "nowhere"},
            ],
        }
    )
    said: list[DoctorStep] = []
    found = asyncio.run(examine_commands(settings, tmp_path, said.append))
    assert [step.state for step in found.steps] == ["ok", "failed", "failed"]
    assert "not found" in found.steps[1].detail
    assert "nowhere" in found.steps[2].detail
    assert [step.state for step in said][:2] == ["running", "ok"]
    assert not list(tmp_path.iterdir())
