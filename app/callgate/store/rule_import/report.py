"""What became of another program's permission rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from callgate.core.policy import Rule, VerdictKind

Remark = tuple[str, str]
"""The original text, and what is to be said of it."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    program: str
    rules: tuple[Rule, ...] = ()
    skipped: tuple[Remark, ...] = ()
    """What has no counterpart here, and why."""
    widened: tuple[Remark, ...] = ()
    """What restricts more here than it did there, as it could not be said exactly."""


@dataclass(slots=True)
class Collecting:
    """A report in the making."""

    program: str
    rules: list[Rule] = field(default_factory=list[Rule])
    skipped: list[Remark] = field(default_factory=list[Remark])
    widened: list[Remark] = field(default_factory=list[Remark])

    def add(self, verdict: VerdictKind, tools: Iterable[str], when: str, text: str) -> None:
        note = f"from {self.program}: {text}"
        self.rules += (Rule(verdict, tool, when=when, note=note) for tool in tools)

    def inexact(self, verdict: VerdictKind, tools: Iterable[str], text: str, why: str) -> None:
        """A rule that cannot be said exactly: one that allows is left out, one that restricts restricts all of it."""
        if verdict == "allow":
            self.skipped.append((text, why))
            return
        self.add(verdict, tools, "", text)
        self.widened.append((text, f"{why}; every call of the tool is meant now"))

    def report(self) -> ImportReport:
        return ImportReport(self.program, tuple(dict.fromkeys(self.rules)), tuple(self.skipped), tuple(self.widened))
