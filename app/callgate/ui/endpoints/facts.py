"""What is known of an endpoint, as names and values."""

from typing import Final

from callgate.engine.endpoint_desk import EndpointView
from callgate.ui.endpoints.look import ORIGIN_WORDS, key_words, models_words, wire_words

NAMES: Final = ("Address", "Protocol", "Models", "Key", "Dialect", "From")
CODE: Final = frozenset({"Address"})


def facts_of(view: EndpointView) -> dict[str, str]:
    """Those that there are, in the order in which one would ask."""
    said = {"Protocol": wire_words(view), "Models": models_words(view), "Key": key_words(view)}
    if view.address:
        said["Address"] = view.address
    if view.dialect:
        said["Dialect"] = view.dialect
    if view.origin == "demo":
        said["Models"] = "every model, while there is no other endpoint" if "*" in view.models else view.models[0]
    said["From"] = ORIGIN_WORDS[view.origin]
    return {name: said[name] for name in NAMES if name in said}
