import pytest

from callgate.core.config.endpoint_draft import EndpointDraft, Surroundings, judge
from callgate.core.config.settings import UpstreamSettings, VertexSettings
from callgate.ui.endpoints.presets import COMPATIBLE, PRESETS, EndpointPreset, preset_of
from callgate.upstream.endpoint import Endpoint
from callgate.wire.dialects import DIALECTS


def made(preset: EndpointPreset) -> UpstreamSettings:
    """With what a person would say of it."""
    draft = EndpointDraft(
        preset.id,
        preset.wires,
        preset.base_url or ("http://box.test/v1" if "address" in preset.asks else ""),
        ", ".join(preset.models),
        "google" if preset.key == "google" else "client",
        dialect=preset.dialect,
        project="p" if "place" in preset.asks else "",
        location="global" if "place" in preset.asks else "",
    )
    settings = judge(draft, Surroundings(dialects=DIALECTS, vertex_wires=("anthropic", "gemini"))).settings
    assert settings is not None
    return settings


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_preset_makes_an_endpoint_that_works(preset: EndpointPreset) -> None:
    endpoint = Endpoint.from_settings(made(preset))
    assert endpoint.url(preset.wires[0], "m", stream=True).startswith("http")
    assert not preset.dialect or preset.dialect in DIALECTS
    assert preset.key != "needed" or preset.key_env


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_is_recognised_again_when_it_is_edited(preset: EndpointPreset) -> None:
    assert preset_of(made(preset)) is preset


def test_a_known_server_at_another_address_is_still_known_and_a_provider_elsewhere_is_any_server() -> None:
    moved = made(PRESETS[-2]).model_copy(update={"base_url": "http://box.test:9000/v1"})
    assert preset_of(moved).id == PRESETS[-2].id
    mirrored = UpstreamSettings(name="x", wire=("openai-chat",), base_url="https://mirror.test/v1", dialect="deepseek")
    assert preset_of(mirrored) is COMPATIBLE


def test_both_kinds_of_vertex_are_told_apart() -> None:
    place = VertexSettings(project="p", location="eu")
    claude = UpstreamSettings(name="c", wire=("anthropic",), vertex=place)
    assert (preset_of(claude).id, preset_of(claude.model_copy(update={"wire": ("gemini",)})).id) == (
        "vertex-claude",
        "vertex-gemini",
    )


def test_ids_and_titles_differ() -> None:
    assert len({preset.id for preset in PRESETS}) == len({preset.title for preset in PRESETS}) == len(PRESETS) == 12
