from callgate.core.catalog.token_cost import TokenCost
from callgate.core.catalog.token_count import CostLine, Count, cost_sheet


def test_without_a_tokenizer_every_line_is_estimated() -> None:
    sheet = cost_sheet(TokenCost(10, 30, 20))
    assert sheet.lines == (CostLine("OpenAI", 10), CostLine("Anthropic", 30), CostLine("Gemini", 20))
    assert sheet.typical == 20 and sheet.none_counted and not sheet.all_counted


def test_a_count_takes_the_place_of_the_estimate_and_says_by_what() -> None:
    sheet = cost_sheet(TokenCost(10, 30, 20), (Count("openai", 44, "o200k_base"),))
    assert sheet.lines[0] == CostLine("OpenAI", 44, "o200k_base") and sheet.lines[0].is_counted
    assert not sheet.lines[1].is_counted
    assert sheet.typical == 30 and not sheet.none_counted and not sheet.all_counted


def test_other_families_have_lines_of_their_own_and_do_not_change_what_is_typical() -> None:
    counts = (Count("qwen", 99, "tokenizer.json"), Count("openai-gpt4", 12, "cl100k_base"))
    sheet = cost_sheet(TokenCost(10, 30, 20), counts)
    assert sheet.lines[3:] == (CostLine("qwen", 99, "tokenizer.json"), CostLine("GPT-4", 12, "cl100k_base"))
    assert sheet.typical == 20


def test_all_is_counted_where_each_family_has_a_tokenizer() -> None:
    counts = tuple(Count(family, 7, "x") for family in ("openai", "anthropic", "gemini"))
    assert cost_sheet(TokenCost(1, 2, 3), counts).all_counted
