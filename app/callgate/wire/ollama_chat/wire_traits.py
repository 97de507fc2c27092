"""What sets Ollama's own protocol apart from other wires."""

from typing import Final

from callgate.core.request import WireName
from callgate.core.wire_traits import ClientMarks, WireTraits

WIRE: Final[WireName] = "ollama"
LINES: Final = "application/x-ndjson"

TRAITS = WireTraits(
    wire=WIRE,
    title="Ollama",
    provider="ollama",
    path="/api/chat",
    models_path="/api/tags",
    own_paths=r"/api/.*",
    marks=ClientMarks(path="/api/"),
    framing="lines",
    stream_type=LINES,
    # its keep-alive is a piece without words, which may come before anything else
    begins_early=False,
    reply_id="ollama_",
    parallel_switch=False,
    strict_tools=False,
    several_choices=False,
    citations=False,
)
