"""How an endpoint's state, protocols, key and origin are said and shown: never by colour alone."""

from dataclasses import dataclass
from typing import Final

from callgate.core.request import WireName
from callgate.engine.endpoints.endpoint_service import EndpointOrigin, EndpointView, Outcome
from callgate.engine.wires import TRAITS


@dataclass(frozen=True, slots=True)
class Look:
    word: str
    color: str
    """A colour of `Tokens`."""
    icon: str


OUTCOME_LOOKS: Final[dict[Outcome, Look]] = {
    "reached": Look("Reached", "completed", "done"),
    "unlisted": Look("Answers", "completed", "done"),
    "refused": Look("Key refused", "denied", "lock"),
    "keyless": Look("Needs a key", "waiting", "key"),
    "unreachable": Look("Nobody listens", "denied", "failed"),
    "silent": Look("No answer", "denied", "timed_out"),
    "foreign": Look("Another protocol?", "denied", "question"),
    "failing": Look("In trouble", "denied", "warning"),
}
UNFIT: Final = Look("Needs attention", "denied", "failed")
CHECKING: Final = Look("Asking", "accent", "waiting")
UNCHECKED: Final = Look("Not asked yet", "text3", "info")
BUILT_IN: Final = Look("Ready", "completed", "done")

WIRE_WORDS: Final[dict[WireName, str]] = {wire: traits.title for wire, traits in TRAITS.items()}
ORIGIN_WORDS: Final[dict[EndpointOrigin, str]] = {
    "config": "configuration file",
    "added": "added here",
    "demo": "part of Callgate",
}


def look_of(view: EndpointView) -> Look:
    if view.checking:
        return CHECKING
    if view.problem:
        return OUTCOME_LOOKS["keyless"] if view.key in ("environment", "keyring") else UNFIT
    if view.examination is not None:
        return OUTCOME_LOOKS[view.examination.outcome]
    return BUILT_IN if view.origin == "demo" else UNCHECKED


def wire_words(view: EndpointView) -> str:
    return ", ".join(WIRE_WORDS[wire] for wire in view.wires)


def key_words(view: EndpointView) -> str:
    match view.key:
        case "environment":
            return f"from the environment variable {view.key_env}"
        case "keyring":
            return "in the keyring"
        case "google":
            return "Google's login on this machine"
        case "client":
            return "none needed" if view.origin == "demo" else "none of its own: your program's is passed on"


def models_words(view: EndpointView) -> str:
    """What it answers for."""
    return "every model" if "*" in view.models else ", ".join(view.models)
