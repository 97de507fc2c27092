"""Each table of `resources/programs` carries its own tests: lines, and what a rule on the program alone makes of them.

A sub-command or an option that does something without such a line fails here, so that no row of a table is untried.
"""

import importlib.util
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import orjson
import pytest
from pydantic import ValidationError

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Policy, Rule, Verdict
from callgate.core.shell import parse_command, program_data, program_table
from callgate.core.shell.program_table import Command, Option, Table, broken, table_of

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "resources" / "programs"


def tables() -> Iterator[tuple[str, Table]]:
    for path in sorted(SOURCE.glob("*.toml")):
        loaded = tomllib.loads(path.read_text("utf-8"))
        programs = loaded.get("program", {path.stem: loaded})
        for name, table in programs.items():
            yield f"{path.name}:{name}", Table.model_validate({"names": [name], **table})


TABLES = dict(tables())
ALLOW = [(name, line) for name, table in TABLES.items() for line in table.examples.allow]
ASK = [(name, line, word) for name, table in TABLES.items() for line, word in table.examples.ask.items()]
WRITES = [(name, line, paths) for name, table in TABLES.items() for line, paths in table.examples.writes.items()]
RUNS = [(name, line, commands) for name, table in TABLES.items() for line, commands in table.examples.runs.items()]


def verdict(line: str, *patterns: str, moved: str = "") -> Verdict:
    arguments = orjson.dumps({"command": line, **({"cwd": moved} if moved else {})}).decode()
    call = Call("bash", "", "", arguments=arguments, targets=targets_of("bash", arguments, root="/w"))
    return Policy([Rule("allow", "bash", when=f"command:'{pattern}'") for pattern in patterns]).judge(call, 0)


@cache
def broad(name: str) -> tuple[str, ...]:
    return tuple(f"{program}*" for program in TABLES[name].names)


@pytest.mark.parametrize(("name", "line"), ALLOW)
def test_a_rule_on_the_program_covers_it(name: str, line: str) -> None:
    found = verdict(line, *broad(name))
    assert found.kind == "allow", found.reason


@pytest.mark.parametrize(("name", "line", "word"), ASK)
def test_a_rule_on_the_program_does_not_cover_it_and_the_reason_names_the_word(name: str, line: str, word: str) -> None:
    found = verdict(line, *broad(name))
    assert found.kind == "ask"
    assert word in found.reason


@pytest.mark.parametrize(("name", "line", "paths"), WRITES)
def test_what_it_writes_is_known(name: str, line: str, paths: tuple[str, ...]) -> None:
    assert parse_command(line, "/w").writes == paths, name


@pytest.mark.parametrize(("name", "line", "commands"), RUNS)
def test_what_it_runs_is_known(name: str, line: str, commands: tuple[str, ...]) -> None:
    inner = {one.argv_text for part in parse_command(line, "/w").parts for one in part.inner}
    assert set(commands) <= inner, name


def rows(table: Table) -> Iterator[tuple[tuple[str, ...], Command]]:
    waiting: list[tuple[tuple[str, ...], Command]] = [((), table)]
    while waiting:
        path, command = waiting.pop()
        yield path, command
        waiting += (((*path, name), inner) for name, inner in command.commands.items())


def given(option: str, what: Option, words: list[str]) -> bool:
    """Whether an example uses an option: by its own name, shortened, or as one letter of several."""
    for word in words[1:]:
        head = word.partition("=")[0]
        if head == option or (option.startswith("--") and len(head) > 4 and option.startswith(head)):
            return True
        if len(option) == 2 and word[:1] == "-" and word[1:2] != "-" and option[1] in word[1:]:
            return True
        if len(option) == 2 and word == words[1] and option[1] in word:
            return True  # the letters of tar
        if what.arity != "flag" and len(option) == 2 and word.startswith(option):
            return True
    return False


@pytest.mark.parametrize("name", TABLES)
def test_every_row_with_an_effect_has_a_line_that_tries_it(name: str) -> None:
    table = TABLES[name]
    examples = table.examples
    lines = [shlex.split(line) for line in (*examples.allow, *examples.ask, *examples.writes, *examples.runs)]
    untried: list[str] = []
    shared: dict[str, bool] = {}
    for path, command in rows(table):
        of_command = [words for words in lines if set(path) <= set(words)]
        acts = command.does or command.in_folder or command.operands not in ("", "reads*", "reads", "harmless*")
        if path and acts and not of_command:
            untried.append(" ".join(path))
        for option, what in command.known.items():
            if what.effect in ("harmless", "reads"):
                continue
            used = any(given(option, what, words) for words in (of_command or lines))
            own = option in dict(command.each())
            if own and not used:
                untried.append(f"{' '.join(path)} {option}")
            elif not own:
                shared[option] = shared.get(option, False) or used
    untried += [f"(shared) {option}" for option, used in shared.items() if not used]
    assert not untried


def test_core_has_the_tables_as_they_stand_in_the_resources() -> None:
    spec = importlib.util.spec_from_file_location("program_tables", ROOT / "packaging" / "program_tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.generated() == Path(program_data.__file__).read_text("utf-8"), "run `make tables`"


@pytest.mark.parametrize("name", sorted(program_data.NAMES))
def test_every_table_can_be_read(name: str) -> None:
    table = table_of(name)
    assert table is not None and table is not broken()
    assert name in table.names


def test_a_broken_table_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("", "{", '{"names": ["git"], "frobs": 1}', '{"names": ["git"], "operands": "frobs"}'):
        monkeypatch.setitem(program_data.TABLES, "git", text)
        program_table.read_table.cache_clear()
        parse_command.cache_clear()
        assert verdict("git status", "git *").kind == verdict("git", "git*").kind == "ask"
    monkeypatch.undo()
    program_table.read_table.cache_clear()
    parse_command.cache_clear()
    assert verdict("git status", "git *").kind == "allow"


@pytest.mark.parametrize(
    "table",
    [
        {"operands": "reads* writes*"},
        {"operands": "eats"},
        {"harmless": "quiet"},
        {"asks": {"x": "does it"}},
        {"use": "nothing"},
        {"modes": [{"when": "-x"}]},
        {"harmles": "-q"},
    ],
)
def test_a_table_with_a_mistake_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Table.model_validate({"names": ["x"], **table})


@pytest.mark.parametrize(
    ("line", "pattern", "kind"),
    [
        ("npm run test", "npm run test", "allow"),
        ("npm run test", "npm run *", "allow"),
        ("npm run test", "npm *", "ask"),
        ("npm test -- --watch", "npm test*", "allow"),
        ("npm install x", "npm install*", "allow"),
        ("npm install --script-shell=evil", "npm install*", "ask"),
        ("npm install --script-shell=evil", "npm install --script-shell=evil", "allow"),
        ("make test", "make test", "allow"),
        ("make test -j4", "make test*", "allow"),
        ("make test evil", "make test*", "ask"),
        ("make", "make", "allow"),
        ("make", "make*", "ask"),
        ("python manage.py migrate", "python manage.py *", "allow"),
        ("python manage.py migrate", "python *", "ask"),
        ("python -m pytest -x", "python -m pytest*", "allow"),
        ("python -m evil", "python -m *", "ask"),
        ("pytest -x", "pytest*", "allow"),
        ("git push origin main", "git * main", "allow"),
        ("git -C ../x status", "git -C ../x *", "allow"),
        ("git rebase --exec=evil main", "git rebase*", "ask"),
        ("git rebase --exec=evil main", "git rebase --exec=*", "ask"),
        ("git rebase --exec=evil main", "git rebase --exec=evil *", "allow"),
        ("git config alias.x '!evil'", "git config *", "ask"),
        ("git frobnicate a", "git frobnicate*", "allow"),
        ("tar xPf a.tar", "tar *", "ask"),
        ("tar xPf a.tar", "tar xPf *", "allow"),
        ("cp a /etc/b", "cp *", "ask"),
        ("cp a /etc/b", "cp a /etc/b", "allow"),
    ],
)
def test_a_rule_covers_what_it_names(line: str, pattern: str, kind: str) -> None:
    assert verdict(line, pattern).kind == kind


def test_a_pattern_for_any_plain_word_names_nothing() -> None:
    arguments = b'{"command": "npm run evil"}'.decode()
    call = Call("bash", "", "", arguments=arguments, targets=targets_of("bash", arguments, root="/w"))
    for pattern in (r"^npm [a-z]+ [a-z]+$", r"^npm( [\w-]+)+$", r"^npm \S+ evil$"):
        assert Policy([Rule("allow", "bash", when=f"command~'{pattern}'")]).judge(call, 0).kind == "ask", pattern


def test_the_reason_says_which_rule_would_cover_it() -> None:
    assert verdict("npm run test -- -x", "npm *").reason == (
        "`npm run` runs a script of package.json; a rule would have to name it, such as “npm run*”"
    )
    assert verdict("git log --frobnicate", "git *").reason == (
        "`--frobnicate` is not an option of `git log` that Callgate knows; a rule would have to name it, such as "
        "“git log --frobnicate”"
    )
    assert verdict("git clone --upload-pack=evil a", "git *").reason == (
        "`--upload-pack` of `git clone` runs a program; no rule allows “evil”"
    )
    assert verdict("cp a /etc/b", "cp *").reason == (
        "`cp` writes /etc/b, out of the workspace; a rule would have to name it, such as “cp a /etc/b”"
    )


@pytest.mark.parametrize("line", ["cp a .vscode/tasks.json", "tee .git/hooks/pre-commit", "mv a .envrc", "rm .bashrc"])
def test_a_guarded_file_asks_even_where_a_rule_names_it(line: str) -> None:
    assert verdict(line, line).kind == "ask"


@pytest.mark.parametrize(
    "line",
    ["cd sub && git status", "cd /x && git log", "cd sub && git add .", "cd sub && cp a b", "cd sub && tar xf a"],
)
def test_after_a_change_of_folder_what_depends_on_it_asks(line: str) -> None:
    assert verdict(line, "cd *", "git *", "cp *", "tar *").kind == "ask"


@pytest.mark.parametrize("line", ["cd /w && git status", "cd . && git add .", "cd /w/ && cp a b"])
def test_the_workspace_itself_is_no_change_of_folder(line: str) -> None:
    assert verdict(line, "cd *", "git *", "cp *").kind == "allow"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("CI=1 git status", "allow"),
        ("LC_ALL=C git log", "allow"),
        ("GIT_SSH_COMMAND=x git fetch", "ask"),
        ("GIT_EXTERNAL_DIFF=x git diff", "ask"),
        ("PAGER=x git log", "ask"),
        ("EDITOR=x git commit", "ask"),
        ("LD_PRELOAD=x git log", "ask"),
        ("PYTHONPATH=x git log", "ask"),
        ("NODE_OPTIONS=x git log", "ask"),
        ("BASH_ENV=x git log", "ask"),
        ("GIT_DIR=x git log", "ask"),
        ("CI=$(x) git status", "ask"),
        ("CI=1", "ask"),
        ("export CI=1", "ask"),
        ("env CI=1 git status", "allow"),
        ("env PAGER=x git log", "ask"),
    ],
)
def test_only_variables_that_run_nothing_may_be_set_for_a_command(line: str, kind: str) -> None:
    assert verdict(line, "git *", "env *", "export *").kind == kind
