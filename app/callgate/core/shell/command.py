"""A command line as values. What rules make of it is the policy's business."""

from dataclasses import dataclass

LONGEST = 10_000
"""Characters. Nobody reads a longer line before approving it, so rules do not either."""


PROBE = "⁇"
"""A word that no rule names."""


@dataclass(frozen=True, slots=True)
class InnerCommand:
    """A command that another one runs: `rm x` of `sudo rm x`."""

    argv_text: str
    outer_probe: str
    """The outer command with another word in this one's place: a rule that holds for that too does not name it."""
    words: str = ""
    """Why it must be allowed, as a sentence; empty = its text says enough."""
    example: str = ""
    """A pattern that would cover it."""

    @property
    def probes(self) -> tuple[str, ...]:
        """Also with a word of plain letters: a pattern such as `\\w+` names nothing either."""
        return (self.outer_probe, self.outer_probe.replace(PROBE, "unnamed"))


@dataclass(frozen=True, slots=True)
class SubCommand:
    """One simple command of a line."""

    argv_text: str
    """Its words in one uniform spelling: quotes only where needed, `..` in paths resolved. Rules match this."""
    words: tuple[str, ...]
    """What the program would get, as far as that is known without running anything."""
    position: int
    """Where it begins, in characters of the whole line."""
    readings: tuple[str, ...] = ()
    """Other ways to see it: as it was written, without the program's folder, what a wrapper such as sudo runs.
    Only rules that deny or ask look at them."""
    inner: tuple[InnerCommand, ...] = ()
    """The commands that it runs in turn, code that it is given, files that it writes elsewhere, words that are not
    understood. They must be allowed too, unless what allows it names them."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A whole line. With a concern, no rule can allow it: what would run is not certain from the text."""

    line: str
    parts: tuple[SubCommand, ...] = ()
    concerns: tuple[str, ...] = ()
    """In words for the person: why rules alone cannot allow it."""
    files: tuple[str, ...] = ()
    """Where redirections, and files that programs write, lead within the workspace by the text: a link may lead on."""
    writes: tuple[str, ...] = ()
    """Every path that the line is known to write, create or delete, as spelled (options taken apart)."""

    @property
    def commands(self) -> tuple[str, ...]:
        return tuple(part.argv_text for part in self.parts)
