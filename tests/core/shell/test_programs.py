"""The table is only as good as its entries: each is spelled as options are, and no program is named twice."""

import re

from callgate.core.shell import programs
from callgate.core.shell.program_table import table_of


def test_options_are_spelled_as_options() -> None:
    for name, options in programs.OPTIONS.items():
        for option in f"{options.commands} {options.code} {options.files}".split():
            assert re.fullmatch(r"--[a-zA-Z][\w-]+|-[\w-]+", option), (name, option)


def test_other_names_lead_to_what_is_known() -> None:
    for other, name in programs.SAME.items():
        assert other not in programs.OPTIONS
        assert name in programs.OPTIONS


def test_what_has_a_table_is_not_here_too() -> None:
    assert not [name for name in (*programs.OPTIONS, *programs.SAME) if table_of(name)]
