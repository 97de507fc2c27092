"""A station, the four services and the tap between, for agents that are sent on errands."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.agents.agent import Agent, Ran
from tests.agents.errand import Call, Errand, Place
from tests.agents.services import Playing, services
from tests.agents.tap import Tap
from tests.fakes.providers.service import serving
from tests.fakes.translating import MODELS, Stage


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
        errand = Errand(steps)
        for wire, service in self.services.items():
            service.errand = errand
            service.relayed = wire == agent.wire
        return errand, agent.run(place)

    def check_relayed(self, provider: str) -> None:
        """On an agent's own wire every body arrives as it was sent, byte for byte."""
        sent = sorted(passed.body for passed in self.tap.chats)
        came = sorted(asked.raw for asked in self.services[provider].asked if asked.method == "POST")
        assert sent == came

    def refusals(self) -> list[str]:
        return [refusal for service in self.services.values() for refusal in service.refusals]

    def unexpected_warnings(self, agent: Agent) -> list[str]:
        said = {
            warning.strip() for passed in self.tap.chats for warning in passed.warnings.split(";") if passed.warnings
        }
        return sorted(warning for warning in said if not any(known in warning for known in agent.warns))


@contextmanager
def outing(folder: Path, rules: str = "") -> Iterator[Outing]:
    made, tap = services(), Tap()
    with ExitStack() as stack:
        stack.enter_context(serving(*made.values(), tap))
        (folder / "station").mkdir()
        stage = stack.enter_context(Stage(folder / "station", made, rules).open())
        tap.target = stage.address
        yield Outing(folder, stage, made, tap)
