"""One real server in both eras: what it lists, what its calls bring, what it may ask."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.fakes.mcp_sources import Watched, opened, settings, until, versatile

from callgate.core.messages import File, Image, Text
from callgate.core.question import Answer, FormQuestion, LinkQuestion, Question, SampleQuestion


class Person:
    """Answers as the test says, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answer = Answer("decline")

    async def __call__(self, question: Question) -> Answer:
        self.asked.append(question)
        return self.answer


class Stage:
    def __init__(self, runner: asyncio.Runner, server: Watched, person: Person, era: str, workspace: Path) -> None:
        self.run = runner.run
        self.server = server
        self.person = person
        self.era = era
        self.workspace = workspace


@pytest.fixture(scope="module", params=["modern", "legacy"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One server per era for all tests of this file: it takes seconds to start."""
    workspace = tmp_path_factory.mktemp("workspace")
    person = Person()
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        configured = settings(versatile(), era="legacy" if request.param == "legacy" else "")
        server = runner.run(stack.enter_async_context(opened(configured, workspace, ask=person)))
        runner.run(server.ready())
        yield Stage(runner, server, person, request.param, workspace)
        runner.run(stack.aclose())


@pytest.fixture(autouse=True)
def nobody_asked_yet(stage: Stage) -> None:
    stage.person.asked.clear()
    stage.person.answer = Answer("decline")
    stage.server.reports.clear()


def test_the_era_that_was_found_is_told(stage: Stage) -> None:
    assert stage.server.source.era == stage.era
    assert stage.server.source.server is not None
    assert stage.server.source.server.version == "1.2.3"


def test_all_pages_of_the_list_become_tools(stage: Stage) -> None:
    names = [tool.name for tool in stage.server.source.tools()]
    assert names[:3] == ["echo", "progress", "hang"]
    assert "cancelled_count" in names
    assert stage.server.source.problems == ()


def test_everything_that_a_definition_says_is_kept(stage: Stage) -> None:
    echo = stage.server.tool("echo")
    assert (echo.source, echo.title, echo.description) == ("srv", "Echo", "does echo")
    assert (echo.annotations.read_only, echo.annotations.destructive) == (True, False)
    assert (echo.annotations.idempotent, echo.annotations.open_world) == (None, False)
    assert echo.icons[0].startswith("data:image/png;base64,")
    assert stage.server.tool("liar").output_schema is not None


def test_a_call_brings_back_its_text(stage: Stage) -> None:
    assert stage.run(stage.server.text("echo", text="héllo ✓")) == "héllo ✓"


def test_every_kind_of_content_becomes_a_part(stage: Stage) -> None:
    parts = stage.run(stage.server.call("contents")).parts
    assert [type(part) for part in parts] == [Text, Image, File, Text, Text, File, Image]
    _, image, audio, link, inside, pdf, _ = parts
    assert isinstance(image, Image)
    assert image.media_type == "image/png"
    assert isinstance(audio, File)
    assert audio.media_type == "audio/wav"
    assert link == Text("a.txt: file:///x/a.txt (a file)")
    assert inside == Text("inside"), "without extras, which would go out as keys of a chat wire"
    assert isinstance(pdf, File)
    assert (pdf.name, pdf.media_type) == ("c.pdf", "application/pdf")


def test_an_error_of_the_tool_is_an_outcome(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("fail"))
    assert outcome.is_error
    assert outcome.parts == (Text("it went wrong"),)


def test_an_error_of_the_protocol_is_told_to_the_model(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("refuse"))
    assert outcome.is_error
    assert "those arguments make no sense (code -32602)" in str(outcome.parts)


def test_structured_content_that_fits_is_kept_without_a_word(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("true_number"))
    assert outcome.structured == {"n": 1}
    assert outcome.parts == (Text("1"),)


def test_structured_content_that_breaks_its_schema_is_kept_and_the_breach_is_said(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("liar"))
    assert outcome.structured == {"n": "one"}
    assert outcome.parts[0] == Text("one")
    assert "breaks the output schema" in str(outcome.parts[1])
    assert not outcome.is_error


def test_structured_content_that_is_missing_is_said(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("silent_liar"))
    assert outcome.parts[0] == Text("nothing structured")
    assert "returned no structured content" in str(outcome.parts[1])


def test_progress_is_reported_as_it_comes(stage: Stage) -> None:
    stage.run(stage.server.call("progress"))
    assert stage.server.reports == [("step 1", 1.0, 3.0), ("step 2", 2.0, 3.0), ("step 3", 3.0, 3.0)]


def test_a_cancelled_call_is_cancelled_at_the_server_and_the_connection_stays_usable(stage: Stage) -> None:
    async def work() -> None:
        before = int(await stage.server.text("cancelled_count"))
        noise = len(stage.server.source.stderr)
        call = asyncio.get_running_loop().create_task(stage.server.call("hang"))
        await until(lambda: len(stage.server.source.stderr) > noise)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        async with asyncio.timeout(5):
            while int(await stage.server.text("cancelled_count")) == before:
                await asyncio.sleep(0.01)

    stage.run(work())
    assert any('"notifications/cancelled"' in frame.text for frame in stage.server.frames if frame.direction == "out")
    assert stage.server.source.state == "ready"


def test_calls_may_run_beside_each_other(stage: Stage) -> None:
    async def work() -> list[str]:
        return await asyncio.gather(*(stage.server.text("echo", text=str(n)) for n in range(50)))

    assert stage.run(work()) == [str(n) for n in range(50)]


def test_a_question_with_a_form_reaches_the_person_and_the_answer_the_server(stage: Stage) -> None:
    stage.person.answer = Answer("accept", {"name": "Ada"})
    answer = stage.run(stage.server.text("ask"))
    (question,) = stage.person.asked
    assert isinstance(question, FormQuestion)
    assert (question.source, question.message, question.call_id) == ("srv", "Who are you?", "call_1")
    assert question.schema["required"] == ["name"]
    assert '"accept"' in answer
    assert '"Ada"' in answer


def test_a_declined_form_is_declined(stage: Stage) -> None:
    assert '"decline"' in stage.run(stage.server.text("ask"))


def test_a_link_is_put_to_the_person(stage: Stage) -> None:
    stage.person.answer = Answer("accept")
    answer = stage.run(stage.server.text("ask_link"))
    assert stage.person.asked == [LinkQuestion("srv", "Log in", "https://login.test/x", "call_1", "conv_1")]
    assert '"accept"' in answer


def test_a_wish_for_a_models_words_is_put_to_the_person(stage: Stage) -> None:
    stage.person.answer = Answer("accept", text="Forty-two", model="demo")
    answer = stage.run(stage.server.text("sample"))
    (question,) = stage.person.asked
    assert isinstance(question, SampleQuestion)
    assert (question.messages[0].text, question.system, question.max_tokens) == ("Say something", "Be brief", 50)
    assert "Forty-two" in answer
    assert '"demo"' in answer


def test_a_declined_wish_for_words_fails_the_call_politely(stage: Stage) -> None:
    outcome = stage.run(stage.server.call("sample"))
    assert outcome.is_error
    assert "declined" in str(outcome.parts)


def test_the_workspace_is_the_servers_root(stage: Stage) -> None:
    assert stage.workspace.as_uri() in stage.run(stage.server.text("roots"))


def test_a_changed_list_is_fetched_again(stage: Stage) -> None:
    async def work() -> None:
        before = len(stage.server.source.tools())
        await stage.server.call("grow")
        await until(lambda: len(stage.server.source.tools()) == before + 1)

    stage.run(work())
    assert stage.server.changes[-1] == len(stage.server.source.tools())
    assert stage.run(stage.server.text(stage.server.source.tools()[-1].name)) == "extra"


def test_every_frame_is_seen_with_its_direction_and_time(stage: Stage) -> None:
    stage.run(stage.server.text("echo", text="a very special text"))
    out, back = [frame for frame in stage.server.frames if "a very special text" in frame.text]
    assert (out.direction, back.direction, out.source) == ("out", "in", "srv")
    assert 0 < out.at <= back.at
