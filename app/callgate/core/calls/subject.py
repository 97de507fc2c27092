"""A call as rules see it: the subject of their expressions, whole or narrowed to one thing that it does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from callgate.core.calls.targets import Targets, targets_of
from callgate.core.json.dotted_path import loaded_leniently, reach
from callgate.core.messages import Json
from callgate.core.rules.expression import FieldValue
from callgate.core.rules.guarded_files import Guard
from callgate.core.rules.rule import Within


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    source: str
    agent: str
    model: str = ""
    arguments: str = ""
    fingerprint: str = ""
    targets: Targets | None = None
    """What it would reach; None = to be told from the tool's name and arguments alone."""
    agent_proven: bool = False
    """Whether a token proves the agent's name: rules that allow for a named agent count only then."""
    sub_agent: str = ""
    """The sub-agent that makes it; empty = the agent itself, as far as is known."""
    within: Within | None = None
    """The conversation and turn that it is part of; None = not known, so no rule that is limited to one applies."""

    def values(self, field: str) -> tuple[FieldValue, ...]:
        return Facet(self, loaded_leniently(self.arguments), self.reached()).values(field)

    def text(self) -> str:
        return f"{self.tool} {self.arguments}"

    def reached(self) -> Targets:
        return targets_of(self.tool, self.arguments) if self.targets is None else self.targets


class Facet:
    """A call, narrowed to one command, one file or one address; what else it has stays as it is."""

    __slots__ = ("_arguments", "_call", "_known", "_narrow", "_targets", "value")

    def __init__(self, call: Call, arguments: Json, targets: Targets, field: str = "", *values: str) -> None:
        self.value = values[0] if values else ""
        """What it is narrowed to; empty = nothing."""
        self._call = call
        self._arguments = arguments
        self._targets = targets
        self._known: dict[str, tuple[FieldValue, ...]] = {}
        self._narrow = field == "command"
        if field:
            self._known[field] = values
            if field == "command" and targets.argument:
                # a rule on the argument means each command too: else `args.command:git*` would cover `git; rm`
                self._known[f"args.{targets.argument}"] = values

    def with_only(self, field: str, value: FieldValue) -> "Facet":
        """The same, with one value of a field that has several."""
        other = Facet(self._call, self._arguments, self._targets)
        other.value, other._narrow = self.value, self._narrow
        other._known = {**self._known, field: (value,)}
        return other

    def values(self, field: str) -> tuple[FieldValue, ...]:
        known = self._known.get(field)
        if known is None:
            known = self._known[field] = self._look_up(field)
        return known

    def text(self) -> str:
        return f"{self._call.tool} {self.value}" if self._narrow else self._call.text()

    def _look_up(self, field: str) -> tuple[FieldValue, ...]:
        root, _, path = field.partition(".")
        match root:
            case "tool":
                return (self._call.tool,)
            case "source":
                return (self._call.source,)
            case "agent":
                return (self._call.agent,)
            case "model":
                return (self._call.model,)
            case "args":
                return tuple(reach(self._arguments, path.split(".")))
            case "line":
                return (self._targets.line,) if self._targets.line else ()
            case "command":
                return self._targets.commands
            case "edits":
                return self._targets.edits
            case "urls":
                return self._targets.urls
            case _:
                return ()


@dataclass(frozen=True, slots=True)
class Facets:
    """The whole call, thing by thing."""

    parts: tuple[Facet, ...]
    """All of these must be allowed; a call that does nothing in particular is one part."""
    readings: tuple[Facet, ...]
    """Each part together with the other ways to see it, and the whole: for rules that deny or ask."""
    concerns: tuple[str, ...]
    inner: tuple["InnerPart", ...] = ()
    """Which of the parts are run by another; they are the last ones."""
    guarded: tuple["GuardedPart", ...] = ()

    @property
    def outers(self) -> tuple[Facet, ...]:
        """The parts that nothing but the call itself runs. Rules that restrict see the others as their readings."""
        return self.parts[: len(self.parts) - len(self.inner)]


@dataclass(frozen=True, slots=True)
class InnerPart:
    """A part that another part runs: what allows that one allows this one too, if it says which program may be run."""

    index: int
    outer: int
    probes: tuple[Facet, ...]
    """The outer part with another word in this one's place."""
    words: str = ""
    """Why it must be allowed, as a sentence."""
    example: str = ""
    """A pattern that would cover it."""


@dataclass(frozen=True, slots=True)
class GuardedPart:
    """A part that writes a guarded file: only a rule that names the file covers it."""

    index: int
    guard: Guard
    probe: Facet
    """The same part with another file of the same folder: a rule that holds for that does not name this one."""


def facets_of(call: Call) -> Facets:
    arguments, targets = loaded_leniently(call.arguments), call.reached()
    concerns = (*_unreadable(call.arguments, arguments), *targets.concerns)
    things = (
        *(("command", command) for command in targets.commands),
        *(("edits", path) for path in targets.edits),
        *(("urls", url) for url in targets.urls),
    )
    parts = tuple(Facet(call, arguments, targets, field, value) for field, value in things)
    readings = [
        Facet(call, arguments, targets, "command", command, *others)
        for command, others in zip(targets.commands, targets.readings, strict=False)
        if others
    ]
    if targets.commands:
        # the line and the arguments as they are: what denies by them must not depend on how a line is taken apart
        readings.append(Facet(call, arguments, targets))
    inner_parts: list[Facet] = []
    inner: list[InnerPart] = []
    for outer, commands in enumerate(targets.inner):
        for command in commands:
            probes = tuple(Facet(call, arguments, targets, "command", probe) for probe in command.probes)
            index = len(parts) + len(inner_parts)
            inner.append(InnerPart(index, outer, probes, command.words, command.example))
            inner_parts.append(Facet(call, arguments, targets, "command", command.argv_text))
    whole = (*parts, *inner_parts) or (Facet(call, arguments, targets),)
    return Facets(whole, tuple(readings), concerns, tuple(inner), tuple(_guarded(call, arguments, targets)))


def _guarded(call: Call, arguments: Json, targets: Targets) -> Iterator[GuardedPart]:
    guards = {guard.path: guard for guard in targets.guarded}
    for number, path in enumerate(targets.edits):
        if guard := guards.get(path):
            folder, _, name = path.rpartition("/")
            other = f"{folder}/other-{name}" if folder else f"other-{name}"
            renamed = replace(call, arguments=call.arguments.replace(name, f"other-{name}"))
            yield GuardedPart(
                len(targets.commands) + number,
                guard,
                Facet(renamed, _renamed(arguments, name), replace(targets, edits=(other,)), "edits", other),
            )


def _renamed(value: Json, name: str) -> Json:
    """The same arguments about another file, so that a condition on some other argument still holds."""
    if isinstance(value, str):
        return value.replace(name, f"other-{name}")
    if isinstance(value, list):
        return [_renamed(item, name) for item in value]
    if isinstance(value, Mapping):
        return {key: _renamed(item, name) for key, item in value.items()}
    return value


def _unreadable(text: str, value: Json) -> tuple[str, ...]:
    """Rules see nothing in broken arguments, but some clients mend them; what is no JSON at all is free text."""
    broken = value is None and text.lstrip().startswith(("{", "["))
    return ("its arguments cannot be read as JSON",) if broken else ()
