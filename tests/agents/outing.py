"""A station, the four services and the tap between, for agents that are sent on errands."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.agents.agent import SECONDS, WARNED, Agent, Ran
from tests.agents.errand import Call, Errand, Place
from tests.agents.services import Playing, services
from tests.agents.tap import Tap
from tests.fakes.providers.service import serving
from tests.fakes.translating import MODELS, Stage

from callgate.core.calls.invocation import Decision

SERVED = {
    "openai-chat": ["gpt-4*"],
    "openai-responses": ["gpt-5*", "gpt-6*"],
    "anthropic": ["claude-*"],
    "gemini": ["gemini-*"],
}
"""Agents ask for more than the one model that they were told: small ones for titles, newer ones by another name."""
PATHS = {
    "/chat/completions": "openai-chat",
    "/responses": "openai-responses",
    "/messages": "anthropic",
    "enerateContent": "gemini",
}


@dataclass
class Outing:
    folder: Path
    stage: Stage
    services: dict[str, Playing]
    tap: Tap

    def place(self, provider: str, model: str = "") -> Place:
        return Place(self.folder / "home", self.folder / "workspace", self.tap.address, model or MODELS[provider])

    def send(self, agent: Agent, provider: str, place: Place, steps: list[list[Call]]) -> tuple[Errand, Ran]:
        """Sends the agent, and waits until it is back."""
        agent.look_for()
        if why := agent.unable(place.model):
            pytest.skip(why)
        errand = Errand(steps)
        for wire, service in self.services.items():
            service.errand = errand
            service.relayed = wire == agent.wire
        return errand, agent.run(place)

    def send_and_decide(
        self, agent: Agent, provider: str, place: Place, call: Call, decision: Decision
    ) -> tuple[Errand, Ran]:
        """Sends the agent; a person decides on its call while it waits."""
        agent.look_for()
        with ThreadPoolExecutor(1) as person:
            decided = person.submit(self._decide, decision)
            back = self.send(agent, provider, place, [[call]])
            assert decided.result(SECONDS)
        return back

    def _decide(self, decision: Decision) -> bool:
        runtime = self.stage.runtime
        return runtime.decide(runtime.wait_for_state("WaitingForConfirmation", seconds=SECONDS), decision)

    def check_wire(self, agent: Agent) -> None:
        """It did speak what it was told to speak."""
        spoken = {wire for passed in self.tap.chats for ending, wire in PATHS.items() if ending in passed.path}
        assert spoken == {agent.wire}

    def check_relayed(self, provider: str) -> None:
        """On an agent's own wire every body arrives as it was sent, byte for byte, there and back."""
        service = self.services[provider]
        asked = sorted(asked.raw for asked in service.asked if asked.method == "POST")
        assert sorted(passed.body for passed in self.tap.chats) == asked
        assert sorted(passed.reply for passed in self.tap.chats) == sorted(service.replied)

    def refusals(self) -> list[str]:
        return [refusal for service in self.services.values() for refusal in service.refusals]

    def unexpected_warnings(self, agent: Agent) -> list[str]:
        said = {name for passed in self.tap.passed for line in passed.warnings for name in _named(line)}
        return sorted(warning for warning in said if not any(known in warning for known in (*WARNED, *agent.warns)))


_LOST = re.compile(r"(.+): \S+ has no word for (?:it|them)")


def _named(warnings: str) -> Iterator[str]:
    """Each field that was lost, and whatever else is said."""
    for warning in warnings.split("; "):
        if found := _LOST.fullmatch(warning):
            yield from found.group(1).split(", ")
        elif warning not in ("", "left out"):
            yield warning


@contextmanager
def outing(folder: Path, rules: str = "") -> Iterator[Outing]:
    made, tap = services(), Tap()
    with ExitStack() as stack:
        stack.enter_context(serving(*made.values(), tap))
        (folder / "station").mkdir()
        stage = stack.enter_context(Stage(folder / "station", made, rules, SERVED).open())
        tap.target = stage.address
        yield Outing(folder, stage, made, tap)
