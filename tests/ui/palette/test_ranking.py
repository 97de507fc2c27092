from callgate.ui.palette.entry import Entry, Kind
from callgate.ui.palette.ranking import MOST, ranked


def entry(title: str, kind: Kind = "action", detail: str = "") -> Entry:
    return Entry(f"{kind} {title}", kind, title, lambda: None, detail)


ENTRIES = (
    entry("Reset layout"),
    entry("Rules"),
    entry("Theme: dark", "setting"),
    entry("read_file", "tool", "built-in"),
    entry("reset the router", "conversation", "codex"),
)


def titles(query: str, *recent: str) -> list[str]:
    return [hit.entry.title for hit in ranked(ENTRIES, query, recent)]


def test_letters_in_order_find_a_title_and_are_marked() -> None:
    assert titles("rdf") == ["read_file"]
    (hit,) = ranked(ENTRIES, "theme", ())
    assert hit.spans == ((0, 5),)


def test_every_word_must_fit_the_title_or_the_detail() -> None:
    assert titles("reset codex") == ["reset the router"]
    assert titles("reset built") == []


def test_a_sign_looks_among_one_kind_only() -> None:
    assert titles("#") == ["read_file"]
    assert titles("@re") == ["reset the router"]
    assert titles("> r") == ["Rules", "Reset layout"]
    assert titles("!dark") == ["Theme: dark"]


def test_commands_come_before_what_fits_as_well() -> None:
    assert titles("reset")[0] == "Reset layout"


def test_what_was_used_lately_comes_first() -> None:
    assert titles("", "tool read_file")[0] == "read_file"
    assert titles("re", "conversation reset the router")[0] == "reset the router"


def test_ten_thousand_entries_give_a_short_list() -> None:
    many = [entry(f"get_thing_{number}", "tool") for number in range(10_000)]
    assert len(ranked(many, "get", ())) == MOST
