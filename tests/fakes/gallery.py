"""A conversation with one of everything that can stand in one, for pictures and for whoever counts what is shown."""

import base64
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

from callgate.core.calls.invocation import (
    Allow,
    Ask,
    Cancel,
    Invocation,
    Phase,
    Return,
    Review,
    Settle,
    Step,
    advance,
    denied_text,
    timed_out_text,
)
from callgate.core.deltas import (
    ArgumentsDelta,
    CallEnded,
    CallStarted,
    Finished,
    ReasoningDelta,
    Started,
    TextDelta,
    UsageReported,
)
from callgate.core.errors import Fault
from callgate.core.events import (
    DeltaArrived,
    Event,
    ExchangeEnded,
    ExchangeStarted,
    InvocationChanged,
    RoundEnded,
    RoundStarted,
    ToolOutput,
)
from callgate.core.messages import File, Image, Message, Part, Reasoning, Text, ToolCall, ToolResult, Usage, say
from callgate.core.rules.policy import Verdict
from callgate.core.tool import ToolSpec

PROSE = """## What I found

The flaky test reads the clock **before** it takes the lock, so two threads can store the same *instant*. Three things
follow:

1. `sync()` may go backwards by up to one tick
2. the retry in `push()` hides it locally
   - CI has two cores, your laptop has ten
   - the window is about **40 µs**
3. nothing in the log says so

> The log shows the lock being taken 3 ms *after* the timestamp that it guards.

| file | line | what | confidence |
|---|--:|---|:-:|
| `box/sync.py` | 41 | clock before lock | high |
| `box/push.py` | 118 | retry swallows `StaleClock` | high |
| `tests/test_sync.py` | 12 | asserts on equality | medium |

See [the Python documentation](https://docs.python.org/3/library/time.html#time.monotonic) for `time.monotonic`.

```python
def sync(self) -> float:
    \"\"\"Takes the lock first: the clock may stand still, but never goes back.\"\"\"
    with self._lock:
        now = time.monotonic()
        self._last = max(self._last, now)
    return self._last
```

The TypeScript client has the same mistake:

```typescript
export async function sync(box: Box): Promise<number> {
  const release = await box.lock.acquire();
  try { return (box.last = Math.max(box.last, performance.now())); }
  finally { release(); }   // never skipped
}
```

and this query shows how often it happened:

```sql
SELECT date(at) AS day, count(*) AS stale
FROM sync_log WHERE at < previous_at  -- went backwards
GROUP BY day ORDER BY stale DESC LIMIT 5;
```
"""
THOUGHT = (
    "The test passes locally and fails on CI, so timing is the first suspect.\n\n"
    "`sync()` reads `time.monotonic()` outside of the lock. With two cores the scheduler can preempt between the read "
    "and the store, so a later caller stores an *earlier* value."
)
DIFF = """diff --git a/box/sync.py b/box/sync.py
--- a/box/sync.py
+++ b/box/sync.py
@@ -38,8 +38,8 @@ class Box:
     def sync(self) -> float:
-        now = time.monotonic()
         with self._lock:
+            now = time.monotonic()
             self._last = max(self._last, now)
         return self._last
"""
TERMINAL = (
    "\x1b[1m============ test session starts ============\x1b[0m\n"
    "collected 3 items\n\n"
    "tests/test_sync.py::test_order \x1b[32mPASSED\x1b[0m   [ 33%]\n"
    "tests/test_sync.py::test_retry \x1b[32mPASSED\x1b[0m   [ 66%]\n"
    "tests/test_sync.py::test_sync \x1b[31mFAILED\x1b[0m    [100%]\n\n"
    "\x1b[31m\x1b[1mE   assert 17.000041 >= 17.000082\x1b[0m\n"
    "[exit code 1]"
)
TABLE = (
    '[{"file": "box/sync.py", "hits": 12, "last": "2026-11-17", "flaky": true},'
    '{"file": "box/push.py", "hits": 4, "last": "2026-11-16", "flaky": true},'
    '{"file": "tests/test_sync.py", "hits": 3, "last": "2026-11-16", "flaky": false},'
    '{"file": "tests/test_push.py", "hits": 0, "last": null, "flaky": false}]'
)
TREE = (
    '{"run": 4711, "branch": "main", "jobs": [{"name": "linux", "ok": false, "seconds": 93.2, "steps": ["setup", '
    '"test"]}, {"name": "macos", "ok": true, "seconds": 71.0, "steps": ["setup", "test"]}], "artifacts": {"log": '
    '"ci.log", "size": 18232}, "next": null}'
)
TRIMMED = "line 1\nline 2\n[… about 41,000 of 50,000 tokens left out; ask for a smaller part of it …]\nline 99,999\n"
TOOLS = tuple(
    ToolSpec(name, words, {"type": "object"})
    for name, words in (("read_file", "Reads"), ("run_command", "Runs"), ("search_text", "Searches"))
)


def picture(width: int = 360, height: int = 150) -> str:
    """A plot, as base64 of a PNG."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    ground = QLinearGradient(0, 0, 0, height)
    ground.setColorAt(0, QColor("#20304a"))
    ground.setColorAt(1, QColor("#101826"))
    painter.fillRect(image.rect(), ground)
    for number in range(24):
        tall = 20 + (number * 37) % (height - 40)
        painter.fillRect(12 + number * 14, height - 10 - tall, 9, tall, QColor("#6ea8fe" if number % 5 else "#f5b84b"))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return base64.b64encode(buffer.data().data()).decode()


class Gallery:
    """Writes the events of one conversation, a second or so apart."""

    def __init__(self, conversation: str, at: float, agent: str = "claude-code", model: str = "claude-opus-4") -> None:
        self.conversation, self.at, self.agent, self.model = conversation, at, agent, model
        self._exchange, self._round, self._parent, self._number = "", 0, "", 0
        self._said: list[Part] = []
        self._opened = at

    def ask(self, *parts: Part, system: str = "", parent: str | None = None) -> Iterator[Event]:
        self._number += 1
        before = self._exchange
        self._exchange, self._round = f"{self.conversation}_e{self._number}", 0
        self._parent = before if parent is None else parent
        fresh = (*((say("system", system),) if system else ()), Message("user", parts))
        yield ExchangeStarted(
            self._exchange, self.conversation, self.agent, "anthropic", self.model, True, 2 * (self._number - 1), fresh,
            TOOLS[:2], self._tick(), self._parent,
        )  # fmt: skip

    @property
    def exchange(self) -> str:
        return self._exchange

    def open_round(self, tools: tuple[ToolSpec, ...] = TOOLS) -> Iterator[Event]:
        self._round += 1
        self._said = []
        yield RoundStarted(
            self._exchange, self.conversation, self._round, "anthropic", "anthropic", self.model, tools, True,
            self._tick(),
        )  # fmt: skip
        self._opened = self.at
        yield self._delta(Started("msg", self.model))

    def speak(self, part: int, text: str) -> Iterator[Event]:
        self._said.append(Text(text))
        yield self._delta(TextDelta(part, text))

    def think(self, part: int, text: str) -> Iterator[Event]:
        self._said.append(Reasoning(text))
        yield self._delta(ReasoningDelta(part, text))

    def call(self, part: int, tool: str, arguments: str, *steps: Step, owner: str = "gate") -> Iterator[Event]:
        """A call that the model writes in full, taken through steps; without any, it is still being written."""
        call_id = f"call_{self._exchange}_{self._round}_{part}"
        one = Invocation(
            f"inv_{call_id}", self._exchange, self.conversation, self._round, part, call_id, tool,
            "client" if owner == "client" else "gate", "" if owner == "client" else "built-in", self.agent, self.model,
            phases=(Phase("Streaming", self.at),),
        )  # fmt: skip
        yield self._delta(CallStarted(part, call_id, tool))
        yield InvocationChanged(one, self.at)
        yield self._delta(ArgumentsDelta(part, arguments))
        if not steps:
            return
        self._said.append(ToolCall(call_id, tool, arguments))
        yield self._delta(CallEnded(part, arguments))
        one = replace(one, arguments=arguments)
        for step in steps:
            if isinstance(step, Return | Settle | Review) or (isinstance(step, Cancel) and step.result is not None):
                step = replace(step, result=replace(step.result, call_id=call_id))  # type: ignore[union-attr,type-var]
            one = advance(one, step, self._tick())
            yield InvocationChanged(one, self.at)

    def output(self, part: int, text: str, progress: float, total: float) -> Iterator[Event]:
        call_id = f"call_{self._exchange}_{self._round}_{part}"
        yield ToolOutput(f"inv_{call_id}", self.conversation, text, self._tick(), progress, total)

    def close_round(self, usage: Usage, finish: str = "stop") -> Iterator[Event]:
        yield self._delta(Finished(finish))  # type: ignore[arg-type]
        yield self._delta(UsageReported(usage))
        first = max(self._opened + 0.4, self.at - 1.4)
        yield RoundEnded(
            self._exchange, self.conversation, self._round, Message("assistant", tuple(self._said)), finish, usage,  # type: ignore[arg-type]
            self._tick(), first,
        )  # fmt: skip

    def close(self, outcome: str = "completed", fault: Fault | None = None) -> Iterator[Event]:
        yield ExchangeEnded(self._exchange, self.conversation, outcome, self._tick(), fault=fault)  # type: ignore[arg-type]

    def _delta(self, delta: object) -> Event:
        return DeltaArrived(self._exchange, self.conversation, self._round, delta, self.at)  # type: ignore[arg-type]

    def _tick(self) -> float:
        self.at += 0.7
        return self.at


def asked(at: float) -> Ask:
    return Ask(Verdict("ask", "no rule matched"), at + 240)


BY_RULE = Allow("ConfirmationNotNeeded", "rule", Verdict("allow", "reads only"))
BY_PERSON = Allow("UserAction", "person", scope="once")


def returned(text: str, *more: Part, error: bool = False) -> Return:
    return Return(ToolResult("", (*((Text(text),) if text else ()), *more), is_error=error))  # type: ignore[arg-type]


def whole_story(conversation: str, at: float) -> Iterator[Event]:
    """Over: Markdown, code, pictures, calls that ended in every way, results of every kind, a failure, two tries."""
    story = Gallery(conversation, at)
    notes = File("text/plain", base64.b64encode(b"flaky since Tuesday").decode(), name="ci-notes.txt")
    system = "You are a careful engineer. Prefer small changes; explain them."
    yield from story.ask(
        Image("image/png", picture()), notes, Text("Why does `test_sync` fail on CI, but never here?"), system=system
    )
    yield from story.open_round()
    yield from story.think(0, THOUGHT)
    yield from story.speak(1, "I look at the test, the last runs and the change that broke it.")
    yield from story.call(2, "search_text", '{"query": "sync(", "mode": "text"}', BY_RULE, returned(TABLE))
    yield from story.call(
        3, "http_get", '{"url": "https://ci.example/api/runs/4711"}', asked(at), BY_PERSON, returned(TREE)
    )
    yield from story.call(4, "git_diff", '{"rev": "HEAD~1"}', BY_RULE, returned(DIFF))
    command = '{"command": "pytest -x tests/test_sync.py", "timeout": 60}'
    edited = replace(BY_PERSON, arguments='{"command": "pytest -x -q tests/test_sync.py", "timeout": 120}')
    yield from story.call(5, "run_command", command, asked(at), edited, returned(TERMINAL))
    yield from story.call(
        6, "plot", '{"series": "stale", "days": 24}', BY_RULE, returned("", Image("image/png", picture()))
    )
    yield from story.close_round(Usage(12_400, 310, 11_000, 0, 180), "tool_calls")
    yield from story.open_round()
    nothing = denied_text("run_command", "never force-push from here", "the user")
    yield from story.call(
        0, "run_command", '{"command": "git push --force origin main"}', asked(at),
        Settle(ToolResult("", (Text(nothing),), True), "Denied", "person", explanation="never force-push from here"),
    )  # fmt: skip
    yield from story.call(
        1, "ask_reviewer", '{"question": "May I change the public signature of sync()?"}', asked(at),
        Settle(ToolResult("", (Text("No. Keep it, add a new function instead."),)), "UserAction", "person"),
    )  # fmt: skip
    yield from story.call(
        2, "read_file", '{"path": "secrets.env"}', BY_RULE, returned("rg: permission denied", error=True)
    )
    yield from story.call(3, "edit_file", '{"path": "box/sync.py", "line": 41}', asked(at), BY_PERSON, owner="client")
    yield from story.call(4, "read_file", '{"path": "ci.log"}', BY_RULE, returned(TRIMMED))
    yield from story.call(5, "fetch_page", '{"url": "https://example.com/a"}', asked(at), Cancel("client"))
    late = ToolResult("", (Text(timed_out_text("delete_branch", 300)),), True)
    yield from story.call(6, "delete_branch", '{"name": "main"}', asked(at), Cancel("deadline", "Timeout", result=late))
    kept = Verdict("ask", "a rule wants the result reviewed")
    yield from story.call(
        7, "read_file", '{"path": "config.toml"}', BY_RULE,
        Return(ToolResult("", (Text("token = 1234"),)), review=kept),
        Review(ToolResult("", (Text("token = ····"),)), "hid the token"),
    )  # fmt: skip
    yield from story.close_round(Usage(13_900, 420, 12_400), "tool_calls")
    yield from story.open_round()
    yield from story.speak(0, PROSE)
    yield from story.close_round(Usage(15_000, 640, 13_900), "stop")
    yield from story.close()
    turn = story.exchange
    yield from story.ask(Text("Fix it in both clients."))
    yield from story.open_round()
    fault = Fault("rate_limit", "Rate limit reached for claude-opus-4: try again in 20 s.", retry_after=20)
    yield from story.close("failed", fault)
    yield from story.ask(Text("Fix it in the Python client only."), parent=turn)
    yield from story.open_round()
    yield from story.speak(
        0, "Done: one line moved, and the test now fails without it. The public signature is unchanged."
    )
    yield from story.close_round(Usage(15_600, 60, 15_000), "length")
    yield from story.close()


def live_story(conversation: str, at: float) -> Iterator[Event]:
    """Now: one call runs and tells how far it is, one waits, and one is still being written, with mistakes."""
    story = Gallery(conversation, at, agent="codex", model="gpt-9")
    yield from story.ask(Text("Run the whole suite, then delete what the run left behind."))
    yield from story.open_round()
    yield from story.speak(0, "I run the tests first.")
    yield from story.call(1, "run_command", '{"command": "make test", "timeout": 600}', BY_RULE)
    lines = "".join(f"tests/test_{n}.py \x1b[32mPASSED\x1b[0m\n" for n in range(30, 42))
    yield from story.output(1, lines, 42, 90)
    yield from story.call(2, "run_command", '{"command": "rm -rf build/ .cache/"}', asked(at))
    yield from story.call(3, "read_file", '{"path": "README.md", "start_line": "ten", "colour": "red", "end_line": 4')
