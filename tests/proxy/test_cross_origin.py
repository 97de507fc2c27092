"""Web pages: confirmed once by the person, then served with CORS for exactly that origin."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.fakes.running import RunningStation, running
from tests.fakes.scripted_provider import Reply, provider

from callgate.core.events import FaultRaised, QuestionAsked
from callgate.core.question import Answer, OriginQuestion
from callgate.runtime.runtime import Launch

PAGE = "http://localhost:3000"
CHAT = {"model": "callgate-demo", "messages": [{"role": "user", "content": "hi"}]}
PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
    "access-control-request-private-network": "true",
}


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[RunningStation]:
    with running(Launch(None, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as started:
        yield started


def call(runtime: RunningStation, method: str, path: str = "/v1/chat/completions", **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.Client(trust_env=False, timeout=10) as client:
        return client.request(method, f"{runtime.address}{path}", headers=sent, json=CHAT if method == "POST" else None)


def cors(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def allow(runtime: RunningStation, origin: str = PAGE) -> None:
    """As the person does, once the page has asked."""
    assert call(runtime, "POST", origin=origin).status_code == 403
    asked = runtime.wait_for(
        lambda events: next(
            (e.asked for e in events if isinstance(e, QuestionAsked) and e.asked.question == OriginQuestion(origin)),
            None,
        )
    )
    assert runtime.do(lambda: runtime.runtime.questions.answer(asked.id, Answer("accept"), "dialog"))
    runtime.wait_for(lambda _: True if call(runtime, "GET", "/v1/models", origin=origin).status_code == 200 else None)


def test_a_page_is_refused_with_words_for_its_developer_and_the_person_is_asked_once(runtime: RunningStation) -> None:
    for _ in range(3):
        answer = call(runtime, "POST", origin=PAGE)
        assert answer.status_code == 403 and not cors(answer)
        assert f"Pages of {PAGE} need permission" in answer.json()["error"]["message"]
    assert call(runtime, "OPTIONS", origin=PAGE, **PREFLIGHT).status_code == 403
    asked = [event for event in runtime.events if isinstance(event, QuestionAsked)]
    assert [event.asked.question for event in asked] == [OriginQuestion(PAGE)]


def test_a_confirmed_page_may_use_callgate_and_only_that_one(runtime: RunningStation) -> None:
    allow(runtime)
    preflight = call(runtime, "OPTIONS", origin=PAGE, **PREFLIGHT)
    assert preflight.status_code == 204
    assert cors(preflight) == {
        "access-control-allow-origin": PAGE,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization,content-type",
        "access-control-allow-private-network": "true",
        "access-control-max-age": "60",
    }
    answer = call(runtime, "POST", origin=PAGE, sec_fetch_site="same-site")
    assert answer.status_code == 200 and answer.json()["choices"]
    assert answer.headers["access-control-allow-origin"] == PAGE and answer.headers["vary"] == "Origin"
    assert "access-control-allow-credentials" not in answer.headers
    broken = call(runtime, "POST", "/v1/messages", origin=PAGE)
    assert broken.status_code == 400 and broken.headers["access-control-allow-origin"] == PAGE
    for other in ("http://localhost:3001", "http://127.0.0.1:3000", "https://localhost:3000", "http://evil.example"):
        refused = call(runtime, "POST", origin=other)
        assert refused.status_code == 403 and not cors(refused)
        assert call(runtime, "OPTIONS", origin=other, **PREFLIGHT).status_code == 403


def test_the_answer_outlives_the_program(tmp_path: Path) -> None:
    launch = Launch(None, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)
    with running(launch) as runtime:
        allow(runtime)
    with running(launch) as runtime:
        assert call(runtime, "POST", origin=PAGE).status_code == 200


def test_programs_get_no_cors_and_no_page_a_wildcard(runtime: RunningStation) -> None:
    allow(runtime)
    for method, path in (("POST", "/v1/chat/completions"), ("GET", "/v1/models"), ("GET", "/healthz")):
        answer = call(runtime, method, path)
        assert answer.status_code == 200 and not cors(answer)
    assert call(runtime, "OPTIONS").status_code == 405
    assert not cors(call(runtime, "OPTIONS", **PREFLIGHT))


def test_a_preflight_repeats_only_names_of_headers(runtime: RunningStation) -> None:
    allow(runtime)
    wanted = {**PREFLIGHT, "access-control-request-headers": "a, b: c; d <e>"}
    assert "access-control-allow-headers" not in call(runtime, "OPTIONS", origin=PAGE, **wanted).headers


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "null"},
        {"origin": "http://localhost:3000@evil.example"},
        {"origin": "http://localhost:3000, http://localhost:3000"},
        {"origin": "https://evil.example"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"host": "evil.example"},
        {"host": "evil.com@127.0.0.1"},
        {"host": "127.0.0.1#.evil.com"},
    ],
)
@pytest.mark.parametrize("path", ["/v1/models", "/v1/embeddings", "/mcp", "/healthz", "/", "/nowhere"])
def test_what_is_neither_a_program_nor_a_confirmed_page_is_refused_everywhere(
    runtime: RunningStation, headers: dict[str, str], path: str
) -> None:
    answer = call(runtime, "GET", path, **headers)
    assert answer.status_code == 403 and not cors(answer), answer.text
    assert not runtime.runtime.questions.waiting()


def test_a_configured_page_is_not_asked_about_and_one_without_a_person_is_told_how(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text(f'[server]\nallowed_origins = ["{PAGE}"]\n', "utf-8")
    launch = Launch(config, 0, tmp_path, tmp_path / "data", on_ask="deny", windowed=False, demo_pace_ms=0)
    with running(launch) as runtime:
        assert call(runtime, "POST", origin=PAGE).status_code == 200
        said = call(runtime, "POST", origin="http://localhost:4000").json()["error"]["message"]
        assert 'allowed_origins = ["http://localhost:4000"] under [server]' in said
        assert not [event for event in runtime.events if isinstance(event, QuestionAsked)]


def test_a_token_is_asked_of_a_confirmed_page_but_not_of_its_preflight(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text(f'[server]\ntoken = "t0ken"\nallowed_origins = ["{PAGE}"]\n', "utf-8")
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        assert call(runtime, "OPTIONS", origin=PAGE, **PREFLIGHT).status_code == 204
        refused = call(runtime, "POST", origin=PAGE)
        assert refused.status_code == 401 and refused.headers["access-control-allow-origin"] == PAGE
        assert call(runtime, "POST", origin=PAGE, authorization="Bearer t0ken").status_code == 200


def test_a_providers_own_cors_does_not_pass(tmp_path: Path) -> None:
    open_to_all = "Access-Control-Allow-Origin: *\r\naccess-control-allow-credentials: true\r\n"
    config = tmp_path / "callgate.toml"
    with provider(Reply(b'{"ok":true}', content_type="application/json", headers=open_to_all)) as up:
        config.write_text(f'[[upstreams]]\nname = "up"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n', "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            answer = call(runtime, "GET", "/v1/files")
            assert answer.json() == {"ok": True} and not cors(answer)


def test_a_broken_file_of_answers_is_reported_and_allows_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "origins.json").write_text(f'{{"allowed": ["{PAGE}"', "utf-8")
    with running(Launch(None, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        assert call(runtime, "POST", origin=PAGE).status_code == 403
        fault = runtime.wait_for(lambda events: next((e for e in events if isinstance(e, FaultRaised)), None))
        assert "origins.json cannot be read" in fault.message
