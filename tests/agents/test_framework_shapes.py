"""Replies in a demanded shape, in each way in which the frameworks demand it, from every provider."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.agents.framework import FRAMEWORKS, Framework, Scripts
from tests.agents.outcome_table import ERRAND
from tests.agents.services import Playing, services
from tests.fakes.providers import endings, scene
from tests.fakes.providers.service import Asked, Reply, serving
from tests.fakes.translating import MODELS, WIRES, Stage

pytestmark = [pytest.mark.agents, pytest.mark.timeout(180)]
VALUE: dict[str, Any] = {
    "place": {"name": "Zürich ☔", "country": None},
    "celsius": 11.5,
    "sky": "rain",
    "notes": ['naïve "x"', "„y“"],
}
_LANGCHAIN = ("function_calling", "json_mode", "json_schema")
_PYDANTIC = ("tool", "native", "prompted")
WAYS: dict[str, dict[str, tuple[str, ...]]] = {
    "adk": {"gemini": ("its own",)},
    "autogen": {"openai-chat": ("its own",)},
    "instructor": {
        "openai-chat": ("TOOLS", "TOOLS_STRICT", "JSON", "MD_JSON", "JSON_SCHEMA", "FUNCTIONS"),
        "openai-responses": ("RESPONSES_TOOLS",),
        "anthropic": ("ANTHROPIC_TOOLS", "ANTHROPIC_JSON", "ANTHROPIC_REASONING_TOOLS"),
        "gemini": ("GENAI_TOOLS", "GENAI_STRUCTURED_OUTPUTS"),
    },
    "langchain": dict.fromkeys(WIRES, _LANGCHAIN) | {"anthropic": ("function_calling", "json_schema")},
    "litellm": dict.fromkeys(("openai-chat", "anthropic", "gemini"), ("its own",)),
    "llama": dict.fromkeys(("openai-chat", "openai-responses", "gemini"), ("its own",)),
    "openai": dict.fromkeys(("openai-chat", "openai-responses"), ("its own",)),
    "pydantic": dict.fromkeys(WIRES, _PYDANTIC) | {"anthropic": ("tool", "prompted")},
    "strands": dict.fromkeys(WIRES, ("its own",)),
}
FOUND = FRAMEWORKS | {"instructor": Framework("instructor", "older")}
ASKED = [(FOUND[name], wire, way) for name, wires in WAYS.items() for wire, ways in wires.items() for way in ways]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    made = services()
    with serving(*made.values()), Stage(tmp_path_factory.mktemp("shapes"), made).open() as running:
        yield running


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize(
    ("framework", "wire", "way"), ASKED, ids=[f"{framework.name}-{wire}-{way}" for framework, wire, way in ASKED]
)
def test_a_shape_is_demanded_of_the_model_and_comes_back(
    opened: Stage,
    running_scripts: Scripts,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    framework: Framework,
    wire: str,
    way: str,
    provider: str,
    stream: bool,
) -> None:
    record_property(ERRAND, [f"{framework.name} {wire}", way, provider])
    service = opened.services[provider]
    assert isinstance(service, Playing)
    service.asked.clear()
    service.refusals.clear()
    service.relayed = wire == provider
    monkeypatch.setattr(service, "answer", _obliging(service))
    held = running_scripts.of(framework).hold(
        wire=wire,
        address=opened.address,
        model=MODELS[provider],
        stream=stream,
        thinks=False,
        tools="none",
        format=way,
        says=[{"text": scene.ASK}],
    )
    assert not opened.refusals(), opened.refusals()[0]
    assert held.error is None, held.error
    assert VALUE in (held.value, *(held.value if isinstance(held.value, list) else ()))
    assert len(service.bodies) == 1


def _obliging(service: Playing) -> Callable[[Asked], Reply]:
    """A model that gives the shape in whichever way it is asked for."""

    def answer(asked: Asked) -> Reply:
        offered = service.offered(asked.body)
        if not offered:
            return service.say(asked, json.dumps(VALUE, ensure_ascii=False))
        stream = bool(asked.body.get("stream")) or "stream" in asked.path
        return endings.calls(service, [(list(offered)[-1], VALUE)], stream)

    return answer
