import pytest

from callgate.core.shell.scripts import awk_is_plain, sed_is_plain


@pytest.mark.parametrize(
    "script",
    [
        "s/a/b/",
        "s/a/b/g; s|x|y|2p",
        "1,5p;10q",
        "/^#/d",
        "$!N",
        "/a/,/b/{s/x/y/;p}",
        "s/[^a-z]//g",
        "y/abc/xyz/",
        "1i\\ first line; w x",
        "s/a\\/b/c/",
        ":a;N;$!ba;s/\\n/ /g",
        "",
    ],
)
def test_text_into_text_is_plain_to_sed(script: str) -> None:
    assert sed_is_plain(script)


@pytest.mark.parametrize(
    "script",
    [
        "s/a/b/e",
        "s/a/b/w out",
        "s/a/b/ge",
        "w out",
        "1e rm x",
        "e",
        "r /etc/passwd",
        "1p;W out",
        "/x/{w y}",
        "s/a[/]b/p;/e",
        "s\na\nb\ne",
        "1!e rm",
        "p" * 3000,
    ],
)
def test_what_may_be_more_is_not(script: str) -> None:
    assert not sed_is_plain(script)


@pytest.mark.parametrize(
    "program",
    [
        "{print $1}",
        "$2 > 5 {print $1}",
        "NR==1 || /a|b/ {n++} END {print n/2}",
        'BEGIN{FS="|"} {printf "%s > %s\\n", $1, $2}',
        "!seen[$0]++",
        "{ if ($1 > 3) print } # a | b",
    ],
)
def test_text_into_text_is_plain_to_awk(program: str) -> None:
    assert awk_is_plain(program)


@pytest.mark.parametrize(
    "program",
    [
        'BEGIN{system("rm x")}',
        '{print | "sh"}',
        '{print > "/etc/x"}',
        '{print >> "x"}',
        '"ls" | getline x',
        '/"/{print "x" | "sh"}',
        '{x = 1 / 2; y = "/" ; print "a" | "sh" }',
        '@load "x"',
        '{print "unclosed}',
        '{ "date" | getline }',
    ],
)
def test_what_may_run_or_write_is_not_plain_to_awk(program: str) -> None:
    assert not awk_is_plain(program)
