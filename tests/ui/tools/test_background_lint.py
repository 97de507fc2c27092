from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from tests.fakes.console import sample_tools
from tests.fakes.many_tools import many_tools, wide_schema

from callgate.core.catalog.token_cost import token_cost
from callgate.core.tool import Tool
from callgate.ui.tools.background_lint import BackgroundLint
from callgate.ui.tools.facts import Facts


@pytest.fixture
def facts(qapp: QApplication) -> Facts:
    return Facts()


def test_every_tool_is_looked_at_in_slices(facts: Facts) -> None:
    appraiser, tools = BackgroundLint(facts), many_tools(4, 50)
    appraiser.take(tools)
    slices = 0
    while not appraiser.is_done:
        appraiser.go_on()
        slices += 1
    assert slices > 1
    assert len(facts.findings) == len(facts.costs) == 200
    assert facts.tokens[tools[0].name] == token_cost(tools[0]).typical


def test_what_is_known_of_a_definition_is_kept_when_it_is_switched(facts: Facts) -> None:
    appraiser, tools = BackgroundLint(facts), sample_tools()
    appraiser.take(tools)
    appraiser.finish()
    switched = (replace(tools[0], enabled=False), *tools[1:])
    appraiser.take(switched)
    assert appraiser.is_done
    appraiser.take((replace(tools[0], description=""), *tools[1:]))
    assert not appraiser.is_done
    appraiser.finish()
    assert facts.lint("read_file")[0].code == "no-description"


def test_what_is_gone_is_forgotten(facts: Facts) -> None:
    appraiser = BackgroundLint(facts)
    twin = Tool("git__read_file", "git", "Reads a file of the repository.")
    appraiser.take((*sample_tools(), twin))
    appraiser.finish()
    assert [finding.code for finding in facts.alike["read_file"]] == ["collision"]
    appraiser.take(sample_tools())
    appraiser.finish()
    assert "git__read_file" not in facts.findings and not facts.alike


def test_a_tool_that_is_looked_at_comes_first(facts: Facts) -> None:
    appraiser = BackgroundLint(facts)
    appraiser.take(sample_tools())
    appraiser.look_at(sample_tools()[5])
    assert list(facts.costs) == ["git_commit"]


def test_a_very_large_tool_is_known_after_a_few_slices_and_before_all_others(facts: Facts) -> None:
    appraiser, told = BackgroundLint(facts), []
    large = Tool("large", "s", "Does a great many things at once.", wide_schema())
    appraiser.take((*many_tools(4, 200), large))
    appraiser.learned.connect(lambda: told.append("large" in facts.costs))
    appraiser.look_at(large)
    assert "large" not in facts.costs
    while "large" not in facts.costs:
        appraiser.go_on()
    assert told[-1] and len(facts.costs) < 200
    assert facts.costs["large"] == token_cost(large)


def test_it_tells_when_it_is_done(facts: Facts) -> None:
    appraiser, heard = BackgroundLint(facts), []
    appraiser.learned.connect(lambda: heard.append(len(facts.costs)))
    appraiser.take(sample_tools())
    while not appraiser.is_done:
        appraiser.go_on()
    assert heard[-1] == 7


def test_names_are_compared_anew_when_tools_change_in_the_middle_of_it(facts: Facts) -> None:
    appraiser, tools = BackgroundLint(facts), many_tools(4, 200)
    twins = (Tool("read_file", "a", "Reads a file."), Tool("b__read_file", "b", "Reads a file."))
    appraiser.take((*tools, *twins))
    while len(facts.costs) < 802:
        appraiser._step()
    appraiser._step()
    appraiser._step()
    assert not appraiser.is_done and not facts.alike
    appraiser.take((*tools, twins[0]))
    while not appraiser.is_done:
        appraiser.go_on()
    assert "read_file" not in facts.alike and "b__read_file" not in facts.findings
