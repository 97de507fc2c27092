"""What agents did is counted on the statistics page, also after a restart, and leads back to the traffic."""

from collections.abc import Callable

from tests.flows.conftest import Program

from callgate.core.invocation import Decision


async def one_call(program: Program, verb: str) -> None:
    console, front = program.station.console, program.front
    sending = front.bridge.start(console.send("What does notes.txt say?", model="callgate-demo"), front.window, "say")
    (waiting,) = await program.until(console.waiting)
    console.decide(waiting.id, Decision("approve" if verb == "approve" else "deny"), "card")
    await sending


def test_calls_decisions_tokens_and_waits_are_counted(make_program: Callable[..., Program]) -> None:
    program = make_program()

    async def count() -> None:
        page = program.front.statistics
        program.front.window.show_page("statistics")
        assert page.isVisible()
        await program.until(lambda: page.board.calls.figure.text() == "2")
        assert page.board.calls.note.text() == "1 denied" and page.board.rounds.figure.text() == "4"
        (bar,) = page.board.tools.bars
        assert (bar.name, [value for value, _ in bar.parts]) == ("read_file", [1, 1, 0, 0])
        assert page.board.waited.figure.text() != "–" and sum(page.board.latency.layers[0].values) == 2
        assert page.board.agents.bars[0].name == "callgate" and page.board.models.bars[0].name == "callgate-demo"
        assert page.board.cost.figure.text() == "$0" and not page.board.tokens.is_empty

    async def play() -> None:
        await one_call(program, "approve")
        await one_call(program, "deny")
        await count()
        program.front.statistics.board.tools.picked.emit("read_file")
        await program.until(lambda: program.front.traffic.model.filtered)
        assert program.front.traffic.filter.line.text() == 'tool="read_file"'
        program.front.statistics.closed.emit()
        assert not program.front.statistics.isVisible()

    program.play(play())
    program.restart()
    program.play(count())


def test_an_empty_page_says_so(make_program: Callable[..., Program]) -> None:
    program = make_program()
    page = program.front.statistics

    async def play() -> None:
        program.front.window.show_page("statistics")
        await program.until(lambda: page._empty.isVisible())

    program.play(play())
