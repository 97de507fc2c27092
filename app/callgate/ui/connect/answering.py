"""Who answers now, in words for a new user. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from callgate.engine.endpoint_desk import EndpointView

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Answering:
    words: str
    action: str
    """What the button beside it says."""


def answering(endpoints: Sequence[EndpointView]) -> Answering:
    own = [endpoint for endpoint in endpoints if endpoint.origin != "demo"]
    if not own:
        return Answering("The demo model answers. Add your own provider.", "Add endpoint…")
    able = [endpoint.name for endpoint in own if not endpoint.problem]
    unable = [endpoint.name for endpoint in own if endpoint.problem]
    said = [f"{_joined(able)} {'answers.' if len(able) == 1 else 'answer.'}"] if able else []
    if unable:
        said.append(f"{_joined(unable)} {'needs' if len(unable) == 1 else 'need'} a look: no requests can go there.")
    return Answering(" ".join(said), "Endpoints…")


def _joined(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED])
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
