"""Secrets are found wherever they stand, nothing else is, and the text around them keeps its form."""

import base64
import hashlib
import json
import random
import time
import uuid
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgate.core.secrets import finding
from callgate.core.secrets.finding import find_secrets, holds_secret, replace_secrets
from callgate.core.secrets.fingerprint import fingerprinted

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7/x+\nabc=\n-----END RSA PRIVATE KEY-----"
KEYS = (
    "sk-ant-api03-abcdefgh12345678",
    "sk-proj-Ab_12345678-xyzabcd",
    "sk-1234567890abcdefghij",
    "AIza" + "x1" * 17 + "x",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "gho_abcdefghijklmnop0123",
    "github_pat_11ABCDEFG0abcdefghij_klmnop",
    "xoxb-1234567890-abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "glpat-abcdefghij0123456789",
    "hf_abcdefghijklmnopqrstuvwxyz012345",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcabcdefghijklmnopqrstuvwxyz01234",
    "SG.abcdefghijklmnopqrst.abcdefghijklmnopqrstuvwxyz",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "cg_abcdefghijklmnopqrstuvwxyz01",
    "sk_live_abcdefghij0123456789",
    "xai-abcdefghij0123456789",
)
NAMED = (
    ("x-portkey-api-key", "portkey-plain"),
    ("cf-access-client-secret", "cf-plain-words"),
    ("authorization", "Bearer opaque-words-only-here"),
    ("password", "correct horse battery staple"),
    ("api_key", "plain"),
    ("clientSecret", 'with "quotes" and \\ backslashes'),
    ("cookie", "session=abc; theme=dark"),
    ("private_key", PEM),
    ("token", "9fQ2xZ71mKpL0vRtY3Wn"),
)


def masked(text: str) -> str:
    return replace_secrets(text.encode(), lambda found, secret: b"***").decode()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "my key is {}, ok?",
        '{{"a": "{}"}}',
        "export A={}",
        "\x1b[32m{}\x1b[0m",
        "line\n{}\nline",
        "({})",
        "https://h/{}/x",
    ],
)
def test_a_key_is_known_by_its_shape_in_text_and_in_json_of_any_depth(key: str, around: str) -> None:
    text = around.format(key)
    for _ in range(3):
        clean = masked(text)
        assert key not in clean and len(clean) < len(text)
        assert not masked(clean).count(key)
        text = json.dumps(text)


@pytest.mark.parametrize(("name", "secret"), NAMED)
def test_a_named_secret_is_taken_out_of_json_of_any_depth_which_stays_json(name: str, secret: str) -> None:
    value: object = {"before": 1, name: secret, "after": ["stays"]}
    for depth in range(4):
        text = json.dumps(value)
        clean: object = json.loads(masked(text))
        for _ in range(depth):
            clean = json.loads(clean["text"])  # type: ignore[index]
        assert clean["before"] == 1 and clean["after"] == ["stays"]  # type: ignore[index]
        assert "***" in clean[name] and secret.split()[-1] not in clean[name]  # type: ignore[index]
        value = {"text": text}


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("authorization: Bearer abcdefgh-ijklmnop1", "abcdefgh-ijklmnop1"),
        ("postgres://bob:hunter2@db.test/main", "hunter2"),
        ("Server=db;User Id=sa;Password=Tr0ub4dor;Encrypt=true", "Tr0ub4dor"),
        ("DefaultEndpointsProtocol=https;AccountKey=abc123def456==;EndpointSuffix=x", "abc123def456"),
        ("https://x.test/v1?alt=sse&key=abc123&z=1", "abc123"),
        ("https://bucket.test/o?X-Amz-Signature=deadbeef01&X-Amz-Expires=5", "deadbeef01"),
        ("LDAP_BINDPW=hunter22", "hunter22"),
        ("GROQ_KEY2=abc12345", "abc12345"),
        ("  password: hunter22\n", "hunter22"),
        ('api_key = "s3cr3t-value"', "s3cr3t-value"),
        ('{"name": "DB_PASSWORD", "value": "hunter22"}', "hunter22"),
        ("{'x-api-key': 'abcd-1234-efgh'}", "abcd-1234-efgh"),
        ("Cookie: a=1; session=abc123def456", "session=abc123def456"),
        (f"key:\n{PEM}\nend", "MIIEpAIBAAKCAQEA7"),
    ],
)
def test_secrets_in_files_commands_and_addresses(text: str, secret: str) -> None:
    assert secret not in masked(text)
    assert secret not in masked(json.dumps({"content": text}))


@pytest.mark.parametrize(
    "text",
    [
        '{"max_tokens": 1024, "prompt_tokens": 12, "total_tokens": 40320, "tokens": ["a", "b"]}',
        '{"prompt_cache_key": "conv-9fQ2xZ71mKpL0vRtY3Wn", "idempotency-key": "9fQ2xZ71mKpL0vRtY3Wn"}',
        '{"properties": {"key": {"type": "string"}, "password": {"type": "string"}}}',
        '{"required": ["api_key", "password", "token"]}',
        '{"token": " Hello", "logprob": -0.1, "bytes": [32]}',
        '{"type": "thinking", "signature": "EqQBCkgIARABGAIiQL8s9fQ2xZ71mKpL0vRtY3WnEqQBCkgIARABGAIiQL8s"}',
        '{"encrypted_content": "gAAAAABm9fQ2xZ71mKpL0vRtY3WnEqQBCkgIARABGAIiQL8s"}',
        '{"key": "uploads/2024/01/picture.png", "etag": "9b2cf535f27731c974343645a3985328"}',
        "token = get_token()\nself._key = key\nif password != other: raise",
        "api_key: str = field(default=None)\npassword: string\nsecret?: string",
        "api_key=${API_KEY} password=$PASSWORD token: {{ token }} key=<your key> api_key=YOUR_API_KEY",
        "The task-force asked about risk-assessment-2024-final",
        "npm_config_user_agent and hf_hub_download_everything_now",
        "Authorization is needed; see the basics of bearer tokens.",
        "commit 4be71e5c0ffee4be71e5c0ffee4be71e5c0ffee0 and 550e8400-e29b-41d4-a716-446655440000",
        "conv_TydWgXVuPwpglpQXvq0ZPyOy and call_4fG0123456789abcdefghijk and toolu_01A09q90qw90lq917835lq9",
        '{"authorization_endpoint": "https://h/authorize", "token_endpoint_auth_methods_supported": ["none"]}',
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked(text) == text
    assert masked(json.dumps(text)) == json.dumps(text)


def test_pictures_digests_and_ids_survive() -> None:
    chance = random.Random(5)
    for _ in range(40):
        noise = chance.randbytes(20_000)
        lines = base64.encodebytes(noise).decode()
        ids = " ".join(str(uuid.UUID(bytes=noise[at : at + 16])) for at in range(0, 1600, 16))
        text = json.dumps([base64.b64encode(noise).decode(), lines, hashlib.sha256(noise).hexdigest(), ids])
        assert masked(text) == text


def test_the_samples_of_all_wires_survive() -> None:
    here = Path(__file__).parents[2] / "wire"
    samples = list(here.glob("samples_*.py"))
    assert len(samples) == 5
    for path in samples:
        assert masked(path.read_text("utf-8")) == path.read_text("utf-8"), path.name


def test_a_fingerprint_tells_keys_apart_and_gives_no_hash_of_what_can_be_guessed() -> None:
    first, second, again = (fingerprinted(f"x {key} y".encode()).decode() for key in (KEYS[0], KEYS[1], KEYS[0]))
    assert first == again != second
    assert first == f"x «key sk-…5678 · sha256:{hashlib.sha256(KEYS[0].encode()).hexdigest()[:8]}» y"
    assert fingerprinted(b'{"password":"hunter22"}') == '{"password":"«secret»"}'.encode()
    assert fingerprinted(first.encode()) == first.encode(), "once is enough"
    clean = b"nothing here"
    assert fingerprinted(clean) is clean


def test_a_field_of_json_is_judged_by_itself() -> None:
    assert holds_secret("api_key", "plain") and holds_secret("authorization", "Bearer x")
    assert not holds_secret("api_key", "string") and not holds_secret("password", "") and not holds_secret("note", "x1")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=12) | st.sampled_from(KEYS),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["password", "api_key", "x", "key", "headers"]) | st.text(max_size=5), inner)
    ),
    max_leaves=12,
)


@given(JSON, st.integers(0, 2))
def test_json_stays_json_of_the_same_form(value: object, depth: int) -> None:
    text = orjson.dumps(value)
    for _ in range(depth):
        text = orjson.dumps({"text": text.decode()})
    clean = fingerprinted(text)
    assert _form(orjson.loads(clean)) == _form(orjson.loads(text))
    assert fingerprinted(clean) == clean


def _form(value: object) -> object:
    match value:
        case dict():
            return {len(value): [_form(item) for item in value.values()]}
        case list():
            return [_form(item) for item in value]
        case _:
            return type(value)


@pytest.mark.parametrize(
    "hostile",
    [
        *(b"-----BEGIN PRIVATE KEY-----", b"a", b"api_key=", b'"key":"', b"eyJ", b"://", b"\\", b"sk-", b"key"),
        *(
            b"bearer ",
            b'"token", ',
            b"cookie: ",
            b"a_key='",
            b"?key=",
            b"pw,'",
            b'"password":"\\\\',
            b'\\\\"',
            b"basic a",
        ),
    ],
)
def test_time_grows_with_length_only(hostile: bytes) -> None:
    def seconds(size: int) -> float:
        data = hostile * (size // len(hostile))
        best = 9.9
        for _ in range(3):
            began = time.process_time()
            find_secrets(data)
            best = min(best, time.process_time() - began)
        return best

    # eight times the length may take no more than some twenty times as long: quadratic would be 64
    assert seconds(160_000) < 20 * seconds(20_000) + 0.05


@pytest.mark.parametrize("step", [1, 2, 3, 7, 50])
def test_a_secret_is_found_wherever_a_long_text_is_looked_through_in_pieces(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-ant-api03-" + "Ab3" * 10
    text = f'x {key} {{"apiKey": "hunter22-Zx9"}} Authorization: Bearer {key} https://me:pa55word@host/ {key}'.encode()
    whole = find_secrets(text)
    assert len(whole) >= 5
    monkeypatch.setattr(finding, "_STEP", step)
    assert find_secrets(text) == whole
