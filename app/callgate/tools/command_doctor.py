"""The doctor for tools that are declared as commands: are their programs there? Nothing is run."""

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from callgate.core.config.doctor import Diagnosis, DoctorStep
from callgate.core.config.settings import SourceSettings


async def examine_commands(
    settings: SourceSettings,
    workspace: Path,
    report: Callable[[DoctorStep], None],
    environ: Mapping[str, str] = os.environ,
) -> Diagnosis:
    steps: list[DoctorStep] = []
    for tool in settings.tools:
        began = time.monotonic()
        title = f"Program of {tool.name}"
        report(DoctorStep(tool.name, title, "running"))
        folder = workspace / (tool.cwd or settings.cwd)
        program = tool.argv[0]
        sought = str(folder / program) if "/" in program else program
        path = {**environ, **settings.env, **tool.env}.get("PATH")
        found = await asyncio.to_thread(shutil.which, sought, path=path)
        seconds = time.monotonic() - began
        if found is None:
            hint = "Install it, or give its full path."
            step = DoctorStep(tool.name, title, "failed", f"{program} was not found.", hint, seconds)
        elif not await asyncio.to_thread(folder.is_dir):
            hint = "It is taken from the workspace on."
            step = DoctorStep(tool.name, title, "failed", f"The folder {folder} is not there.", hint, seconds)
        else:
            step = DoctorStep(tool.name, title, "ok", found, seconds=seconds)
        report(step)
        steps.append(step)
    return Diagnosis(tuple(steps))
