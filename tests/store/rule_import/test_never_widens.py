"""What the other program would ask about or refuse is never allowed by the rules that were taken over.

And not at the price of allowing nothing: how much of what it allows is allowed here too is counted.
"""

from collections.abc import Callable

import orjson
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.depth import examples
from tests.store.rule_import import other_programs

from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Call, Policy
from callgate.store.rule_import import import_rules

WORDS = [
    "git",
    "ls",
    "push",
    "-l",
    "rm",
    "find",
    "-delete",
    "watch",
    "main",
    "npm",
    "run",
    "test:x",
    "./bin/x",
    "rmdir",
]
COMMAND = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
COMMANDS = st.lists(COMMAND, min_size=1, max_size=3)
STEPS = ["src", "a.py", ".env", "docs", "b.md", "secrets", "SRC", "x y"]
PATH = st.lists(st.sampled_from(STEPS), min_size=1, max_size=3).map("/".join)
PLACE = st.sampled_from(["/w/", "/", "/home/me/", "/w/.claude-home/", "/other/w/"])
MANY = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def verdict(text: str, tool: str, **arguments: object) -> str:
    given_arguments = orjson.dumps(arguments).decode()
    targets = targets_of(tool, given_arguments, root=other_programs.WORK)
    call = Call(tool, "", "", arguments=given_arguments, targets=targets)
    return Policy(import_rules(text, other_programs.WORK).rules).judge(call, 0).kind


def claude(rules: dict[str, list[str]], shape: Callable[[str], str]) -> str:
    shaped = {kind: [shape(rule) for rule in texts] for kind, texts in rules.items()}
    return orjson.dumps({"permissions": shaped}).decode()


def strict_enough(here: str, there: str) -> bool:
    return here != "allow" or there == "allow"


# ---- Claude Code ---------------------------------------------------------------------------------------------------

CLAUDE_COMMAND = st.builds(
    lambda words, end: " ".join(words) + end,
    st.lists(st.sampled_from([*WORDS, "*"]), min_size=1, max_size=3),
    st.sampled_from(["", " *", ":*", "*"]),
).filter(lambda text: text != "*")
CLAUDE_COMMANDS = st.fixed_dictionaries(
    {kind: st.lists(CLAUDE_COMMAND, max_size=3) for kind in ("allow", "ask", "deny")}
)


@MANY
@given(rules=CLAUDE_COMMANDS, commands=COMMANDS, joint=st.sampled_from([" && ", "; ", " | "]))
def test_commands_of_claude_code(rules: dict[str, list[str]], commands: list[str], joint: str) -> None:
    here = verdict(claude(rules, "Bash({})".format), "Bash", command=joint.join(commands))
    assert strict_enough(here, other_programs.claude_command(rules, commands))


CLAUDE_PATH = st.builds(
    lambda anchor, steps, end: anchor + "/".join(steps) + end,
    st.sampled_from(["", "./", "//", "/", "~/", "**/"]),
    st.lists(st.sampled_from([*STEPS, "*", "**", "*.py", "?.md", "[ab].py"]), min_size=1, max_size=3),
    st.sampled_from(["", "/", "/**"]),
)
CLAUDE_PATHS = st.fixed_dictionaries({kind: st.lists(CLAUDE_PATH, max_size=2) for kind in ("allow", "ask", "deny")})


@MANY
@given(rules=CLAUDE_PATHS, place=PLACE, path=PATH)
@example(rules={"allow": ["**/?.md/**/x y"], "deny": ["//*/b.md/"]}, place="/w/", path="b.md/x y/docs")
@example(rules={"allow": ["**/*/**"], "ask": ["//*/**/SRC/**"]}, place="/w/", path="src/a.py/SRC")
@example(rules={"allow": ["**/*"], "deny": ["//w/**"]}, place="/w/", path="docs")
def test_paths_of_claude_code(rules: dict[str, list[str]], place: str, path: str) -> None:
    there = other_programs.claude_path(rules, place + path)
    reads = verdict(claude(rules, "Read({})".format), "Read", file_path=place + path)
    edits = verdict(claude(rules, "Edit({})".format), "Write", file_path=place + path, content="")
    assert strict_enough(reads, there)
    assert strict_enough(edits, there)


# ---- VS Code -------------------------------------------------------------------------------------------------------

VSCODE_KEY = st.one_of(
    st.lists(st.sampled_from([*WORDS, "bin/x", "test:", "x-"]), min_size=1, max_size=2).map(" ".join),
    st.sampled_from(["/.*/", "/^git\\b/", "/push$/", "/^(ls|npm)/", "/rm/", "/\\s-l/"]),
)


@MANY
@given(
    entries=st.dictionaries(VSCODE_KEY, st.booleans(), min_size=1, max_size=4),
    commands=COMMANDS,
    joint=st.sampled_from([" && ", "; "]),
)
def test_commands_of_vs_code(entries: dict[str, bool], commands: list[str], joint: str) -> None:
    text = orjson.dumps({"chat.tools.terminal.autoApprove": entries}).decode()
    here = verdict(text, "bash", command=joint.join(commands))
    assert strict_enough(here, other_programs.vscode_command(entries, commands))


VSCODE_GLOB = st.lists(st.sampled_from(["src", "**", "*", "*.py", ".env", "docs", "?.md"]), min_size=1, max_size=3).map(
    "/".join
)


@MANY
@given(entries=st.dictionaries(VSCODE_GLOB, st.booleans(), min_size=1, max_size=4), path=PATH)
def test_edits_of_vs_code(entries: dict[str, bool], path: str) -> None:
    here = verdict(orjson.dumps({"chat.tools.edits.autoApprove": entries}).decode(), "edit_file", path=path)
    assert strict_enough(here, other_programs.vscode_edit(entries, path))


HOSTS = ["a.com", "b.a.com", "xa.com", "api.x.a.com", "api1.a.com"]
URL_GLOB = st.builds(
    lambda scheme, host, path: scheme + host + path,
    st.sampled_from(["", "https://", "http://"]),
    st.sampled_from(["a.com", "*.a.com", "*", "api*.a.com", "a.*"]),
    st.sampled_from(["", "/", "/docs", "/docs/*", "/do*", "/*/x", "/*"]),
).filter(lambda text: text not in ("*", "*/"))


@MANY
@given(
    entries=st.dictionaries(URL_GLOB, st.booleans(), min_size=1, max_size=3),
    scheme=st.sampled_from(["http", "https"]),
    host=st.sampled_from(HOSTS),
    path=st.sampled_from(["", "/", "/docs", "/docs/", "/docs/x", "/doc", "/a/x", "/docsy"]),
    query=st.sampled_from(["", "?q=/docs"]),
)
def test_addresses_of_vs_code(entries: dict[str, bool], scheme: str, host: str, path: str, query: str) -> None:
    text = orjson.dumps({"chat.tools.urls.autoApprove": entries}).decode()
    here = verdict(text, "fetch_webpage", urls=[f"{scheme}://{host}{path}{query}"])
    assert strict_enough(here, other_programs.vscode_url(entries, scheme, host, path))


# ---- Zed -----------------------------------------------------------------------------------------------------------

ZED_PATTERN = st.fixed_dictionaries(
    {"pattern": st.sampled_from(["^git", "PUSH", "rm$", "^ls\\b", "-l", "^npm\\s+run", "x", "^src/", "\\.env", "md$"])}
)
ZED_TOOL = st.fixed_dictionaries(
    {},
    optional={
        "default": st.sampled_from(["allow", "confirm", "deny"]),
        **{key: st.lists(ZED_PATTERN, max_size=2) for key in ("always_allow", "always_confirm", "always_deny")},
    },
)
GENERAL = st.sampled_from(["allow", "confirm", "deny"])


def zed(general: str, **tools: object) -> str:
    return orjson.dumps({"agent": {"tool_permissions": {"default": general, "tools": tools}}}).decode()


@MANY
@given(tool=ZED_TOOL, general=GENERAL, commands=COMMANDS, joint=st.sampled_from([" && ", "; "]))
def test_commands_of_zed(tool: dict[str, object], general: str, commands: list[str], joint: str) -> None:
    here = verdict(zed(general, terminal=tool), "terminal", command=joint.join(commands))
    assert strict_enough(here, other_programs.zed(tool, general, commands))


@MANY
@given(tool=ZED_TOOL, general=GENERAL, path=PATH, other=PATH)
def test_paths_and_tools_without_an_entry_of_zed(tool: dict[str, object], general: str, path: str, other: str) -> None:
    text = zed(general, move_path=tool)
    here = verdict(text, "move_path", source_path=path, destination_path=other)
    assert strict_enough(here, other_programs.zed(tool, general, [path, other]))
    assert strict_enough(verdict(text, "anything", x=path), other_programs.zed({}, general, [path]))


# ---- and not at any price ------------------------------------------------------------------------------------------


def test_what_is_usual_is_still_allowed() -> None:
    rules = {"allow": ["npm run *", "git log:*", "ls", "git * main"], "deny": ["rm *"]}
    text = claude(rules, "Bash({})".format)
    for line in ("npm run test", "git log -p | ls", "ls && git merge main"):
        assert verdict(text, "Bash", command=line) == "allow", line
    entries = orjson.dumps({"chat.tools.terminal.autoApprove": {"git": True, "/^npm (test|run)\\b/": True}}).decode()
    for line in ("git status", "npm run x && git log"):
        assert verdict(entries, "bash", command=line) == "allow", line
    paths = claude({"allow": ["./src/**", "*.md", "//etc/hosts"]}, "Read({})".format)
    for path in ("/w/src/a.py", "/w/deep/b.md", "/etc/hosts"):
        assert verdict(paths, "Read", file_path=path) == "allow", path
