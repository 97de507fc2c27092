import pytest

from callgate.wire.anthropic_messages.traits import guess_traits as guess_claude
from callgate.wire.capabilities import EFFORTS, Capabilities, capabilities_of, effort_of, nearest_effort
from callgate.wire.gemini_generate.traits import guess_traits as guess_gemini

CLAUDE = [
    "claude-3-7-sonnet-20250219",
    "claude-sonnet-4-20250514",
    "claude-opus-4@20250514",
    "claude-opus-4-1-20250805",
    "claude-sonnet-4-5",
    "claude-haiku-4-5-20251001",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "anthropic/claude-opus-4.5",
    "claude-opus-4-6",
    "anthropic/claude-opus-4.6",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-haiku-5-5",
    "claude-sonnet-5-5",
    "claude-opus-5-5@20260901",
    "claude-fable-5-1",
    "claude-mythos-5-1",
]
GEMINI = ["gemini-1.5-pro", "gemini-2.0-flash", "gemini-2.5-pro", "gemini-3-pro-preview", "models/gemini-flash-latest"]


@pytest.mark.parametrize("model", CLAUDE)
def test_what_is_said_of_claude_agrees_with_its_own_codec(model: str) -> None:
    known, traits = capabilities_of(model), guess_claude(model)
    assert known.forced_choice is traits.forced_choice
    assert (known.sampling == "always") is traits.sampling
    assert known.thinking == ("adaptive" if traits.adaptive_thinking else "budget")


@pytest.mark.parametrize("model", GEMINI)
def test_what_is_said_of_gemini_agrees_with_its_own_codec(model: str) -> None:
    traits = guess_gemini(model)
    form = "none" if not traits.thinking else "level" if traits.thinking_levels else "budget"
    assert capabilities_of(model).thinking == form


@pytest.mark.parametrize(
    "model", ["claude-3-5-sonnet-20241022", "claude-3-opus", "claude-2.1", "gpt-4o", "gpt-4.1-mini"]
)
def test_older_models_do_not_think(model: str) -> None:
    assert capabilities_of(model) == Capabilities(thinking="none")


@pytest.mark.parametrize("model", ["o3", "o4-mini", "openai/o3-mini", "GPT-5", "gpt-5-2025-08-07", "gpt-5-mini"])
def test_reasoning_models_of_openai_refuse_sampling_and_stops(model: str) -> None:
    known = capabilities_of(model)
    assert (known.sampling, known.stop, known.forced_choice) == ("never", False, True)
    assert "high" in known.efforts


@pytest.mark.parametrize(
    ("model", "efforts"),
    [
        ("gpt-5.1", {"none": True, "": True, "low": False}),
        ("gpt-5.4-mini", {"none": True, "": True, "high": False}),
        ("openai/gpt-5.5", {"none": True, "": False, "medium": False}),
        ("gpt-5.6-sol", {"none": True, "": False}),
        ("gpt-6.1-terra", {"none": True, "": False, "max": False}),
        ("gpt-5.1-codex", {"": False, "high": False}),
        ("gpt-5.5-pro", {"": False, "medium": False}),
        ("gpt-5.3-chat-latest", {"": False}),
        ("gpt-6-astra", {"": False, "low": False}),
        ("gpt-4.1", {"": True}),
    ],
)
def test_sampling_is_taken_by_a_model_that_thinks_only_where_it_does_not(model: str, efforts: dict[str, bool]) -> None:
    known = capabilities_of(model)
    assert {effort: known.samples(effort) for effort in efforts} == efforts
    assert not known.efforts or {effort for effort in efforts if effort} <= set(known.efforts)


@pytest.mark.parametrize("model", ["", "qwen3:8b", "gpt-oss:20b", "gpt-60b", "o1x", "my-model", "deepseek-reasoner"])
def test_an_unknown_model_is_asked_for_everything(model: str) -> None:
    assert capabilities_of(model) == Capabilities()


@pytest.mark.parametrize(
    ("budget", "effort"),
    [(None, ""), (-1, ""), (0, "none"), (1024, "minimal"), (4000, "low"), (10_000, "medium"), (32_000, "high")],
)
def test_a_budget_amounts_to_an_effort(budget: int | None, effort: str) -> None:
    assert effort_of(budget) == effort


def test_a_very_large_budget_is_the_greatest_effort() -> None:
    assert effort_of(10**6) == "max"


@pytest.mark.parametrize(
    ("effort", "taken", "nearest"),
    [
        ("max", ("low", "medium", "high"), "high"),
        ("minimal", ("low", "medium", "high"), "low"),
        ("none", ("minimal", "low"), "minimal"),
        ("minimal", ("none", "low"), "low"),
        ("medium", ("low", "high"), "low"),
        ("low", ("low", "high"), "low"),
        ("max", (), "max"),
        ("", ("low",), ""),
        ("extreme", ("low",), "extreme"),
    ],
)
def test_an_effort_that_is_not_taken_becomes_the_next_lower_one(
    effort: str, taken: tuple[str, ...], nearest: str
) -> None:
    assert nearest_effort(effort, taken) == nearest


def test_every_row_names_known_efforts_only() -> None:
    for model in (*CLAUDE, *GEMINI, "o3", "gpt-5", "gpt-5-codex", "gpt-5.1", "gpt-5.5", "gpt-6-sol"):
        assert set(capabilities_of(model).efforts) <= set(EFFORTS)
