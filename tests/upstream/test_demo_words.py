import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.upstream.demo_words import canon, clauses, meaning, name_tokens, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [("files", "file"), ("reading", "read"), ("searches", "search"), ("directories", "directory"), ("running", "run"),
     ("writes", "writing"), ("listed", "list"), ("Classes", "class")],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("folder", "directory"), ("show", "read"), ("grep", "search")])
def test_synonyms_stand_for_the_same(one: str, other: str) -> None:
    assert canon(one) == canon(other)


@pytest.mark.parametrize("name", ["read_file", "readFile", "ReadFile", "fs.read-file"])
def test_a_name_is_read_however_it_is_joined(name: str) -> None:
    assert name_tokens(name)[-2:] == [canon("read"), canon("file")]


def test_a_text_means_more_than_its_words() -> None:
    assert canon("command") in meaning("do `ls -la`")
    assert canon("list") in meaning("what is in the src folder")
    assert canon("calculate") in meaning("3 + 4")


def test_a_text_is_cut_into_what_it_asks_for() -> None:
    text = 'Read a.txt and run "x and y", then list src. Thanks!'
    found = [(text[clause.start : clause.end].strip(), clause.step, clause.sentence) for clause in clauses(text)]
    assert found == [("Read a.txt", 0, 0), ('run "x and y"', 0, 0), ("list src", 1, 0), ("Thanks", 1, 1)]


@given(st.text(max_size=300))
def test_clauses_lie_in_order_and_inside_any_text(text: str) -> None:
    end = 0
    for clause in clauses(text):
        assert end <= clause.start < clause.end <= len(text)
        end = clause.end
