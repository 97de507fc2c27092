"""What judging one call costs beside a thousand rules."""

import time
from dataclasses import replace

import orjson
import pytest

from callgate.core.rules.policy import Call, Policy, Rule

pytestmark = pytest.mark.bench

RULES = 1_000
ROUNDS = 20
JUDGEMENTS = 50
LIMIT_MS = 1.0


def call(tool: str, **arguments: object) -> Call:
    return Call(tool, "built-in", "script", "m", orjson.dumps(arguments).decode())


MIXED = [
    *(Rule("allow", f"tool_{n}", when=f"args.path:/srv/{n}/**") for n in range(700)),
    *(Rule("deny", f"*_{n}") for n in range(200)),
    *(Rule("ask", "read_*", when=f"args.path~'secret{n}'") for n in range(100)),
]
GLOBS = [Rule("allow", "read_file", when=f"args.path:/srv/{n}/**") for n in range(RULES)]
PATTERNS = [Rule("allow", "read_file", when=f"args.path~'^/srv/{n}/'") for n in range(RULES)]
COMMANDS = [Rule("allow", "run_command", when=f"command:'git {n} *'") for n in range(RULES)]
ENDS = [Rule("allow", "run_command", when=f"command:'* {n}'") for n in range(RULES)]
SEARCHES = [Rule("deny", "run_command", when=f"command~'rm -rf {n}'") for n in range(RULES)]
LIMITED = [Rule("allow", "run_command", when=f"command:'git {n} *'", expires=1e12, uses=9) for n in range(RULES)]
CHOICES = [Rule("allow", "run_command", when=rf"command~'(?a)^git ({n}|x{n})\b'") for n in range(RULES)]
GRANTS = [Rule("allow", "read_file", when=f"args.path:/srv/{n}/**", fingerprint="known") for n in range(RULES)]


def milliseconds(rules: list[Rule], judged: Call) -> float:
    """The best of some rounds, in time of this thread alone: the machine has other work."""
    policy = Policy(rules)
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.thread_time()
        for _ in range(JUDGEMENTS):
            verdict = policy.judge(judged, 0)
        best = min(best, (time.thread_time() - started) / JUDGEMENTS * 1000)
    assert len(verdict.trace) > 1
    return best


def test_a_call_is_judged_by_a_thousand_rules_within_a_millisecond() -> None:
    path = call("read_file", path="/srv/5/x")
    line = call("run_command", command="git 5 x && git 7 y | git 9 z")
    figures = {
        "of many tools": milliseconds(MIXED, path),
        "of one tool, globs": milliseconds(GLOBS, path),
        "of one tool, patterns": milliseconds(PATTERNS, path),
        "of one tool, one command": milliseconds(COMMANDS, call("run_command", command="git 5 x")),
        "of one tool, three commands": milliseconds(COMMANDS, line),
        "by how commands end, three commands": milliseconds(ENDS, line),
        "that search, three commands": milliseconds(SEARCHES, line),
        "with expiry and uses, three commands": milliseconds(LIMITED, line),
        "bound to a definition": milliseconds(GRANTS, path),
        "bound to this definition": milliseconds(GRANTS, replace(path, fingerprint="known")),
    }
    print()
    for name, figure in figures.items():
        print(f"judging by {RULES:,} rules {name}: {figure:.2f} ms")
    assert max(figures.values()) < LIMIT_MS


def test_patterns_that_nothing_rules_out_beforehand_are_each_tried_in_microseconds() -> None:
    """Every rule has a choice in it and begins with what all commands begin with: the worst that people write."""
    figure = milliseconds(CHOICES, call("run_command", command="git 5 x && git 7 y | git 9 z"))
    print(f"\njudging by {RULES:,} rules with a choice each, three commands: {figure:.2f} ms")
    assert figure < LIMIT_MS * 10
