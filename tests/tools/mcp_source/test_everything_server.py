"""The protocol's own demonstration server, from npm: everything that a client must bear, by other people's code."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest
from tests.fakes.mcp_sources import START_SECONDS, Watched, opened, settings, until
from tests.fakes.npm_packages import npm_command

from callgate.core.errors import PeerFault
from callgate.core.messages import File, Image, Text
from callgate.core.question import Answer, FormQuestion, LinkQuestion, Question, SampleQuestion
from callgate.tools.catalog import Catalog


@dataclass
class Person:
    """Answers as the test says, and remembers what it was asked; None = never."""

    asked: list[Question] = field(default_factory=list)
    answer: Answer | None = None

    async def __call__(self, question: Question) -> Answer:
        self.asked.append(question)
        if self.answer is None:
            await asyncio.get_running_loop().create_future()
        assert self.answer is not None
        return self.answer


@dataclass
class Stage:
    runner: asyncio.Runner
    server: Watched
    person: Person


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    person = Person()
    command = npm_command("everything")
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        folder = tmp_path_factory.mktemp("workspace")
        server = runner.run(stack.enter_async_context(opened(settings(command), folder, ask=person)))
        runner.run(server.ready())
        yield Stage(runner, server, person)
        runner.run(stack.aclose())


@pytest.fixture
def stage(shared: Stage) -> Stage:
    shared.person.asked.clear()
    shared.person.answer = Answer("decline")
    shared.server.reports.clear()
    return shared


def test_its_tools_are_listed_under_names_that_every_wire_bears(stage: Stage) -> None:
    assert {"echo", "get-sum", "trigger-sampling-request"} <= {t.name for t in Catalog([stage.server.source]).offered()}
    assert stage.server.source.era == "legacy"


def test_a_call_brings_its_result(stage: Stage) -> None:
    assert stage.runner.run(stage.server.text("echo", message="hello")) == "Echo: hello"
    assert "5" in stage.runner.run(stage.server.text("get-sum", a=2, b=3))


def test_pictures_and_files_come_as_what_they_are(stage: Stage) -> None:
    outcome = stage.runner.run(stage.server.call("get-tiny-image"))
    (picture,) = [part for part in outcome.parts if isinstance(part, Image)]
    assert picture.media_type == "image/png"
    blob = stage.runner.run(stage.server.call("get-resource-reference", resourceType="Blob", resourceId=2))
    assert any(isinstance(part, File) and part.data for part in blob.parts)


def test_structured_content_is_kept_beside_its_text(stage: Stage) -> None:
    outcome = stage.runner.run(stage.server.call("get-structured-content", location="Chicago"))
    assert isinstance(outcome.structured, dict)
    assert outcome.structured["temperature"] is not None
    assert not any("Callgate" in part.text for part in outcome.parts if isinstance(part, Text))


def test_progress_is_reported_while_it_runs(stage: Stage) -> None:
    done = stage.runner.run(stage.server.text("trigger-long-running-operation", duration=0.3, steps=3))
    assert "completed" in done
    assert [(done, total) for _, done, total in stage.server.reports] == [(1, 3), (2, 3), (3, 3)]


def test_its_form_is_put_to_the_person_and_the_answer_comes_back(stage: Stage) -> None:
    stage.person.answer = Answer("accept", {"name": "Ada Lovelace", "check": True})
    told = stage.runner.run(stage.server.text("trigger-elicitation-request"))
    (question,) = stage.person.asked
    assert isinstance(question, FormQuestion)
    assert (question.source, question.call_id, question.conversation_id) == ("srv", "call_1", "conv_1")
    assert "Ada Lovelace" in told


def test_an_address_is_put_to_the_person_in_both_ways_that_it_asks(stage: Stage) -> None:
    stage.person.answer = Answer("accept")
    stage.runner.run(stage.server.text("trigger-url-elicitation", url="https://a.example/x"))
    assert [q.url for q in stage.person.asked if isinstance(q, LinkQuestion)] == ["https://a.example/x"]
    stage.person.asked.clear()
    told = stage.runner.run(stage.server.text("trigger-url-elicitation", url="https://b.example/x", errorPath=True))
    urls = [q.url for q in stage.person.asked if isinstance(q, LinkQuestion)]
    assert urls == ["https://modelcontextprotocol.io", "https://b.example/x"]
    assert "completed the URL elicitation" in told


def test_an_address_that_must_be_visited_first_and_is_not_fails_the_call_in_words(stage: Stage) -> None:
    outcome = stage.runner.run(stage.server.call("trigger-url-elicitation", url="https://c.example/x", errorPath=True))
    assert outcome.is_error
    assert "did not run it" in "".join(part.text for part in outcome.parts if isinstance(part, Text))


def test_a_models_words_are_put_to_the_person(stage: Stage) -> None:
    stage.person.answer = Answer("accept", text="Forty-two", model="demo")
    told = stage.runner.run(stage.server.text("trigger-sampling-request", prompt="What is it?", maxTokens=10))
    (question,) = stage.person.asked
    assert isinstance(question, SampleQuestion)
    assert question.max_tokens == 10
    assert "Forty-two" in told


def test_a_call_that_ends_takes_its_question_back(stage: Stage) -> None:
    async def work() -> None:
        stage.person.answer = None
        call = stage.server.tasks.start(stage.server.call("trigger-elicitation-request"), "call")
        await until(lambda: bool(stage.person.asked))
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        assert await stage.server.text("echo", message="still there") == "Echo: still there"

    stage.runner.run(work())


def test_a_cancelled_call_leaves_the_connection_as_it_was(stage: Stage) -> None:
    async def work() -> None:
        call = stage.server.tasks.start(
            stage.server.call("trigger-long-running-operation", duration=30, steps=300), "call"
        )
        await until(lambda: bool(stage.server.reports))
        call.cancel()
        await asyncio.wait({call})
        assert '"notifications/cancelled"' in "".join(frame.text for frame in stage.server.frames)
        assert await stage.server.text("echo", message="still there") == "Echo: still there"

    stage.runner.run(work())


def test_killed_in_the_middle_of_a_call_it_is_started_again(stage: Stage) -> None:
    async def work() -> None:
        source = stage.server.source
        catalog = Catalog([source])
        pid = source.pid
        assert pid is not None

        async def kill() -> None:
            await until(lambda: bool(stage.server.reports))
            os.kill(pid, signal.SIGKILL)

        killing = stage.server.tasks.start(kill(), "kill -9")
        with pytest.raises(PeerFault, match="went away during the call"):
            await stage.server.call("trigger-long-running-operation", duration=30, steps=300)
        await killing
        await until(lambda: source.state == "ready" and source.pid not in (None, pid), START_SECONDS)
        assert catalog.offers("echo") is not None
        assert await stage.server.text("echo", message="back") == "Echo: back"

    stage.runner.run(work())
