"""The local estimate of input tokens."""

from tests.wire.samples_anthropic_messages import CLAUDE_CODE, PLAIN, WEATHER

from callgate.wire.anthropic_messages.count_tokens import IMAGE, PDF_PAGE, TOOLS, estimate_tokens


def _asking(content: object) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": content}]}


def test_text_costs_a_token_per_few_bytes() -> None:
    assert 250 <= estimate_tokens(_asking("word " * 200)) <= 310


def test_more_text_never_costs_less() -> None:
    sizes = [estimate_tokens(_asking("x" * length)) for length in (0, 1, 10, 1000, 100_000)]
    assert sizes == sorted(sizes)
    assert sizes[0] >= 1


def test_a_string_costs_what_the_same_block_costs() -> None:
    assert estimate_tokens(_asking("hello")) == estimate_tokens(_asking([{"type": "text", "text": "hello"}]))


def test_tools_cost_their_json_and_a_fixed_part() -> None:
    assert estimate_tokens({**PLAIN, "tools": [WEATHER]}) > estimate_tokens(PLAIN) + TOOLS


def test_an_image_costs_the_same_however_large() -> None:
    def image(data: str) -> int:
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return estimate_tokens(_asking([{"type": "image", "source": source}]))

    assert image("x") == image("x" * 100_000)
    assert image("x") >= IMAGE


def test_a_document_costs_by_its_size() -> None:
    def pdf(size: int) -> int:
        source = {"type": "base64", "media_type": "application/pdf", "data": "x" * size}
        return estimate_tokens(_asking([{"type": "document", "source": source}]))

    assert pdf(10) >= PDF_PAGE
    assert pdf(1_000_000) > 5 * pdf(10)
    by_url = estimate_tokens(_asking([{"type": "document", "source": {"type": "url", "url": "https://e.org"}}]))
    assert by_url >= PDF_PAGE
    text = {"type": "text", "media_type": "text/plain", "data": "word " * 200}
    assert 250 <= estimate_tokens(_asking([{"type": "document", "source": text}])) <= 310


def test_signatures_cost_nothing() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": ""}
    signed = {**thinking, "signature": "x" * 5000}
    assert estimate_tokens(_asking([thinking])) == estimate_tokens(_asking([signed]))


def test_calls_and_results_count() -> None:
    call = {"type": "tool_use", "id": "a", "name": "f", "input": {"text": "word " * 100}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "word " * 100}]}
    assert estimate_tokens(_asking([call])) > 130
    assert estimate_tokens(_asking([result])) > 130


def test_a_demanded_format_counts_and_broken_bodies_do_not_fail() -> None:
    formatted = {**PLAIN, "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}}
    assert estimate_tokens(formatted) > estimate_tokens(PLAIN)
    assert estimate_tokens({"messages": "?", "tools": 3, "system": 7}) == 1
    assert estimate_tokens(CLAUDE_CODE) > TOOLS
