"""What sets Anthropic Messages apart from other wires."""

from callgate.core.wire_traits import ClientMarks, VertexTraits, WireTraits

TRAITS = WireTraits(
    wire="anthropic",
    title="Anthropic Messages",
    provider="anthropic",
    path="/v1/messages",
    models_path="/v1/models?limit=1000",
    own_paths=r"/v1/messages.*",
    vertex=VertexTraits(
        publisher="anthropic",
        version="v1",
        verb="rawPredict",
        stream_verb="streamRawPredict",
        count_path="/v1/messages/count_tokens",
        count_model="count-tokens:rawPredict",
        # from the second on Vertex takes the direct API's own version instead of a `vertex-` one
        body_versions=("vertex-2023-10-16", "2026-10-21"),
    ),
    key_form="x-api-key",
    version_header=("anthropic-version", "2023-06-01"),
    marks=ClientMarks(headers=("anthropic-version",)),
    pauses=True,
    reply_id="msg_",
    longest_tool_name=128,
    several_choices=False,
    logprobs=False,
    closes_text=True,
)
