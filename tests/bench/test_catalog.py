"""The tool list over very many tools, through the real route; and what the engine adds to a call of a tool."""

import asyncio
import statistics
import time

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from tests.fakes.list_source import ListSource
from tests.fakes.loop import until
from tests.fakes.rules import RuleList

from callgate.core.rules.policy import Rule
from callgate.core.tool import Tool
from callgate.engine.bus import Bus
from callgate.engine.exchange.call_run import CallDeps
from callgate.engine.exchange.direct_call import Caller, DirectCalls
from callgate.engine.gate.gate import Gate
from callgate.engine.gate.gate_ports import GateConduct
from callgate.engine.gate.invoker import Invoker
from callgate.engine.tasks import Tasks
from callgate.proxy.tools_endpoint import ToolsEndpoint
from callgate.tools.catalog import Catalog
from callgate.tools.http_source import HttpSource
from callgate.tools.memory import Forgetful

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

SOURCES, EACH, REPEATS = 50, 200, 20
VERBS = ("get", "set", "list", "find")
CALLS = 1000


def crowd() -> Catalog:
    def schema(number: int) -> dict:
        properties = {"path": {"type": "string", "description": f"Path {number}"}, "limit": {"type": "integer"}}
        return {"type": "object", "properties": properties, "required": ["path"]}

    return Catalog(
        ListSource(
            f"s{source}",
            *(
                Tool(
                    f"{VERBS[number % 4]}_s{source}_{number}",
                    f"s{source}",
                    f"Does thing {number} of source {source}.",
                    schema(number),
                    tags=("bench", f"tag{number % 7}"),
                )
                for number in range(EACH)
            ),
        )
        for source in range(SOURCES)
    )


def test_ten_thousand_tools_are_filtered_in_under_ten_milliseconds() -> None:
    catalog = crowd()

    async def measure() -> dict[str, float]:
        out: dict[str, float] = {}
        tasks = Tasks(Bus())
        endpoint = ToolsEndpoint(catalog, HttpSource(Forgetful()), tasks)
        app = Starlette(routes=[Route("/v1/tools", endpoint.list)])
        started = time.perf_counter()
        endpoint.open()
        await until(lambda: not len(tasks), 20)
        out["(spelling ahead, on the side)"] = (time.perf_counter() - started) * 1000
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            for query in ("name=get_*", "name=get_*&tags=tag3", "name=*_s7_*"):
                times: list[float] = []
                began = time.process_time()
                await client.get(f"/v1/tools?{query}")
                out[f"{query} first, processor"] = (time.process_time() - began) * 1000
                for _ in range(REPEATS):
                    started = time.perf_counter()
                    response = await client.get(f"/v1/tools?{query}")
                    times.append(time.perf_counter() - started)
                assert len(response.json()["data"]) >= EACH // 4
                out[query] = statistics.median(times) * 1000
        return out

    assert len(catalog.tools()) == SOURCES * EACH
    spent = asyncio.run(asyncio.wait_for(measure(), 100))
    print("\n" + "\n".join(f"GET /v1/tools?{query}: {ms:.1f} ms" for query, ms in spent.items()))
    assert spent["name=get_* first, processor"] < 10, "nobody pays for being the first"
    assert spent["name=get_*"] < 10
    assert spent["name=*_s7_*"] < 10


def test_a_thousand_calls_at_once_cost_less_than_a_millisecond_each() -> None:
    async def measure() -> float:
        bus = Bus()
        catalog = Catalog([ListSource("s", Tool("nothing", "s", schema={"type": "object"}))])
        invoker = Invoker(catalog, bus, 60)
        gate = Gate(bus, RuleList(Rule("allow")), GateConduct(), invoker.problem_with)
        calls = DirectCalls(CallDeps(bus, gate, invoker, Tasks(bus)), catalog)
        started = time.perf_counter()
        outcomes = await asyncio.gather(
            *(calls.call("nothing", {}, Caller("bench", "s"), lambda *_: None) for _ in range(CALLS))
        )
        spent = time.perf_counter() - started
        assert not any(outcome.is_error for outcome in outcomes)
        return spent

    each = min(asyncio.run(asyncio.wait_for(measure(), 30)) for _ in range(3)) / CALLS * 1000
    print(f"\n{CALLS} calls in flight: {each:.3f} ms each")
    assert each < 1
