"""A rule for a command does not allow what the command hides, however it is spelled; one that names it does."""

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.depth import examples

from callgate.core.calls.subject import Call
from callgate.core.calls.targets import targets_of
from callgate.core.rules.policy import Policy, Rule, Verdict

HIDING = {
    "tar": "tar --to-command={} -xf a",
    "awk": "awk 'BEGIN{{system(\"{}\")}}'",
    "git": "git -c core.pager={} log",
    "ssh": "ssh -o ProxyCommand={} host",
    "rsync": "rsync -e {} a b:c",
    "vim": "vim -c '!{}' f",
    "man": "man -P {} ls",
    "sed": "sed '1e {}' f",
    "python": "python -c '{}'",
    "perl": "perl -e {}",
    "node": "node -e {}",
    "make": "make SHELL={}",
    "zip": "zip -T -TT {} a b",
    "env": "env -S {}",
    "nice": "nice -n 5 {}",
    "timeout": "timeout 5 {}",
    "xargs": "xargs {}",
    "parallel": "parallel {} ::: a",
    "watch": "watch {}",
    "nohup": "nohup {}",
    "setsid": "setsid {}",
    "sudo": "sudo {}",
    "doas": "doas {}",
    "busybox": "busybox {}",
    "docker": "docker run ubuntu {}",
    "npm": "npm exec {}",
    "npx": "npx {}",
    "find": "find . -exec {} ;",
    "bash": "bash -c {}",
}


def verdict(line: str, *rules: Rule) -> Verdict:
    arguments = orjson.dumps({"command": line}).decode()
    call = Call("bash", "", "", arguments=arguments, targets=targets_of("bash", arguments, root="/w"))
    return Policy(rules).judge(call, 0)


def allow(when: str) -> Rule:
    return Rule("allow", "bash", when=when)


@pytest.mark.parametrize("program", HIDING)
def test_a_pattern_on_a_program_does_not_allow_what_it_runs(program: str) -> None:
    line = HIDING[program].format("evil")
    hides = verdict(line, allow(f"command:'{program} *'"), allow(f"command~'^{program} '"))
    assert hides.kind == "ask", line
    assert "evil" in hides.reason, hides.reason


@pytest.mark.parametrize("program", HIDING)
def test_a_rule_against_what_it_runs_is_heeded(program: str) -> None:
    line = HIDING[program].format("evil")
    assert verdict(line, allow(""), Rule("deny", "bash", when="command~'^evil'")).kind == "deny", line


@pytest.mark.parametrize("program", HIDING)
def test_the_whole_command_allows_it(program: str) -> None:
    line = HIDING[program].format("evil")
    (command,) = targets_of("bash", orjson.dumps({"command": line}).decode(), root="/w").commands
    quote = '"' if "'" in command else "'"
    spelled = command.replace(quote, f"\\{quote}")
    assert verdict(line, allow(f"command={quote}{spelled}{quote}")).kind == "allow", line


@pytest.mark.parametrize(
    "program", [name for name in HIDING if name not in ("awk", "vim", "sed", "python", "perl", "node", "make")]
)
def test_what_can_be_read_may_be_allowed_by_a_rule_of_its_own(program: str) -> None:
    line = HIDING[program].format("good")
    rules = [allow(f"command:'{program} *'"), allow("command~'^(good|ubuntu)'")]
    assert verdict(line, *rules).kind == "allow", line


@settings(max_examples=examples(200), deadline=None)
@given(
    program=st.sampled_from(sorted(HIDING)),
    option=st.sampled_from(["", "--verbose", "-v", "--color=never"]),
    around=st.sampled_from(["{}", "sudo {}", "ls; {}", "{} | ls", "env {}", "(ls && {})"]),
)
def test_however_it_is_put_together(program: str, option: str, around: str) -> None:
    line = around.format(HIDING[program].format("evil").replace(program, f"{program} {option}".strip(), 1))
    patterns = (*(f"{name} *" for name in HIDING), "ls", "ls *")
    assert verdict(line, *(allow(f"command:'{pattern}'") for pattern in patterns)).kind != "allow", line


@pytest.mark.parametrize(
    "line",
    [
        "curl -o /etc/x https://a",
        "wget -O /tmp/x https://a",
        "dd if=a of=/dev/sda",
        "tee /etc/x",
        "install a /usr/bin/b",
        "cp a /etc/b",
        "mv a ../b",
        "tar -C /etc -xf a",
        "sort -o /etc/x y",
        "pip install git+https://a.b/c",
        "find . -delete",
    ],
)
def test_a_file_elsewhere_must_be_named(line: str) -> None:
    program = line.split()[0]
    assert verdict(line, allow(f"command:'{program} *'")).kind == "ask"
    assert verdict(line, allow(f"command='{line}'")).kind == "allow"


def test_a_rule_may_name_the_folder() -> None:
    assert verdict("cp a /etc/b", allow("command~'^cp \\S+ /etc/'")).kind == "allow"
    assert verdict("cp a /usr/b", allow("command~'^cp \\S+ /etc/'")).kind == "ask"
    assert verdict("cp a b", allow("command:'cp *'")).kind == "allow"
