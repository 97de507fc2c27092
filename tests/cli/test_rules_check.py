"""`callgate rules`: what is right is explained, what is wrong is pointed at, and nothing ends in a traceback."""

from pathlib import Path

import pytest

from callgate.cli import main as cli
from callgate.cli.rules_check import check, imported
from callgate.core.errors import UserFault
from callgate.store.files.config_file import read_config

GOOD = """\
[[rules]]
verdict = "allow"
tool = "read_file"
when = 'args.path:/tmp/** and not args.path:"*.key"'
matches = ['{"path": "/tmp/a"}']
spares = ['{"path": "/etc/a"}', '{"path": "/tmp/../etc/a"}', '{"path": "/tmp/a.key"}']

[[rules]]
verdict = "ask"
tool = "run_*"
when = "command:'git push*'"
matches = ['{"command": "ls; sudo git push"}']
spares = ['{"command": "git pull"}']

[[rules]]
verdict = "allow"
tool = "*"
agent = "codex"
uses = 3
when = "command:'npm test*' or command:'npm run *'"
matches = ['{"command": "npm test && npm run x"}']
spares = ['{"command": "npm test; rm x"}', '{"command": "npm $(rm x)"}']
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "callgate.toml"


def checked(file: Path, text: str) -> tuple[int, str]:
    file.write_text(text, encoding="utf-8")
    return check(file)


@pytest.mark.parametrize("more", ["", "[server]\nport = 1\n", "[spent]\nx = 1\n"])
def test_good_rules_are_said_in_words_and_their_examples_hold(file: Path, more: str) -> None:
    code, said = checked(file, GOOD + more)
    assert code == 0
    assert "  1. allow read_file when args.path fits /tmp/** and not (args.path fits *.key)" in said
    assert "  3. allow every tool for codex when command fits npm test* or command fits npm run *" in said
    assert said.endswith("3 rules, all can be read, 9 examples hold")


def test_rules_that_settings_mean_are_told_too(file: Path) -> None:
    code, said = checked(file, '[gate]\nblock_tools = ["x*"]\n[chat.tools.terminal.autoApprove]\ngit = true\n')
    assert code == 0
    assert "  +. deny x* (gate.block_tools)" in said
    assert said.endswith("0 rules, 2 more from settings, all can be read")


def test_an_expression_that_cannot_be_read_is_pointed_at(file: Path) -> None:
    code, said = checked(file, "# hi\n\n[[rules]]\nverdict = 'deny'\nwhen = 'args.path~\"x(\"'\n")
    assert code == 1
    lines = said.splitlines()
    assert f"{file}:5: the expression cannot be read" in lines[1]
    assert lines[3].index("^") == lines[2].index("x(") + 1
    assert "not a regular expression" in lines[3]
    assert said.endswith("1 rule, 1 broken")


@pytest.mark.parametrize(
    ("examples", "says"),
    [
        ('matches = [\'{"path": "/etc/a"}\']', 'callgate.toml:4: {"path": "/etc/a"} should match, but does not'),
        ('spares = [\n\'{"path": "/tmp/a"}\']', 'callgate.toml:5: {"path": "/tmp/a"} should be spared, but matches'),
        ("matches = ['{']", "example 1 of matches: not JSON"),
        ("spares = ['[]']", "example 1 of spares: expected a JSON object"),
    ],
)
def test_an_example_that_does_not_hold_is_told_with_its_line(file: Path, examples: str, says: str) -> None:
    code, said = checked(file, f"[[rules]]\nverdict = 'allow'\nwhen = 'args.path:/tmp/**'\n{examples}\n")
    assert code == 1
    assert says in said
    assert said.endswith("1 of 1 example failed")


def test_an_entry_of_the_saved_rules_that_cannot_be_read_is_told_with_its_line(file: Path) -> None:
    code, said = checked(
        file, "[[rules]]\nid = 'r'\nverdict = 'alow'\n[[rules]]\nverdict = 'ask'\nexpires = 2030-01-01\n"
    )
    assert code == 1
    assert "line 3: verdict: expected one of" in said
    assert said.endswith("2 rules, 1 broken")


# ---- thirty files that cannot be used, each told with its place ----------------------------------------------------

RULE = "[[rules]]\nverdict = 'deny'\n"
BROKEN = [
    ("[[rules]\n", 1, "not valid TOML"),
    ("[[rules]]\nverdict = deny\n", 2, "not valid TOML, expected text in quotes"),
    ("[[rules]]\nverdict = 'deny\n", 2, "not valid TOML, a quote is never closed"),
    (RULE + "verdict = 'ask'\n", 3, "not valid TOML, this key is given twice"),
    ("rules = 3\n", 1, "expected a list"),
    ("rules = ['deny']\n[gate]\n", 1, "expected a table"),
    ("[[rules]]\ntool = 'x'\n[gate]\n", 1, "verdict: missing"),
    ("[[rules]]\nverdict = 'alow'\n[gate]\n", 2, "expected one of 'allow', 'ask' or 'deny'"),
    ("[[rules]]\nverdict = true\n[gate]\n", 2, "expected one of 'allow', 'ask' or 'deny'"),
    (RULE + "wen = 'x'\n[gate]\n", 3, "did you mean 'when'?"),
    (RULE + "tool = 3\n[gate]\n", 3, "expected text in quotes"),
    (RULE + "when = ['x']\n[gate]\n", 3, "expected text in quotes, got a list"),
    (RULE + "uses = 0\n[gate]\n", 3, "expected a number from 1"),
    (RULE + "uses = 'many'\n[gate]\n", 3, "expected a whole number"),
    (RULE + "expires = 'soon'\n[gate]\n", 3, "expected a time such as"),
    (RULE + "review = 'yes'\n[gate]\n", 3, "expected true or false"),
    (RULE + "matches = 'x'\n[gate]\n", 3, "expected a list"),
    (RULE + "matches = [1]\n[gate]\n", 3, "expected text in quotes"),
    ("[gate]\nblock_tools = 'x'\n", 2, "expected a list"),
    ("[gate]\nalow_tools = ['x']\n", 2, "did you mean 'allow_tools'?"),
    ("[chat.tools.global]\nautoApprove = true\n", 1, "also needs acknowledged = true"),
    ('"chat.tools.global.autoApprove" = true\n', 1, "also needs acknowledged = true"),
    ("[chat.tools.global]\nminutes = -1\n", 2, "expected a number above 0 to 1440"),
    ("[chat.tools.terminal.autoApprove]\nls = true\n'/(/' = false\n", 3, "not a regular expression"),
    ("[chat.tools.terminal.autoApprove]\nls = 'yes'\n", 2, "expected true, false, or { approve"),
    ("[chat.tools.urls.autoApprove]\n'a.com' = { aproveRequest = true }\n", 2, "did you mean 'approveRequest'?"),
    ("[chat.tools.urls.autoApprove]\n'u@h' = true\n", 2, "no address"),
    ("[chat.tools.edits.autoApprove]\n'{a' = true\n", 2, "a { is never closed"),
    ("[chat.tools.edits.autoApprove]\n'a' = 1\n", 2, "expected true or false"),
    ("[chat.tools]\neligibleForAutoAproval = {}\n", 2, "did you mean 'eligibleForAutoApproval'?"),
    ("[chat.tool]\n", 1, "did you mean 'tools'?"),
    ('"chat.tools.edits.autoApprove" = 3\n', 1, "expected a table"),
]


@pytest.mark.parametrize(("text", "line", "says"), BROKEN)
def test_a_broken_file_is_told_with_its_line_and_what_was_expected(file: Path, text: str, line: int, says: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserFault) as caught:
        read_config(file, {})
    assert f"{file}, line {line}: " in str(caught.value)
    assert says in str(caught.value)


EXPRESSIONS = [
    "(", ")", "()", "and", "or x", "not", "a and", "a or", "tool:", "tool=", ":x", "=", "~", "colour:red", "args:x",
    "args.:x", "args.a..b:x", "dur>soon", "dur>", "'abc", 'tool:"a', "tool:'a'b", "args.x~(", "args.x~[",
    "args.x~*", "args.x~a{2,1}", "((a)", "(a))", "args.x~'(?P<a'", "tool:a or or b", "not and a", "dur>=x", "cost<a",
]  # fmt: skip


@pytest.mark.parametrize("when", EXPRESSIONS)
def test_a_broken_expression_has_a_caret_under_the_place(file: Path, when: str) -> None:
    code, said = checked(file, f"[[rules]]\nverdict = 'deny'\nwhen = '''\n{when}'''\n")
    assert code == 1
    _, place, expression, pointer, *_ = said.splitlines()
    assert f"{file}:4: " in place
    assert expression.strip() == when
    column = pointer.index("^") - (len(expression) - len(expression.lstrip()))
    assert 0 <= column <= len(when)
    assert pointer[pointer.index("^") + 1 :].strip()


def test_the_line_is_that_of_the_expression_however_it_is_quoted(file: Path) -> None:
    for spelled, line in (("'('", 3), ("'''('''", 3), ("'''\n('''", 4), ('"""\ntool:a and\n("""', 5)):
        assert f"{file}:{line}: " in checked(file, f"[[rules]]\nverdict = 'deny'\nwhen = {spelled}\n")[1]


# ---- the command ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (RULE + "when = '('\n", 1), ("nonsense", 2), (None, 2)])
def test_the_command_ends_with_a_code_and_never_with_a_traceback(
    file: Path, capsys: pytest.CaptureFixture[str], text: str | None, code: int
) -> None:
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert cli.main(["rules", "check", str(file)]) == code
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert (err if code == 2 else out).strip()


def test_imported_rules_go_to_standard_output_and_remarks_to_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, rules = tmp_path / "settings.json", tmp_path / "rules.toml"
    settings.write_text('{"permissions": {"allow": ["Bash(ls:*)", "Z(q)"], "deny": ["X(y)"]}}', encoding="utf-8")
    assert cli.main(["rules", "import", str(settings)]) == 0
    out, err = capsys.readouterr()
    rules.write_text(out, encoding="utf-8")
    assert check(rules)[0] == 0
    assert "Claude Code: 2 rules" in err
    assert "not taken over: Z(q)" in err
    assert "stricter than it was: X(y)" in err


def test_relative_paths_of_imported_rules_are_meant_from_the_workspace(tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text('{"permissions": {"allow": ["Read(./src/**)"]}}', encoding="utf-8")
    rules, _ = imported(settings, tmp_path)
    assert f"{tmp_path.as_posix()}/src/**" in rules
