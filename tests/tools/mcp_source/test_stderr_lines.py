from callgate.tools.mcp_source.stderr_lines import KEPT_LINES, LONGEST_LINE, StderrLines


def test_lines_are_put_together_from_any_pieces() -> None:
    heard: list[str] = []
    lines = StderrLines(heard.append)
    for piece in (b"on", b"e\ntw", b"o\r\n", "drei ✓".encode()[:7], "drei ✓".encode()[7:], b""):
        lines.feed(piece)
    assert lines.lines == ("one", "two", "drei ✓")
    assert heard == list(lines.lines)


def test_only_the_last_lines_are_kept_and_none_is_endless() -> None:
    lines = StderrLines()
    lines.feed(b"x" * (LONGEST_LINE * 3))
    lines.feed(b"".join(b"%d\n" % n for n in range(KEPT_LINES + 10)))
    assert len(lines.lines) == KEPT_LINES
    assert max(map(len, lines.lines)) <= LONGEST_LINE


def test_the_last_words_are_those_of_the_last_process() -> None:
    lines = StderrLines()
    lines.feed(b"old\n")
    lines.begin()
    assert lines.last_words() == ""
    lines.feed(b"a\n\nb\nc\nd\n")
    assert lines.last_words() == "b | c | d"
