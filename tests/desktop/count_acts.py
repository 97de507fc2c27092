"""How many acts (a click, a chord, a text typed) the commonest decisions take on a real screen.

    python -m tests.desktop.count_acts

Each decision is carried out as a person would, each step as often as it takes until it has its effect.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.desktop.agent import Asked, Model
from tests.desktop.program import DIALOG, QUEUE, Program
from tests.desktop.screen import Screen, missing

PATIENCE = 5.0
"""How long an act is given to show an effect before it is done again."""
MOST = 5


class Counter:
    """Carries out acts and counts them."""

    def __init__(self, screen: Screen, program: Program) -> None:
        self.screen, self.program = screen, program
        self.acts: list[str] = []

    def until(self, effect: Callable[[], bool], name: str, act: Callable[[], None]) -> None:
        for _ in range(MOST):
            act()
            self.acts.append(name)
            try:
                self.screen.until(effect, name, PATIENCE, picture=False)
                return
            except AssertionError:
                continue
        raise AssertionError(f"{name}: no effect after {MOST} times")

    def once(self, name: str, act: Callable[[], None]) -> None:
        act()
        self.acts.append(name)

    def click(self, button: str, within: str, effect: Callable[[], bool], *modifiers: str) -> None:
        def act() -> None:
            if self.acts and self.acts[-1] == f"click {button}":  # again, as it had no effect: a hand has moved by then
                self.screen.wander(self.program.ready(button, within))
            self.program.click(button, within, *modifiers)

        self.until(effect, f"click {button}", act)

    def press(self, chord: str, effect: Callable[[], bool]) -> None:
        self.until(effect, chord, lambda: self.screen.press(chord))

    def type(self, text: str) -> None:
        self.once("type", lambda: self.screen.type(text))


def over(asked: Asked) -> Callable[[], bool]:
    return lambda: not asked.waits


def approve(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("approveButton", DIALOG)
    count.click("approveButton", DIALOG, over(asked))


def approve_by_chord(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("approveButton", DIALOG)
    try:
        count.press("ctrl+Return", over(asked))
    except AssertionError:
        count.acts.append("click, as the chord does nothing")
        count.click("approveButton", DIALOG, over(asked))


def approve_from_elsewhere(count: Counter) -> None:
    other = Path(__file__).with_name("other_program.py")
    process = count.screen.start([sys.executable, str(other)])
    window = count.screen.until(lambda: count.screen.window(process.pid, "Other program") or None, "the other program")
    count.screen.activate(window)
    try:
        approve(count)
    finally:
        count.screen.end(process)


def deny(count: Counter) -> None:
    asked, path = count.program.write()
    count.program.ready("denyButton", DIALOG)
    count.click("denyButton", DIALOG, over(asked), "shift")
    assert not path.exists()


def deny_with_reason(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("denyButton", DIALOG)
    count.click("denyButton", DIALOG, lambda: count.program.sees("denyReason", DIALOG))
    count.type("not now")
    count.press("Return", over(asked))
    assert "not now" in asked.result, asked.result


def edit(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("editButton", DIALOG)
    count.click(
        "editButton",
        DIALOG,
        lambda: count.program.sees("argumentsEditor", DIALOG) or count.program.sees("formScroll", DIALOG),
    )
    count.click("approveButton", DIALOG, over(asked))


def answer(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("answerButton", DIALOG)
    count.click("answerButton", DIALOG, lambda: count.program.sees("answerText", DIALOG))
    count.type("it is there")
    count.press("ctrl+Return", over(asked))
    assert asked.result == "it is there", asked.result


def approve_always(count: Counter) -> None:
    asked = count.program.ask("list_directory", path=".")
    count.program.ready("approveButton", DIALOG)
    count.click(
        "rememberScope",
        DIALOG,
        lambda: bool(count.screen.seen(count.program.pid, role="list item", name="Always", rows=True)),
    )
    count.once("type", lambda: count.screen.press("End", "Return"))
    count.click("approveButton", DIALOG, over(asked))


def second_call(count: Counter) -> None:
    first, _ = count.program.write()
    count.program.ready("approveButton", DIALOG)
    second, _ = count.program.write()
    count.click("approveButton", DIALOG, lambda: not (first.waits and second.waits))
    count.click("approveButton", DIALOG, lambda: not (first.waits or second.waits))


def take_over_in_the_queue(count: Counter) -> None:
    asked, _ = count.program.write()
    count.program.ready("approveButton", DIALOG)
    count.press("ctrl+4", lambda: count.program.sees(QUEUE))
    count.click("approveButton", QUEUE, over(asked))


def approve_five_alike(count: Counter) -> None:
    asked = [count.program.ask("list_directory", path=".", agent="five") for _ in range(5)]
    count.program.ready("approveButton", DIALOG)
    if count.program.sees("likeCallsButton", DIALOG):
        count.click("likeCallsButton", DIALOG, lambda: count.program.sees("approveLikeButton", DIALOG))
        count.click("approveLikeButton", DIALOG, lambda: not any(each.waits for each in asked))
        return
    for left in range(4, -1, -1):
        count.click("approveButton", DIALOG, lambda left=left: sum(each.waits for each in asked) <= left)


def quit_with_calls(count: Counter) -> None:
    asked = [count.program.write()[0] for _ in range(2)]
    count.program.ready("approveButton", DIALOG)
    count.program.bring_to_front()
    count.once("ctrl+q", lambda: count.screen.press("ctrl+q"))
    try:
        count.screen.until(lambda: not count.program.runs, "the end", 4, picture=False)
        count.acts.append(f"ended without a question, cutting off {sum(each.status != 200 for each in asked)} agents")
    except AssertionError:
        count.acts.append("asked first")


DECISIONS: dict[str, Callable[[Counter], None]] = {
    "approve, program in front": approve,
    "approve, from another program": approve_from_elsewhere,
    "approve by chord, from the main window": approve_by_chord,
    "deny, no reason": deny,
    "deny with a reason": deny_with_reason,
    "edit, then approve": edit,
    "answer": answer,
    "approve always": approve_always,
    "two calls waiting, approve both": second_call,
    "take over in the queue and approve": take_over_in_the_queue,
    "approve five alike": approve_five_alike,
    "quit with two calls waiting": quit_with_calls,
}


def main() -> int:
    lacking = missing()
    if lacking:
        print(f"No real desktop here: {lacking} missing.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        screen, model = Screen(Path(folder)), Model()
        try:
            for number, (name, run) in enumerate(DECISIONS.items()):
                own = Path(folder) / f"program-{number}"
                own.mkdir()
                program = Program(screen, own, model)
                count = Counter(screen, program)
                try:
                    run(count)
                    print(f"{len(count.acts):2}  {name}: {', '.join(count.acts)}", flush=True)
                except AssertionError as problem:
                    print(f" -  {name}: {', '.join(count.acts)}; {problem}", flush=True)
                finally:
                    program.end()
        finally:
            screen.close()
            model.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
