from pytestqt.qtbot import QtBot

from callgate.core.catalog.token_cost import TokenCost
from callgate.core.catalog.token_count import Count, cost_sheet
from callgate.ui.tools.cost_table import CostTable, problem_words


def test_each_line_says_whether_it_was_counted_or_estimated(qtbot: QtBot) -> None:
    table = CostTable(
        cost_sheet(TokenCost(10, 2000, 30), (Count("openai", 44, "o200k_base"), Count("qwen", 50, "q.json")))
    )
    qtbot.addWidget(table)
    assert table.words == (
        "OpenAI 44 counted, o200k_base Anthropic ~2.0k estimated Gemini ~30 estimated qwen 50 counted, q.json"
    )


def test_a_tokenizer_that_cannot_be_read_is_said_with_its_family() -> None:
    assert problem_words({"gemini": "/x cannot be read", "qwen": "why"}) == ("Gemini: /x cannot be read", "qwen: why")
