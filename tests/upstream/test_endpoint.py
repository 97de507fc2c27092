from dataclasses import replace

import pytest

from callgate.core.config.settings import UpstreamSettings
from callgate.core.errors import BadRequest, UserFault
from callgate.core.json.text import parse_object
from callgate.upstream.endpoint import Endpoint, Vertex
from callgate.wire.dialects import DIALECTS


def endpoint(*wires: str, url: str = "", **more: object) -> Endpoint:
    return Endpoint.from_settings(
        UpstreamSettings.model_validate({"name": "p", "wire": list(wires), "base_url": url, **more})
    )


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
        ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1/chat/completions"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
        ("https://x.test/v1beta/openai", "https://x.test/v1beta/openai/chat/completions"),
    ],
)
def test_the_chat_address_has_one_version_however_the_base_is_written(base: str, expected: str) -> None:
    assert endpoint("openai-chat", url=base).url("openai-chat", "m", True) == expected


@pytest.mark.parametrize(
    "base",
    [
        "https://x.test/openai/v1?api-version=preview",
        "https://x.test/openai/v1/?api-version=preview",
        "https://x.test/openai/v1/chat/completions?api-version=preview#models",
    ],
)
def test_what_stands_behind_the_base_stands_behind_every_address(base: str) -> None:
    azure = endpoint("openai-chat", "anthropic", url=base)
    root, version = "https://x.test/openai", "api-version=preview"
    assert azure.url("openai-chat", "m", True) == f"{root}/v1/chat/completions?{version}"
    assert azure.url("openai-chat", "m", True, "x=1&api-version=2") == f"{root}/v1/chat/completions?{version}&x=1"
    assert azure.url("anthropic", "m", True, "beta=true") == f"{root}/v1/messages?{version}&beta=true"
    assert azure.models_url() == f"{root}/v1/models?{version}"
    assert azure.relay_url("/v1/embeddings") == f"{root}/v1/embeddings?{version}"
    assert azure.relay_url("/v1/files", "after=a%20b") == f"{root}/v1/files?{version}&after=a%20b"
    studio = endpoint("gemini", url="https://g.test?x=1")
    assert studio.url("gemini", "m", True) == "https://g.test/v1beta/models/m:streamGenerateContent?alt=sse&x=1"


def test_a_base_with_spaces_around_it_is_read_without_them() -> None:
    assert (
        endpoint("openai-chat", url=" http://x.test/v1 ").url("openai-chat", "m", False).startswith("http://x.test/v1/")
    )


@pytest.mark.parametrize(
    "base", ["http://h:11434", "http://h:11434/", "http://h:11434/v1", "http://h:11434/api", "http://h:11434/api/chat"]
)
def test_ollamas_own_routes_are_found_from_whichever_address_it_is_known_by(base: str) -> None:
    local = endpoint("ollama", "openai-chat", url=base)
    assert local.url("ollama", "qwen3:8b", True) == local.url("ollama", "m", False) == "http://h:11434/api/chat"
    assert local.models_url() == "http://h:11434/api/tags"
    assert local.relay_wire("/v1/embeddings") == "ollama"
    assert local.auth("ollama") == "bearer"


def test_responses_live_beside_chat() -> None:
    both = endpoint("openai-chat", "openai-responses", url="https://api.openai.com/v1")
    assert both.url("openai-responses", "m", False) == "https://api.openai.com/v1/responses"


@pytest.mark.parametrize(
    "base", ["https://api.anthropic.com", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"]
)
def test_the_messages_address_has_one_version_however_the_base_is_written(base: str) -> None:
    assert endpoint("anthropic", url=base).url("anthropic", "m", True) == "https://api.anthropic.com/v1/messages"


def test_gemini_names_model_and_verb_in_the_path() -> None:
    studio = endpoint("gemini", url="https://generativelanguage.googleapis.com")
    root = "https://generativelanguage.googleapis.com"
    assert studio.url("gemini", "gemini-3-pro", False) == f"{root}/v1beta/models/gemini-3-pro:generateContent"
    assert (
        studio.url("gemini", "models/gemini-3-pro", True)
        == f"{root}/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"
    )
    assert studio.url("gemini", "tunedModels/mine", False) == f"{root}/v1beta/tunedModels/mine:generateContent"


def test_what_the_client_asked_behind_the_path_goes_on_once_and_never_to_vertex() -> None:
    claude = endpoint("anthropic", url="https://api.anthropic.com")
    assert claude.url("anthropic", "m", True, "beta=true") == "https://api.anthropic.com/v1/messages?beta=true"
    studio = endpoint("gemini", url="https://g.test")
    streamed = studio.url("gemini", "m", True, "alt=json&x=1")
    assert streamed == "https://g.test/v1beta/models/m:streamGenerateContent?alt=sse&x=1"
    spelled = "x=1&$alt=json;enum-encoding=int&%24alt=json"
    assert studio.url("gemini", "m", True, spelled) == streamed, "Callgate says how it wants to be answered"
    assert studio.url("gemini", "m", False, spelled) == "https://g.test/v1beta/models/m:generateContent?x=1"
    vertex = Endpoint("v", ("anthropic",), "", vertex=Vertex("p", "global"))
    assert "beta" not in vertex.url("anthropic", "m", True, "beta=true")


def test_the_gemini_version_is_the_set_one_else_the_one_in_the_base() -> None:
    set_ = endpoint("gemini", url="https://g.test", api_version="v1")
    given = endpoint("gemini", url="https://g.test/v1alpha")
    assert set_.url("gemini", "m", False) == "https://g.test/v1/models/m:generateContent"
    assert given.url("gemini", "m", False) == "https://g.test/v1alpha/models/m:generateContent"


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("global", "aiplatform.googleapis.com"),
        ("us", "aiplatform.us.rep.googleapis.com"),
        ("eu", "aiplatform.eu.rep.googleapis.com"),
        ("us-east5", "us-east5-aiplatform.googleapis.com"),
    ],
)
def test_vertex_has_a_host_for_each_kind_of_location(location: str, host: str) -> None:
    assert Vertex("p", location).host == f"https://{host}"


def test_claude_on_vertex_is_asked_by_raw_predict_and_keeps_its_at_sign() -> None:
    claude = endpoint("anthropic", vertex={"project": "p", "location": "us-east5"})
    place = "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models"
    assert claude.url("anthropic", "claude-x@20250101", False) == f"{place}/claude-x@20250101:rawPredict"
    assert claude.url("anthropic", "claude;x", True) == f"{place}/claude%3Bx:streamRawPredict"


def test_gemini_on_vertex_is_published_by_google_and_tuned_models_are_endpoints() -> None:
    gemini = endpoint("gemini", vertex={"project": "p", "location": "global"})
    place = "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global"
    assert gemini.url("gemini", "gemini-3", False) == f"{place}/publishers/google/models/gemini-3:generateContent"
    assert gemini.url("gemini", "12345", False) == f"{place}/endpoints/12345:generateContent"


def test_claude_on_vertex_gets_its_version_in_the_body_and_no_model() -> None:
    claude = endpoint("anthropic", vertex={"project": "p", "location": "global"})
    body = b'{"model":"claude","stream":true,"messages":[]}'
    old = parse_object(claude.body("anthropic", body, {"Anthropic-Version": "2023-06-01"}))
    new = parse_object(claude.body("anthropic", body, {"anthropic-version": "2026-10-21"}))
    assert old == {"stream": True, "messages": [], "anthropic_version": "vertex-2023-10-16"}
    assert new == {"stream": True, "messages": [], "anthropic_version": "2026-10-21"}
    headers = claude.headers("anthropic", "token", {"anthropic-version": "2023-06-01", "anthropic-beta": "b"})
    assert headers["authorization"] == "Bearer token"
    assert headers["anthropic-beta"] == "b"
    assert "anthropic-version" not in headers


def test_a_body_is_left_alone_everywhere_else() -> None:
    body = b'{ "model" : "claude" }'
    assert endpoint("anthropic", url="https://a.test").body("anthropic", body, {}) is body


def test_a_relayed_path_keeps_one_version() -> None:
    openai = endpoint("openai-chat", url="https://api.openai.com/v1")
    both = endpoint("openai-chat", "anthropic", url="http://localhost:8000/v1")
    assert openai.relay_url("/v1/embeddings") == "https://api.openai.com/v1/embeddings"
    assert both.relay_url("/v1/messages/count_tokens") == "http://localhost:8000/v1/messages/count_tokens"
    assert both.relay_wire("/v1/messages/count_tokens") == "anthropic"
    assert both.relay_wire("/v1/embeddings") == "openai-chat"


def test_vertex_has_nothing_to_relay_to() -> None:
    with pytest.raises(BadRequest) as refused:
        endpoint("gemini", vertex={"project": "p", "location": "eu"}).relay_url("/v1/embeddings")
    assert refused.value.fault.http_status == 404


def test_gemini_on_vertex_counts_at_its_own_place_and_without_the_wrapping() -> None:
    vertex = endpoint("gemini", vertex={"project": "p", "location": "us-east5"})
    place = "https://us-east5-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-east5"
    models = f"{place}/publishers/google/models"
    assert (
        vertex.relay_url("/v1beta/models/gemini-3%3Bx:countTokens", "alt=json") == f"{models}/gemini-3%3Bx:countTokens"
    )
    assert vertex.relay_url("/v1/models/123:countTokens") == f"{place}/endpoints/123:countTokens"
    wrapped = b'{"generateContentRequest":{"model":"models/m","contents":[]}}'
    assert vertex.body("gemini", wrapped, {}) == b'{"contents":[]}'
    for plain in (b'{ "contents": [] }', b'{"generateContentRequest":1}', b"["):
        assert vertex.body("gemini", plain, {}) == plain


def test_models_are_served_by_glob_across_slashes() -> None:
    some = endpoint("openai-chat", url="http://x.test", models=["gpt-*", "meta/*"])
    assert some.serves("gpt-5")
    assert some.serves("meta/llama/3")
    assert not some.serves("claude")


def test_a_dialect_is_taken_by_name_else_guessed() -> None:
    assert endpoint("openai-chat", url="http://h.test/v1", dialect="vllm").dialect.name == "vllm"
    assert endpoint("openai-chat", url="http://localhost:11434/v1").dialect.name == "ollama"


def test_an_unknown_dialect_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserFault, match=r"dialect 'nope' is unknown; known are: .*ollama"):
        endpoint("openai-chat", url="http://h.test", dialect="nope")


def test_a_base_that_is_no_web_address_is_refused() -> None:
    with pytest.raises(UserFault, match="must start with http"):
        endpoint("openai-chat", url="api.openai.com/v1")


def test_vertex_refuses_wires_that_it_does_not_speak() -> None:
    with pytest.raises(UserFault, match="not openai-chat"):
        endpoint("openai-chat", vertex={"project": "p", "location": "eu"})


def test_an_owner_can_insist_on_forced_calls() -> None:
    assert endpoint("openai-chat", url="http://localhost:11434/v1", strict_tool_choice=True).dialect == replace(
        DIALECTS["ollama"], strict_tool_choice=True
    )
