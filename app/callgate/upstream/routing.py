"""Which endpoint answers a model's name, and on which wire. Pure; must not know how endpoints are reached.

The order, for a model without an endpoint's name in front:

    1. the more specific entry of `models`: the exact name, then the glob with more literal characters
    2. of those that are equally specific: an endpoint that speaks the client's own wire
    3. of those: the first in the configuration
"""

from collections.abc import Iterable
from dataclasses import dataclass

from callgate.core.errors import BadRequest, UserFault
from callgate.core.request import WireName
from callgate.upstream.endpoint import Endpoint

_WILD = frozenset("*?[")
_NAMED_IN_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Route:
    endpoint: Endpoint
    wire: WireName
    model: str
    """As the endpoint knows it: without a prefix that picked the endpoint."""


class Routing:
    """Endpoints in the order of the configuration; the first is the default one."""

    def __init__(self, endpoints: Iterable[Endpoint] = ()) -> None:
        self.replace(endpoints)

    def replace(self, endpoints: Iterable[Endpoint]) -> None:
        """These are all from now on; what is under way stays with the one it was given."""
        self.endpoints = tuple(endpoints)
        self._by_name = {endpoint.name: endpoint for endpoint in self.endpoints}

    @property
    def default(self) -> Endpoint:
        """Where requests go that name no model."""
        if not self.endpoints:
            raise UserFault("no upstream is configured")
        return self.endpoints[0]

    def named(self, name: str) -> Endpoint | None:
        return self._by_name.get(name)

    def speaker(self, wire: WireName) -> Endpoint | None:
        """Where requests of a wire go that name no model: the default one if it speaks it, else the first that does."""
        return next((endpoint for endpoint in self.endpoints if wire in endpoint.wires), None)

    def pick(self, model: str, client_wire: WireName) -> Route:
        """The endpoint for a model: by its name before a slash, else in the order that the module describes."""
        prefix, slash, rest = model.partition("/")
        if slash and rest and prefix in self._by_name:
            return _route(self._by_name[prefix], rest, client_wire)
        ranked = [(rank, endpoint) for endpoint in self.endpoints if (rank := endpoint.rank_for(model)) is not None]
        if ranked:
            # `max` keeps the first of equals
            _, best = max(ranked, key=lambda one: (one[0], client_wire in one[1].wires))
            return _route(best, model, client_wire)
        raise BadRequest(
            f"The model '{model}' does not exist here. Known are: {self._known()}.",
            "model",
            code="model_not_found",
            kind="not_found",
        )

    def models(self) -> list[tuple[Endpoint, str]]:
        """What can be told without asking anyone: the globs that are plain names."""
        return [
            (endpoint, glob) for endpoint in self.endpoints for glob in endpoint.models if not _WILD.intersection(glob)
        ]

    def _known(self) -> str:
        known = [f"{glob} ({endpoint.name})" for endpoint in self.endpoints for glob in endpoint.models]
        more = [f"and {len(known) - _NAMED_IN_ERRORS} more"] if len(known) > _NAMED_IN_ERRORS else []
        return ", ".join(known[:_NAMED_IN_ERRORS] + more) or "none, as no upstream is configured"


def _route(endpoint: Endpoint, model: str, client_wire: WireName) -> Route:
    wire = client_wire if client_wire in endpoint.wires else endpoint.wires[0]
    return Route(endpoint, wire, model)
