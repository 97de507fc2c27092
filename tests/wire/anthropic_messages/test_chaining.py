"""A thread keeps its tools and is told apart from a request that stands alone."""

from callgate.core.messages import say
from callgate.core.request import ChatRequest
from callgate.core.tool import ToolSpec
from callgate.wire.anthropic_messages.chaining import ThreadChaining

CHAINING = ThreadChaining()
PLAIN = ChatRequest("anthropic", "m", (say("user", "hi"),))
WITH_TOOLS = ChatRequest("anthropic", "m", (say("user", "hi"),), (ToolSpec("look"),), extras={"thread": {}})


def test_only_a_thread_is_kept() -> None:
    assert CHAINING.keeps(WITH_TOOLS) and not CHAINING.keeps(PLAIN)


def test_the_tools_of_the_thread_count_where_the_client_sends_none() -> None:
    assert CHAINING.with_earlier_tools(PLAIN, [PLAIN, WITH_TOOLS]).tools == WITH_TOOLS.tools
    other = ChatRequest("anthropic", "m", (), (ToolSpec("find"),))
    assert CHAINING.with_earlier_tools(other, [WITH_TOOLS]).tools == other.tools


def test_instructions_stay_first() -> None:
    assert CHAINING.is_leading(say("system", "be brief")) and not CHAINING.is_leading(say("user", "hi"))
    assert CHAINING.unknown("msg_x").fault.kind == "not_found"
