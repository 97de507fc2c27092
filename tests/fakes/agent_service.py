"""An agent desk without tokens: views to fill, and a record of what the person did."""

from dataclasses import dataclass, field

from callgate.core.agent import name_problem
from callgate.core.errors import UserFault
from callgate.engine.console.agent_service import TokenView


@dataclass(eq=False)
class FakeAgentService:
    """Implements `AgentService`."""

    views: list[TokenView] = field(default_factory=list)
    problem: str = ""
    revoked: list[str] = field(default_factory=list)
    obstacle: str = ""
    """Why nothing can be written."""

    def tokens(self) -> tuple[TokenView, ...]:
        return tuple(sorted(self.views, key=lambda view: view.name))

    def is_registered(self, name: str) -> bool:
        return any(view.name == name for view in self.views)

    def add(self, name: str) -> str:
        if problem := name_problem(name) or self.obstacle:
            raise UserFault(problem)
        self.views.append(TokenView(f"token_{len(self.views)}", name, 1000.0))
        return "cg_" + "s3cret" * 7

    def revoke(self, token_id: str) -> None:
        if self.obstacle:
            raise UserFault(self.obstacle)
        self.revoked.append(token_id)
        self.views = [view for view in self.views if view.id != token_id]
