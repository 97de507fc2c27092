"""Parts of a reply as a client is shown them."""

import pytest

from callgate.core.messages import File, Image, Json, Opaque, Part, Reasoning, Refusal, Text, ToolCall, ToolResult
from callgate.wire.gemini_generate.written_part import spell


@pytest.mark.parametrize(
    ("part", "spelled"),
    [
        (Text("a", {"citations": []}), {"text": "a"}),
        (Text("", {"thoughtSignature": "c2ln"}), {"text": "", "thoughtSignature": "c2ln"}),
        (Text(""), None),
        (Refusal("No."), {"text": "No."}),
        (Reasoning("hm", "EqQB", wire="anthropic"), {"text": "hm", "thought": True}),
        (Reasoning("hm", "c2ln", wire="gemini"), {"text": "hm", "thought": True, "thoughtSignature": "c2ln"}),
        (Reasoning("hm", "cg1.x"), {"text": "hm", "thought": True, "thoughtSignature": "Y2cxLng="}),
        (Reasoning(signature="EmwK", redacted=True, wire="anthropic"), None),
        (ToolCall("a", "f", '{"x":'), {"functionCall": {"id": "a", "name": "f", "args": {"_raw_arguments": '{"x":'}}}),
        (ToolCall("a", "f", "raw", "custom"), {"functionCall": {"id": "a", "name": "f", "args": {"input": "raw"}}}),
        (Image("image/png", "iVBO"), {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}),
        (File(file_id="file_1"), None),
        (Opaque("gemini", {"executableCode": {}}), {"executableCode": {}}),
        (Opaque("anthropic", {"type": "x"}), None),
        (ToolResult("a"), None),
    ],
)
def test_each_part_has_its_spelling_or_none(part: Part, spelled: Json) -> None:
    assert spell(part) == spelled
