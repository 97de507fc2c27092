"""What clients ask beside the chat itself: models, counts of tokens, a WebSocket."""

from collections.abc import Iterator

import anthropic
import httpx
import openai
import pytest
from google import genai
from tests.fakes.providers import scene
from tests.fakes.sdks.anthropic_messages import TOOLS
from tests.fakes.translating import MODELS, OLDER_MODELS, Stage, stage

from callgate.upstream.demo.model import DEMO_MODEL

EVERY_MODEL = {*MODELS.values(), DEMO_MODEL}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("edges")) as services, services.open() as opened:
        yield opened
        assert not services.refusals(), services.refusals()[0]


def test_a_websocket_is_refused_so_that_clients_turn_to_post_at_once(played: Stage) -> None:
    headers = {
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "openai-beta": "responses_websockets=2026-02-06",
        "authorization": "Bearer sk-client",
    }
    answer = httpx.get(f"{played.address}/v1/responses", headers=headers, timeout=10)
    assert answer.status_code == 426
    after = openai.OpenAI(base_url=f"{played.address}/v1", api_key="k", max_retries=0, timeout=10)
    with after:
        told = after.responses.create(model=MODELS["openai-responses"], input=scene.THANKS)
        assert told.output_text == scene.WELCOME


def test_every_package_lists_the_models_in_its_own_shape(played: Stage) -> None:
    with openai.OpenAI(base_url=f"{played.address}/v1", api_key="k") as sdk:
        assert {model.id for model in sdk.models.list()} >= EVERY_MODEL
        assert sdk.models.retrieve(MODELS["gemini"]).owned_by == "gemini"
    with anthropic.Anthropic(base_url=played.address, api_key="k") as claude:
        listed = list(claude.models.list())
        assert {model.id for model in listed} >= EVERY_MODEL and listed[0].type == "model"
        assert claude.models.retrieve(MODELS["openai-chat"]).id == MODELS["openai-chat"]
        with pytest.raises(anthropic.NotFoundError, match="none-such"):
            claude.models.retrieve("none-such")


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_geminis_package_lists_the_models_on_either_version(played: Stage, version: str) -> None:
    options = {"base_url": played.address, "api_version": version}
    with genai.Client(api_key="k", http_options=options) as sdk:
        assert {f"models/{name}" for name in EVERY_MODEL} <= {model.name for model in sdk.models.list()}
        one = sdk.models.get(model=MODELS["anthropic"])
        assert one.name == f"models/{MODELS['anthropic']}"
        assert "countTokens" in (one.supported_actions or ())
        with pytest.raises(genai.errors.ClientError, match="none-such"):
            sdk.models.get(model="none-such")


def test_tokens_are_counted_by_the_provider_or_estimated(played: Stage) -> None:
    with anthropic.Anthropic(base_url=played.address, api_key="k", max_retries=0) as sdk:
        said = [{"role": "user", "content": scene.ASK}]
        native = sdk.messages.count_tokens(model=MODELS["anthropic"], messages=said, tools=TOOLS)
        assert native.input_tokens == 4711
        short = sdk.messages.count_tokens(model=MODELS["openai-chat"], messages=said).input_tokens
        longer = sdk.messages.count_tokens(model=MODELS["openai-chat"], messages=said, tools=TOOLS).input_tokens
        assert len(scene.ASK) // 8 < short < len(scene.ASK)
        assert longer > short
    body = {"model": OLDER_MODELS["anthropic"], "messages": said}
    headers = {"anthropic-version": "2023-06-01", "x-api-key": "k", "anthropic-beta": "token-counting-2024-11-01"}
    path = f"{played.address}/v1/messages/count_tokens?beta=true"
    assert httpx.post(path, json=body, headers=headers, timeout=10).json() == {"input_tokens": 4711}
    asked = [one.path for one in played.services["anthropic"].asked if "count_tokens" in one.path]
    assert asked == ["/v1/messages/count_tokens", "/v1/messages/count_tokens?beta=true"]


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_mistake_of_a_gemini_client_is_told_in_geminis_words_on_either_version(played: Stage, version: str) -> None:
    path = f"{played.address}/{version}/models/{MODELS['gemini']}:generateContent"
    answer = httpx.post(path, json={"contents": []}, timeout=10)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
