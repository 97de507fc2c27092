from callgate.core.calls.subject import Call, facets_of
from callgate.core.calls.targets import Targets


def test_a_call_that_does_nothing_in_particular_is_one_part() -> None:
    facets = facets_of(Call("read_file", "b", "a", "m", '{"path":"x"}'))
    (part,) = facets.parts
    assert part.values("args.path") == ("x",)
    assert [part.values(field) for field in ("tool", "source", "agent", "model")] == [
        ("read_file",),
        ("b",),
        ("a",),
        ("m",),
    ]
    assert facets.readings == facets.concerns == ()


def test_each_command_is_a_part_in_which_the_argument_means_it_too() -> None:
    first, second = facets_of(Call("bash", "", "", arguments='{"command":"ls; rm x","n":1}')).parts
    assert (first.values("command"), second.values("args.command")) == (("ls",), ("rm x",))
    assert second.values("line") == ("ls; rm x",)
    assert second.values("args.n") == (1,)
    assert (first.text(), second.text()) == ("bash ls", "bash rm x")


def test_a_reading_has_all_ways_to_see_one_command_and_the_last_is_the_whole() -> None:
    call = Call("bash", "", "", arguments='{"command":"sudo rm x"}')
    reading, whole = facets_of(call).readings
    assert set(reading.values("command")) == {"sudo rm x", "rm x"}
    assert whole.values("args.command") == ("sudo rm x",)
    assert whole.text() == call.text()


def test_targets_that_were_told_are_not_looked_for() -> None:
    call = Call("x", "", "", targets=Targets(edits=("a", "b")))
    assert call.values("edits") == ("a", "b")
    assert [part.values("edits") for part in facets_of(call).parts] == [("a",), ("b",)]


def test_a_part_can_be_narrowed_to_one_item_of_a_list() -> None:
    (part,) = facets_of(Call("x", "", "", arguments='{"files":["a","b"]}')).parts
    assert part.with_only("args.files", "b").values("args.files") == ("b",)
    assert part.values("args.files") == ("a", "b")
