"""What was left out is told by source and reason, and stays small however much it is."""

from callgate.core.catalog.left_out import NAMED, LeftOut, gathered


def test_tools_of_one_source_and_reason_stand_together() -> None:
    found = [("a", "git", "off"), ("b", "files", "off"), ("c", "git", "off"), ("d", "git", "blocked")]
    assert gathered(found) == (
        LeftOut("off", "git", ("a", "c"), 2),
        LeftOut("off", "files", ("b",), 1),
        LeftOut("blocked", "git", ("d",), 1),
    )


def test_thousands_are_counted_and_only_the_first_named() -> None:
    (one,) = gathered((f"t{number}", "git", "off") for number in range(5000))
    assert one.total == 5000 and len(one.tools) == NAMED
