"""The line of every key, however TOML lets it be written."""

import tomllib
from collections.abc import Iterator

import pytest

from callgate.store.files.toml_lines import KeyPath, key_lines, line_of

DOCUMENT = '''\
# [server] in a comment
title = "a [b] = \\" 1 # no comment"   # [[no]]
"quoted . key" = 1
dotted.inner.'deep' = 2

[server]
port = 8080
text = """
port = 1
[[upstreams]]
escaped \\""" quote
ends in quotes"""""
literal = \'\'\'
[gate]
\'\'\'

[[upstreams]]
name = "a"
models = [
    "x",   # ]
    "y",
]
vertex = { project = "p", location = "l" }

[upstreams.extra]
k = 1979-05-27T07:32:00Z

[[upstreams]]
name = "b"

[[upstreams.nested]]
n = 1
[[upstreams.nested]]
n = [[1, 2], [{ z = 3 }]]

[a.b]
c = true
'''


def line(document: str, beginning: str) -> int:
    (number,) = [n for n, text in enumerate(document.split("\n"), start=1) if text.startswith(beginning)]
    return number


@pytest.mark.parametrize(
    ("path", "beginning"),
    [
        (("title",), "title"),
        (("quoted . key",), '"quoted'),
        (("dotted", "inner", "deep"), "dotted"),
        (("dotted", "inner"), "dotted"),
        (("server",), "[server]"),
        (("server", "port"), "port = 8080"),
        (("server", "literal"), "literal"),
        (("upstreams", 0, "models"), "models"),
        (("upstreams", 0, "models", 1), '    "y"'),
        (("upstreams", 0, "vertex", "location"), "vertex"),
        (("upstreams", 0, "extra"), "[upstreams.extra]"),
        (("upstreams", 0, "extra", "k"), "k ="),
        (("upstreams", 1, "name"), 'name = "b"'),
        (("upstreams", 1, "nested", 1, "n"), "n = [["),
        (("upstreams", 1, "nested", 1, "n", 1, 0, "z"), "n = [["),
        (("a",), "[a.b]"),
        (("a", "b", "c"), "c ="),
    ],
)
def test_a_key_is_found_on_its_line(path: KeyPath, beginning: str) -> None:
    assert key_lines(DOCUMENT)[path] == line(DOCUMENT, beginning)


def paths_in(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths_in(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths_in(item, (*path, index))


@pytest.mark.parametrize("document", [DOCUMENT, "", "a=1", "x = [ ]\ny = {}", "[t]#c\n[u]\nv='w'", "a = [\n#]\n1 ,\n]"])
def test_exactly_the_keys_that_the_parser_sees_have_lines(document: str) -> None:
    assert set(key_lines(document)) == set(paths_in(tomllib.loads(document)))


def test_a_key_that_is_not_written_has_the_line_of_what_is_around_it() -> None:
    lines = key_lines(DOCUMENT)
    assert line_of(lines, ("server", "host")) == (line(DOCUMENT, "[server]"), ("server",))
    assert line_of(lines, ("nowhere",)) == (None, ())
