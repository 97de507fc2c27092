"""Sources that could be added, from pasted text and from files of other programs, held against what is there."""

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from callgate.core.config.settings import SourceSettings
from callgate.core.config.source_input import hide_secrets, inputs_of, looks_secret
from callgate.core.tool import CLIENT_SOURCE
from callgate.engine.sources.source_service import Draft, FoundFile, Recognition
from callgate.tools.mcp_source.import_config import ImportProblem
from callgate.tools.other_programs import FoundServers, find_servers, usual_places
from callgate.tools.source_text import fit_source_name, recognise

_NAME = re.compile(r"[A-Za-z0-9_.-]+")


class SourceDrafts:
    def __init__(
        self,
        workspace: Path,
        known: Callable[[], tuple[SourceSettings, ...]],
        names: Callable[[], frozenset[str]],
    ) -> None:
        """`known`: the sources that are configured; `names`: all that are taken."""
        self._workspace = workspace
        self._known = known
        self._names = names

    def draft(self, settings: SourceSettings, replacing: str = "") -> Draft:
        problem = ""
        if not _NAME.fullmatch(settings.name):
            problem = "A source's name has letters, digits, '_', '.' and '-' only."
        elif settings.name in self._names() - {replacing}:
            problem = f"There is already a source named {settings.name}: give this one another name."
        elif settings.name == CLIENT_SOURCE:
            problem = f"{CLIENT_SOURCE} is what tools of agents go under: give it another name."
        elif secret := _open_secret(settings):
            problem = (
                f"{secret} looks like a secret, which is never written into a file: take it out of env, name it in "
                "pass_env, and give it to Callgate in its own environment."
            )
        return Draft(settings, _notes(settings), problem)

    def recognise(self, text: str, replacing: str = "") -> Recognition:
        found = recognise(text)
        notes, general = _by_source(found.sources, found.problems)
        drafts: list[Draft] = []
        for settings in found.sources:
            draft = self.draft(settings, replacing)
            drafts.append(Draft(settings, (*notes.get(settings.name, ()), *draft.notes), draft.problem))
        return Recognition(found.words, tuple(drafts), general)

    async def found(self) -> tuple[FoundFile, ...]:
        places = usual_places(self._workspace, os.environ)
        files = await asyncio.to_thread(find_servers, places, self._workspace)
        taken = set(self._names())
        return tuple(self._previewed(file, taken) for file in files)

    def _previewed(self, file: FoundServers, taken: set[str]) -> FoundFile:
        notes, general = _by_source(file.imported.sources, file.imported.problems)
        drafts: list[Draft] = []
        for settings in file.imported.sources:
            said = list(notes.get(settings.name, ()))
            same = next((one.name for one in self._known() if _is_same(one, settings)), None)
            problem = f"It is here already, as {same}." if same else ""
            free = settings.name
            if not problem:
                free = _free_name(settings.name, taken)
                taken.add(free)
            if free != settings.name:
                said.append(f"It will be called {free}: {settings.name} is taken")
            fresh = settings.model_copy(update={"name": free})
            drafts.append(Draft(fresh, (*said, *_notes(fresh)), problem))
        return FoundFile(file.program, str(file.path), tuple(drafts), general)


def _open_secret(settings: SourceSettings) -> str:
    """A variable of a command tool that would stand in the file for everybody to read; empty = there is none."""
    if settings.kind != "command":
        return ""
    variables = [*settings.env.items(), *(item for tool in settings.tools for item in tool.env.items())]
    return next((name for name, value in variables if looks_secret(name, value)), "")


def _notes(settings: SourceSettings) -> tuple[str, ...]:
    """What will be done with its secrets, and what it will ask for."""
    notes: list[str] = []
    if secrets := hide_secrets(settings).values:
        notes.append(f"Goes into the keyring, not into a file: {', '.join(secrets)}")
    if inputs := inputs_of(settings):
        notes.append(f"Will be asked for: {', '.join(inputs)}")
    return tuple(notes)


def _by_source(
    sources: Sequence[SourceSettings], problems: Sequence[ImportProblem]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """What was said of each source that could be read, and the rest."""
    names = {source.name for source in sources}
    notes: dict[str, tuple[str, ...]] = {}
    general: list[str] = []
    for problem in problems:
        name = fit_source_name(problem.server) if problem.server else ""
        if name not in names:
            general.append(str(problem))
        elif "plain text" not in problem.message:  # of secrets more is known here
            notes[name] = (*notes.get(name, ()), problem.message)
    return notes, tuple(general)


def _is_same(one: SourceSettings, other: SourceSettings) -> bool:
    """Whether both start or reach the same server."""
    if one.kind != "mcp":
        return False
    a, b = hide_secrets(one).settings, hide_secrets(other).settings
    return (a.command, a.url, a.env, a.headers, a.cwd) == (b.command, b.url, b.env, b.headers, b.cwd)


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
