"""What sets Gemini apart from other wires."""

from callgate.core.wire_traits import ClientMarks, VertexTraits, WireTraits
from callgate.wire.gemini_generate.signatures import WIRE

TRAITS = WireTraits(
    wire=WIRE,
    title="Gemini",
    provider="gcp.gemini",
    # `v1` lacks parts of tool calling; everything in it is in `v1beta` too
    path="/v1beta/{resource}:generateContent",
    stream_path="/v1beta/{resource}:streamGenerateContent?alt=sse",
    array_path="/v1beta/{resource}:streamGenerateContent",
    model_in_path=True,
    models_path="/v1beta/models?pageSize=1000",
    version_varies=True,
    own_paths=r"/v1beta.*|.*:.*",
    # how Google is asked to spell its answers: enums as numbers, for instance
    own_query=frozenset({"alt", "$alt", "%24alt"}),
    vertex=VertexTraits(
        publisher="google",
        version="v1beta1",
        version_varies=True,
        verb="generateContent",
        stream_verb="streamGenerateContent?alt=sse",
        numbered_models=True,
        relays_verbs=True,
        unwraps="generateContentRequest",
    ),
    key_form="x-goog-api-key",
    marks=ClientMarks(path="/v1beta", headers=("x-goog-api-key", "x-goog-api-client"), query=("key",), posts=True),
    arrays=True,
    begins_early=False,
    reply_id="gen_",
    makes_call_ids=True,
    warnings_field="callgateWarnings",
    parallel_switch=False,
    strict_tools=False,
    tool_name_characters="a-zA-Z0-9_.:-",
    longest_tool_name=128,
    tool_names_begin_with_letter=True,
    shown_parts=("image", "file"),
)
