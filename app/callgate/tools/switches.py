"""What the person has switched off or on: tools, whole sources and agents, remembered between runs.

A tool is on where itself, its source and the agent are. What was said for one agent wins over what was said for all.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from callgate.core.messages import Json
from callgate.tools.memory import Memory


@dataclass(frozen=True, slots=True)
class Subject:
    """What a switch is about: a tool of a source, a source (no tool), or an agent as a whole (neither)."""

    source: str = ""
    tool: str = ""
    """Its name as the source knows it: the catalog's may change with other sources."""
    agent: str = ""
    """Empty = every agent."""


class Switches:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._set = _read(memory.read())

    def replace(self, value: Json) -> None:
        """What was written down counts anew."""
        self._set = _read(value)

    def set(self, subject: Subject, enabled: bool | None) -> None:
        """None = as if nothing had been said. Raises `UserFault` where it can't be kept; it then holds for this run."""
        self.set_all({subject: enabled})

    def set_all(self, said: Mapping[Subject, bool | None]) -> None:
        """Several at once, kept in one go."""
        for subject, enabled in said.items():
            if enabled is None or (enabled and not subject.agent):
                self._set.pop(subject, None)
            else:
                self._set[subject] = enabled
        self._memory.write(_written(self._set))

    def said(self, subject: Subject) -> bool | None:
        """What was said of just this; None = nothing."""
        return self._set.get(subject)

    def is_on(self, source: str, tool: str, agent: str = "") -> bool:
        return (
            self.said_of_agent(agent) is not False
            and self._resolved(Subject(source, "", agent))
            and self._resolved(Subject(source, tool, agent))
        )

    def said_of_agent(self, agent: str) -> bool | None:
        """Whether an agent gets the catalog's tools unasked (True) or never (False); None = only if it asks."""
        return self._set.get(Subject(agent=agent)) if agent else None

    def agents(self) -> frozenset[str]:
        """Those that anything was said of."""
        return frozenset(subject.agent for subject in self._set if subject.agent)

    def subjects_of(self, agent: str) -> tuple[Subject, ...]:
        """All that something was said of for this agent alone."""
        return tuple(subject for subject in self._set if subject.agent == agent)

    def _resolved(self, subject: Subject) -> bool:
        own = self._set.get(subject)
        return own if own is not None else self._set.get(Subject(subject.source, subject.tool), True)


def _read(value: Json) -> dict[Subject, bool]:
    """Entries of another shape come from another version: they are left out, not the whole."""
    found: dict[Subject, bool] = {}
    for entry in value if isinstance(value, list) else ():
        if not isinstance(entry, dict) or not isinstance(enabled := entry.get("enabled"), bool):
            continue
        named = [entry.get(key, "") for key in ("source", "tool", "agent")]
        if all(isinstance(name, str) for name in named):
            found[Subject(*(str(name) for name in named))] = enabled
    return found


def _written(switches: dict[Subject, bool]) -> Json:
    return [
        {"source": subject.source, "tool": subject.tool, "agent": subject.agent, "enabled": enabled}
        for subject, enabled in switches.items()
    ]
