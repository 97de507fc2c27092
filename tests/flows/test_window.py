"""A person at the real window and the official OpenAI package at the real port, at the same time."""

import asyncio
import time
from collections.abc import Callable

import httpx
import openai
import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QPlainTextEdit, QPushButton, QWidget
from tests.fakes.scripted_provider import Reply, call_deltas, chat_stream, provider
from tests.flows.conftest import Program

from callgate.core.events import FaultRaised

MakeProgram = Callable[..., Program]
AUTO = {"use_vscode_tools": True, "tool_execution": "auto"}
ASK = [{"role": "user", "content": "What does notes.txt say?"}]
WEATHER = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


def ask(program: Program, **more: object) -> str:
    """A streamed request of an SDK script; runs in a thread of its own."""
    with openai.OpenAI(base_url=f"{program.runtime.address}/v1", api_key="any", max_retries=0, timeout=15) as sdk:
        stream = sdk.chat.completions.create(model="any", messages=ASK, stream=True, **more)  # type: ignore[call-overload]
        return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def dialog(program: Program) -> QWidget:
    return program.window_app.approvals.dialog


def test_a_person_approves_in_the_dialog_and_the_script_gets_its_answer(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        asking = asyncio.ensure_future(asyncio.to_thread(ask, program, extra_body=AUTO))
        await program.until(lambda: dialog(program).isVisible())
        assert "read_file" in program.find(QLabel, "approvalHeadline", dialog(program)).text()
        await program.click("approveButton", dialog(program))
        assert "buy milk" in await asking
        await program.until(lambda: not dialog(program).isVisible())
        assert program.runtime.console.waiting() == ()

    program.play(flow())


def test_a_person_denies_with_a_reason_and_the_model_respects_it(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        asking = asyncio.ensure_future(asyncio.to_thread(ask, program, extra_body=AUTO))
        await program.until(lambda: dialog(program).isVisible())
        await program.click("denyButton", dialog(program))
        field = await program.until(lambda: program.find(QWidget, "denyReason", dialog(program)))
        await program.until(field.isVisible)
        field.setText("private notes") if hasattr(field, "setText") else field.setPlainText("private notes")
        await program.click("denyButton", dialog(program))
        answer = await asking
        assert "buy milk" not in answer
        [conversation] = await program.runtime.journal.conversations()
        events = await program.runtime.journal.events(conversation.id)
        denied = [e.invocation for e in events if e.kind == "invocation" and e.invocation.state == "Completed"]
        assert denied[0].reason == "Denied" and "private notes" in denied[0].result.text

    program.play(flow())


def test_nobody_decides_and_the_deadline_denies(make_program: MakeProgram) -> None:
    program = make_program("[gate]\ndeadline_seconds = 0.5\n")

    async def flow() -> None:
        asking = asyncio.ensure_future(asyncio.to_thread(ask, program, extra_body=AUTO))
        await program.until(lambda: dialog(program).isVisible())
        assert "buy milk" not in await asking
        await program.until(lambda: not dialog(program).isVisible())

    program.play(flow())


def test_in_pass_through_the_script_runs_its_own_tool_after_the_approval(make_program: MakeProgram) -> None:
    one = chat_stream(*call_deltas(0, "call_1", "get_weather", '{"city":', '"Paris"}'), finish="tool_calls")
    with provider(Reply(one), Reply(chat_stream({"content": "Mild."}))) as up:
        program = make_program(
            f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\nmodels = ["gpt-*"]\n'
        )

        def script() -> str:
            base = f"{program.runtime.address}/v1"
            with openai.OpenAI(base_url=base, api_key="any", max_retries=0, timeout=15) as sdk:
                messages: list = [{"role": "user", "content": "Weather?"}]
                with sdk.chat.completions.stream(model="gpt-x", messages=messages, tools=[WEATHER]) as stream:
                    message = stream.get_final_completion().choices[0].message
                [call] = message.tool_calls
                result = {"role": "tool", "tool_call_id": call.id, "content": f"21 C in {call.function.arguments}"}
                messages += [message.model_dump(exclude_none=True), result]
                done = sdk.chat.completions.create(model="gpt-x", messages=messages, tools=[WEATHER], stream=True)
                return "".join(chunk.choices[0].delta.content or "" for chunk in done if chunk.choices)

        async def flow() -> None:
            running = asyncio.ensure_future(asyncio.to_thread(script))
            await program.until(lambda: dialog(program).isVisible())
            await program.click("approveButton", dialog(program))
            assert await running == "Mild."
            assert up.asked[1].body["messages"][-1]["content"] == '21 C in {"city":"Paris"}'
            [conversation] = await program.runtime.journal.conversations()
            assert (conversation.exchanges, conversation.calls) == (2, 1)

        program.play(flow())


def test_a_client_that_hangs_up_closes_the_dialog_and_nothing_runs(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        body = {"model": "any", "messages": ASK, "stream": True, **AUTO}
        async with httpx.AsyncClient(trust_env=False) as client:
            async with client.stream("POST", f"{program.runtime.address}/v1/chat/completions", json=body):
                await program.until(lambda: dialog(program).isVisible())
        await program.until(lambda: not dialog(program).isVisible())
        assert program.runtime.console.waiting() == ()
        await program.until(lambda: len(program.runtime.exchanges) == 0)

    program.play(flow())


async def take(program: Program, place: str, invocation_id: str) -> None:
    """As by a click on "Decide here", wherever the call is up."""
    places = program.window_app.approvals.places
    await program.until(lambda: places.current_id == invocation_id and places._sees(place, invocation_id))
    places.take(place, invocation_id)


def test_the_same_decision_can_be_made_on_the_card_and_in_the_queue(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        for place in ("card", "queue"):
            asking = asyncio.ensure_future(asyncio.to_thread(ask, program, extra_body=AUTO))
            [waiting] = await program.until(program.runtime.console.waiting)
            dialog(program).reject()
            program.window_app.conversation.open(waiting.conversation_id)
            program.window_app.window.show_approvals()
            where = program.window_app.conversation.view if place == "card" else program.window_app.approvals.queue
            await take(program, place, waiting.id)
            await program.click("approveButton", where)
            assert "buy milk" in await asking, place
            await program.until(lambda: not program.runtime.console.waiting())

    program.play(flow())


def test_the_person_talks_to_the_model_from_the_window(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        edit = program.find(QPlainTextEdit, "messageEdit")
        edit.setPlainText("What does notes.txt say?")
        await program.click("sendButton")
        await program.until(lambda: dialog(program).isVisible())
        await program.click("approveButton", dialog(program))
        await program.until(lambda: len(program.runtime.exchanges) == 0 and not program.runtime.console.waiting())
        edit.setPlainText("Thank you")
        await program.click("sendButton")

        async def twice() -> bool:
            [conversation] = await program.runtime.journal.conversations()
            return conversation.exchanges == 2 and not conversation.live

        async with asyncio.timeout(10):
            while not await twice():
                await asyncio.sleep(0.01)

    program.play(flow())


def test_a_reopened_conversation_looks_exactly_as_it_did_live(make_program: MakeProgram) -> None:
    program = make_program('[[rules]]\nverdict = "allow"\n')

    async def live() -> tuple[str, list]:
        await asyncio.to_thread(ask, program, extra_body=AUTO)
        [conversation] = await program.runtime.journal.conversations()
        program.window_app.bridge.flush()
        await program.until(lambda: program.window_app.conversation.conversation == conversation.id)
        await program.until(lambda: program.window_app.conversation.view.transcript.blocks)
        return conversation.id, list(program.window_app.conversation.view.transcript.blocks)

    conversation_id, before = program.play(live())
    program.restart()

    async def reopened() -> list:
        program.window_app.conversation.open(conversation_id)
        await program.until(lambda: program.window_app.conversation.view.transcript.blocks)
        return list(program.window_app.conversation.view.transcript.blocks)

    after = program.play(reopened())
    assert [type(block) for block in after] == [type(block) for block in before]
    assert after == before


def test_the_program_ends_in_order_within_two_seconds_while_a_stream_is_open(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> float:
        body = {"model": "any", "messages": ASK, "stream": True, **AUTO}
        async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
            async with client.stream("POST", f"{program.runtime.address}/v1/chat/completions", json=body) as response:
                await program.until(lambda: dialog(program).isVisible())
                reading = asyncio.ensure_future(response.aread())
                started = time.monotonic()
                await program.runtime.close()
                took = time.monotonic() - started
                assert b"error" in await reading
                return took

    assert program.play(flow()) < 2


def test_an_error_that_nobody_owns_is_shown_in_the_banner(make_program: MakeProgram) -> None:
    program = make_program()

    async def flow() -> None:
        program.runtime.bus.publish(FaultRaised("somewhere", "It broke", time.time(), "details"))
        banner = await program.until(lambda: program.find(QWidget, "faultBanner"))
        await program.until(banner.isVisible)

    program.play(flow())


def test_a_taken_port_is_said_and_the_next_free_one_is_used(make_program: MakeProgram) -> None:
    first = make_program()
    port = int(first.runtime.address.rsplit(":", 1)[1])

    async def flow() -> None:
        server = first.runtime._server()
        address = await server.start("127.0.0.1", port)
        assert address != first.runtime.address
        assert f"Port {port} is taken" in server.note
        await server.stop()

    first.play(flow())


@pytest.mark.parametrize(
    "name",
    [
        "toolFilter",
        "toolTree",
        "toolDetail",
        "conversationList",
        "conversationView",
        "composer",
        "sendButton",
        "approvalQueue",
        "proxyAddress",
        "gateMode",
        "stopButton",
    ],
)
def test_the_main_parts_can_be_found_by_name_and_by_assistive_technology(make_program: MakeProgram, name: str) -> None:
    part = make_program().find(QWidget, name)
    assert part is not None and part.accessibleName(), name


def test_a_click_on_the_address_copies_it(make_program: MakeProgram, qapp: object) -> None:
    program = make_program()
    program.play(program.click("proxyAddress"))
    assert isinstance(program.find(QAbstractScrollArea, "conversationView"), QAbstractScrollArea)
    assert qapp.clipboard().text() == program.runtime.address  # type: ignore[attr-defined]
    assert isinstance(program.find(QPushButton, "proxyAddress"), QWidget)


def test_the_window_keeps_its_size_whatever_was_shown_in_it(make_program: MakeProgram) -> None:
    program = make_program()

    async def play() -> None:
        window = program.window_app.window
        window.resize(1280, 800)
        await program.until(lambda: window.width() == 1280)
        for pane in ("traffic", "timeline", "inspector"):
            window.show_pane(pane)
        for page in ("wire", "rules", "sources", "endpoints", "statistics"):
            window.show_page(page)
            await program.until(lambda page=page: window._centre.page == page)
            window.leave_page()
        window.reset_layout()
        await program.until(lambda: not window.findChild(QWidget, "trafficTable").isVisible())
        assert (window.width(), window.height()) == (1280, 800)

    program.play(play())
