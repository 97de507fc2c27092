"""The table is only as good as its entries: each is spelled as options are, and no program is named twice."""

import re

from callgate.core.shell import programs


def test_options_are_spelled_as_options() -> None:
    for name, options in programs.OPTIONS.items():
        for option in f"{options.commands} {options.code} {options.files}".split():
            assert re.fullmatch(r"--[a-zA-Z][\w-]+|-[\w-]+", option), (name, option)


def test_other_names_lead_to_what_is_known() -> None:
    own = {"awk", "sed", "find"}
    for other, name in programs.SAME.items():
        assert other not in programs.OPTIONS
        assert name in programs.OPTIONS or name in own


def test_a_setting_of_git_is_not_both() -> None:
    for harmless in programs.GIT_HARMLESS:
        assert not harmless.startswith(programs.GIT_RUNS), harmless
