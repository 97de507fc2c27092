from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from callgate.tools.mcp_source.sanitise import Sanitiser

LEGACY, MODERN = "2025-11-25", "2026-07-28"
OBJECT = {"type": "object"}


def answer(sieve: Sanitiser, method: str, result: dict) -> dict:
    sieve.sent(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method=method)))
    after = sieve.arrived(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result=result)))
    assert isinstance(after.message, JSONRPCResponse)
    return after.message.result


def test_one_bad_tool_does_not_cost_the_others() -> None:
    sieve = Sanitiser(lambda: LEGACY)
    good = {"name": "good", "inputSchema": OBJECT}
    result = answer(sieve, "tools/list", {"tools": [good, {"name": "bad", "inputSchema": 3}, 7], "nextCursor": "2"})
    assert result == {"tools": [good], "nextCursor": "2"}
    unusable, _ = sieve.take_findings()
    assert [(broken.name, broken.reason.split(":")[0]) for broken in unusable][0] == ("bad", "inputSchema")
    assert len(unusable) == 2
    assert sieve.take_findings() == ((), ())


def test_a_broken_ornament_is_dropped_and_the_tool_stays() -> None:
    sieve = Sanitiser(lambda: LEGACY)
    tool = {"name": "t", "inputSchema": OBJECT, "annotations": "none", "icons": [{"no": "src"}]}
    assert answer(sieve, "tools/list", {"tools": [tool]})["tools"] == [{"name": "t", "inputSchema": OBJECT}]
    unusable, mended = sieve.take_findings()
    assert unusable == ()
    assert {name for name, _ in mended} == {"t"}
    assert len(mended) == 2


def test_a_modern_tool_with_a_bad_header_annotation_is_named() -> None:
    sieve = Sanitiser(lambda: MODERN)
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "bad name!"}}}
    page = {"tools": [{"name": "t", "inputSchema": schema}], "ttlMs": 0, "cacheScope": "private"}
    answer(sieve, "tools/list", {**page, "resultType": "complete"})
    unusable, _ = sieve.take_findings()
    assert "x-mcp-header" in unusable[0].reason


def test_content_that_cannot_be_read_becomes_text_that_shows_it() -> None:
    sieve = Sanitiser(lambda: LEGACY)
    result = answer(sieve, "tools/call", {"content": [{"type": "text", "text": "a"}, {"type": "smell"}]})
    good, bad = result["content"]
    assert good == {"type": "text", "text": "a"}
    assert bad["type"] == "text"
    assert '{"type":"smell"}' in bad["text"]


def test_a_result_without_content_is_an_empty_one() -> None:
    sieve = Sanitiser(lambda: LEGACY)
    assert answer(sieve, "tools/call", {"structuredContent": {"a": 1}})["content"] == []


def test_questions_of_a_modern_server_pass_untouched() -> None:
    sieve = Sanitiser(lambda: MODERN)
    result = {"resultType": "input_required", "requestState": "s"}
    assert answer(sieve, "tools/call", result) == result


def test_everything_else_passes_untouched() -> None:
    sieve = Sanitiser(lambda: LEGACY)
    unasked = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=9, result={"tools": [3]}))
    assert sieve.arrived(unasked) is unasked
    note = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/x"))
    assert sieve.arrived(note) is note
    sieve.sent(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=2, method="tools/list")))
    error = SessionMessage(
        JSONRPCError.model_validate({"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": ""}})
    )
    assert sieve.arrived(error) is error
