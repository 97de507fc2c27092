"""Counting tokens: the provider's own word where it speaks the client's wire, an estimate where it does not."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.fakes.running import running
from tests.fakes.scripted_provider import Reply, provider

from callgate.runtime.runtime import Launch

CONTENTS = [{"role": "user", "parts": [{"text": "How many tokens is this?"}]}]
PATH = "/v1beta/models/gemini-2.5-flash:countTokens"


def asked(tmp_path: Path, upstreams: str, path: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    config = tmp_path / "callgate.toml"
    config.write_text(upstreams, "utf-8")
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            return client.post(f"{runtime.address}{path}", json=body, headers=headers)


def test_a_gemini_provider_counts_itself(tmp_path: Path) -> None:
    counted = Reply(b'{"totalTokens":31}', content_type="application/json")
    with provider(counted) as up:
        upstreams = f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{up.address}"\n'
        answer = asked(tmp_path, upstreams, PATH, {"contents": CONTENTS})
        assert answer.json() == {"totalTokens": 31}
        assert up.asked[0].path == PATH


def test_an_anthropic_provider_counts_itself_also_where_it_was_picked_by_name(tmp_path: Path) -> None:
    counted = Reply(b'{"input_tokens":42}', content_type="application/json")
    with provider(counted) as up:
        upstreams = f'[[upstreams]]\nname = "a"\nwire = "anthropic"\nbase_url = "{up.address}"\nmodels = ["claude-*"]\n'
        body = {"model": "a/claude-x", "messages": [{"role": "user", "content": "Hi"}]}
        answer = asked(tmp_path, upstreams, "/v1/messages/count_tokens?beta=true", body, **{"x-api-key": "k"})
        assert answer.json() == {"input_tokens": 42}
        assert up.asked[0].path == "/v1/messages/count_tokens?beta=true"
        assert up.asked[0].body["model"] == "claude-x"


@pytest.mark.parametrize("body", [{"contents": CONTENTS}, {"generateContentRequest": {"contents": CONTENTS}}])
def test_for_other_providers_it_is_estimated(tmp_path: Path, body: dict[str, Any]) -> None:
    answer = asked(tmp_path, "", PATH, body)
    assert answer.status_code == 200
    assert 5 <= answer.json()["totalTokens"] <= 12
    assert "estimated" in answer.headers["x-callgate-warnings"]


def test_a_gemini_provider_that_was_picked_by_name_is_asked_by_the_models_own(tmp_path: Path) -> None:
    counted = Reply(b'{"totalTokens":31}', content_type="application/json")
    with provider(counted) as up:
        upstreams = f'[[upstreams]]\nname = "g"\nwire = "gemini"\nbase_url = "{up.address}"\nmodels = ["none"]\n'
        answer = asked(tmp_path, upstreams, "/v1/models/g/gemini-2.5-flash:countTokens?x=1", {"contents": CONTENTS})
        assert answer.json() == {"totalTokens": 31} and "x-callgate-warnings" not in answer.headers
        assert up.asked[0].path == "/v1/models/gemini-2.5-flash:countTokens?x=1"


@pytest.mark.parametrize("wire", ["openai-responses", "openai-chat"])
def test_tokens_of_a_response_are_counted_by_a_provider_that_speaks_it_and_estimated_for_others(
    tmp_path: Path, wire: str
) -> None:
    counted = Reply(b'{"object":"response.input_tokens","input_tokens":31}', content_type="application/json")
    with provider(counted) as up:
        upstreams = f'[[upstreams]]\nname = "o"\nwire = "{wire}"\nbase_url = "{up.address}/v1"\n'
        body = {"model": "o/m", "input": "How many tokens is this?"}
        answer = asked(tmp_path, upstreams, "/v1/responses/input_tokens", body)
        assert answer.json()["object"] == "response.input_tokens"
        if wire == "openai-responses":
            assert answer.json()["input_tokens"] == 31 and up.asked[0].body["model"] == "m"
        else:
            assert 5 <= answer.json()["input_tokens"] <= 20 and "estimated" in answer.headers["x-callgate-warnings"]


def test_what_is_not_json_is_refused_in_the_wires_own_words(tmp_path: Path) -> None:
    config = tmp_path / "callgate.toml"
    config.write_text("", "utf-8")
    with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
        with httpx.Client(trust_env=False, timeout=5) as client:
            answer = client.post(f"{runtime.address}{PATH}", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


def test_a_page_of_another_site_cannot_reach_what_is_relayed_unread(tmp_path: Path) -> None:
    with provider(Reply(b"{}", content_type="application/json")) as up:
        upstreams = f'[[upstreams]]\nname = "o"\nwire = "openai-chat"\nbase_url = "{up.address}/v1"\n'
        config = tmp_path / "callgate.toml"
        config.write_text(upstreams, "utf-8")
        with running(Launch(config, 0, tmp_path, tmp_path / "data", demo_pace_ms=0)) as runtime:
            with httpx.Client(trust_env=False, timeout=5) as client:
                answer = client.get(f"{runtime.address}/v1/files", headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
        assert up.asked == []
