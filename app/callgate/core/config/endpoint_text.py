"""An endpoint's settings written out, as Callgate's own JSON and TOML. Pure; there is no key in settings."""

from typing import cast

from callgate.core.config.settings import UpstreamSettings
from callgate.core.config.toml_text import toml_pairs
from callgate.core.messages import Json


def spell_endpoint(settings: UpstreamSettings) -> dict[str, Json]:
    """All that was said of it, under the names that the configuration reads."""
    said = cast(dict[str, Json], settings.model_dump(mode="json", exclude_defaults=True))
    wires: list[Json] = list(settings.wire)
    said["wire"] = wires[0] if len(wires) == 1 else wires
    said["models"] = list(settings.models)
    return said


def endpoint_toml(settings: UpstreamSettings) -> str:
    """An `[[upstreams]]` table for `callgate.toml`."""
    return "\n".join(["[[upstreams]]", *toml_pairs(spell_endpoint(settings))]) + "\n"
