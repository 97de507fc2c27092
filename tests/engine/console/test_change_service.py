"""The desk tells once of each difference, and a file that cannot be read harms no other."""

import asyncio
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.core.events import Event, FileChangesFound
from callgate.engine.bus import Bus
from callgate.engine.console.change_service import LiveChangeService, as_coroutine
from callgate.store.files.reviewed_files import ReviewedFiles
from callgate.store.files.reviewed_rules import ReviewedRules
from callgate.store.rulebook import Rulebook

RULES = '[[rules]]\nverdict = "allow"\ntool = "git"\n'


class Service:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "rules.toml"
        self.files = ReviewedFiles(folder)
        self.rules = Rulebook(self.path, reviewed=ReviewedRules(self.path, self.files))
        self.heard: list[Event] = []
        self.faults: list[tuple[str, str]] = []
        bus = Bus()
        bus.subscribe(self.heard.append)
        self.service = LiveChangeService(self.files, bus, lambda where, message: self.faults.append((where, message)))
        self.service.attach({"rules.toml": as_coroutine(self.rules.reload)})

    def change(self, text: str) -> None:
        self.path.write_text(text, "utf-8")
        self.rules.reload()


def test_each_difference_is_told_once_and_its_end_too(tmp_path: Path) -> None:
    service = Service(tmp_path)
    service.change(RULES)
    service.rules.reload()
    shown = [one for change in service.service.changes() for one in change.widenings]
    asyncio.run(service.service.accept(shown))
    assert [event.files for event in service.heard if isinstance(event, FileChangesFound)] == [("rules.toml",), ()]
    assert [rule.tool for rule in service.rules.rules()] == ["git"]


def test_what_another_process_accepted_counts_here(tmp_path: Path) -> None:
    service = Service(tmp_path)
    service.change(RULES)
    other = Service(tmp_path)
    asyncio.run(other.service.accept([one for change in other.service.changes() for one in change.widenings]))
    asyncio.run(service.service.read_accepted())
    assert [rule.tool for rule in service.rules.rules()] == ["git"] and service.service.changes() == ()


def test_what_another_program_wrote_over_the_acceptance_takes_everything_back(tmp_path: Path) -> None:
    service = Service(tmp_path)
    service.change(RULES)
    asyncio.run(service.service.accept([one for change in service.service.changes() for one in change.widenings]))
    (tmp_path / "accepted.json").write_text("{}", "utf-8")
    asyncio.run(service.service.read_accepted())
    assert service.rules.rules() == () and "was not written by Callgate" in service.service.problem


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    service = Service(tmp_path)

    async def broken() -> None:
        raise UserFault("it is broken")

    asyncio.run(service.service.guarded(broken))
    assert service.faults == [("changed files", "it is broken")]
