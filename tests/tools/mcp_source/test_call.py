"""The rounds of a modern call, at a session that is only pretended."""

import asyncio
from pathlib import Path

import mcp_types as mcp
import pytest
from mcp.client import InputRequiredRoundsExceededError
from mcp.shared.exceptions import MCPError

from callgate.tools.mcp_source.call import MOST_ROUNDS, McpCall
from callgate.tools.mcp_source.questions import Questions
from callgate.tools.source import CallContext


class Session:
    def __init__(self, *answers: mcp.CallToolResult | mcp.InputRequiredResult | MCPError) -> None:
        self.answers = list(answers)
        self.sent: list[mcp.CallToolRequestParams] = []

    async def send_request(self, request: mcp.CallToolRequest, kind: object, progress_callback: object) -> object:
        self.sent.append(request.params)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, MCPError):
            raise answer
        return answer


def run(session: Session) -> tuple[mcp.CallToolResult, list[str]]:
    listed: list[str] = []

    async def relist() -> None:
        listed.append("again")

    context = CallContext("c1", "v1", lambda *report: None)
    questions = Questions("srv", None, Path("/w"))
    call = McpCall(session, questions, relist, context)  # type: ignore[arg-type]
    return asyncio.run(call.run("t", {"a": 1})), listed


DONE = mcp.CallToolResult(content=[])


def test_a_server_that_only_needs_time_is_called_again_with_its_state() -> None:
    session = Session(mcp.InputRequiredResult(request_state="later"), DONE)
    assert run(session)[0] is DONE
    assert [params.request_state for params in session.sent] == [None, "later"]
    assert all(params.arguments == {"a": 1} for params in session.sent)


def test_answers_travel_under_the_servers_own_keys() -> None:
    asked = mcp.InputRequiredResult(input_requests={"r": mcp.ListRootsRequest()}, request_state="s")
    session = Session(asked, DONE)
    run(session)
    responses = session.sent[1].input_responses
    assert responses is not None
    assert isinstance(responses["r"], mcp.ListRootsResult)


def test_a_server_that_goes_in_circles_is_stopped() -> None:
    session = Session(mcp.InputRequiredResult(input_requests={"r": mcp.ListRootsRequest()}))
    with pytest.raises(InputRequiredRoundsExceededError):
        run(session)
    assert len(session.sent) == MOST_ROUNDS + 1


def test_a_definition_that_has_changed_is_listed_anew_and_the_call_sent_once_more() -> None:
    session = Session(MCPError(mcp.HEADER_MISMATCH, "stale"), DONE)
    assert run(session) == (DONE, ["again"])
    assert len(session.sent) == 2


@pytest.mark.parametrize("data", [None, [], {"elicitations": 7}, {"elicitations": []}])
def test_a_demand_for_a_visit_that_names_no_address_is_only_an_error(data: object) -> None:
    session = Session(MCPError(mcp.URL_ELICITATION_REQUIRED, "visit first", data))
    with pytest.raises(MCPError, match="visit first"):
        run(session)
    assert len(session.sent) == 1
