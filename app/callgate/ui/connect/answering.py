"""Who answers now, in words for a new user. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from callgate.engine.endpoint_desk import EndpointView

_NAMED: Final = 3
DEMO_MODEL: Final = "callgate-demo"
_PLAIN: Final = re.compile(r"[\w./:@+-]*")
"""What a model's name may be made of to stand in an example: a provider chooses it, a person runs the example."""


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


def model_to_ask_for(endpoints: Sequence[EndpointView]) -> str:
    """The model that an example should name: one that the person's own endpoint has, else the demo's.

    Of a glob the part that is known, to be completed: `gpt-…`.
    """
    able = [endpoint for endpoint in endpoints if endpoint.origin != "demo" and not endpoint.problem]
    if not able:
        return DEMO_MODEL
    first = next((endpoint for endpoint in able if endpoint.is_default), able[0])
    listed = first.examination.models if first.examination is not None else ()
    if named := next((model for model in (*first.models, *listed) if model and _PLAIN.fullmatch(model)), ""):
        return named
    known = _PLAIN.match(first.models[0]) if first.models else None
    return (known.group() if known is not None else "") + "…"


def _joined(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED])
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
