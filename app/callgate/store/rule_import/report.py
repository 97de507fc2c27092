"""What became of another program's permission rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from callgate.core.json.jsonc import line_of
from callgate.core.rules.policy import Rule, VerdictKind

Remark = tuple[str, str]
"""The original text with its place, and what is to be said of it."""


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
    source: str = ""
    """The text of the file: remarks say the line."""
    rules: list[Rule] = field(default_factory=list[Rule])
    _skipped: list[Remark] = field(default_factory=list[Remark])
    _widened: list[Remark] = field(default_factory=list[Remark])

    def add(self, verdict: VerdictKind, tools: Iterable[str], when: str, text: str, *, source: str = "*") -> None:
        note = f"from {self.program}: {text}"
        self.rules += (Rule(verdict, tool, source, when=when, note=note) for tool in tools)

    def skip(self, text: str, why: str, at: str = "") -> None:
        """`at` is what stands in the file, where that is not the text itself."""
        self._skipped.append((self._placed(text, at), why))

    def stricter(self, text: str, why: str, at: str = "") -> None:
        self._widened.append((self._placed(text, at), why))

    def inexact(self, verdict: VerdictKind, tools: Iterable[str], text: str, why: str, at: str = "") -> None:
        """A rule that cannot be said exactly: one that allows is left out, one that restricts restricts all of it."""
        if verdict == "allow":
            self.skip(text, why, at)
            return
        self.add(verdict, tools, "", text)
        self.stricter(text, f"{why}; every call of the tool is meant now", at)

    def report(self) -> ImportReport:
        rules = tuple(dict.fromkeys(self.rules))
        return ImportReport(self.program, rules, tuple(self._skipped), tuple(self._widened))

    def _placed(self, text: str, at: str) -> str:
        line = line_of(self.source, at or text)
        return f"{text} (line {line})" if line else text
