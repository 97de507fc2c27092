"""Which names of headers, fields and variables stand for secrets, and which only look as if they did. Pure.

`strong`: whatever stands there is a secret. `weak`: only a value that looks random is (`key`, `token`: a model's
stop token and an object's key are none). Names are compared word by word, so that `apiKey`, `API_KEY` and `x-api-key`
are one, and `max_tokens` and `monkey` are none.
"""

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Final, Literal

Strength = Literal["", "weak", "strong"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_STRONG: Final = _set(
    "password passwords passwd passphrase passwort pw pwd secret secrets apikey apikeys apisecret apitoken "
    "authorization cookie cookies credential credentials creds bearer jwt mnemonic privatekey accesskey secretkey "
    "authtoken accesstoken refreshtoken sessiontoken idtoken"
)
_STRONG_ENDS: Final = ("password", "passwd", "secret", "apikey", "bindpw", "accesstoken", "authtoken")
"""Of words that are written as one: PGPASSWORD, BINDPW."""
_STRONG_PAIRS: Final = frozenset(
    tuple(pair.split("_"))
    for pair in _set(
        "api_key access_key secret_key private_key subscription_key encryption_key signing_key master_key account_key "
        "storage_key service_key license_key deploy_key ssh_key auth_key shared_key app_key admin_key "
        "auth_token access_token refresh_token session_token id_token bot_token api_token bearer_token security_token "
        "identity_token service_token personal_token client_token oauth_token db_pass ldap_pass"
    )
)
_WEAK: Final = _set("key keys token auth pass pat dsn sas otp webhook")
_NOT_KEYS: Final = _set(
    "cache idempotency primary foreign public sort partition object row hash dedup deduplication lookup shortcut hot "
    "translation i18n message group sticky routing bucket index unique natural arrow map dict first last next "
    "modifier property json"
)
_NOT_TOKENS: Final = _set(
    "page next previous continuation sync progress cancel cancellation stop eos bos pad unk sep cls mask max min "
    "per first last special start end prompt completion cursor resume n"
)
_ABOUT: Final = _set(
    "url uri endpoint endpoints server servers type types name names file path env count length len policy expires "
    "expiry at in format field header headers required enabled mode hint ttl schema description cache status limit "
    "limits usage budget details remaining reset methods method supported version prefix size algorithm alg"
)
"""What such a last word says is about the secret, not the secret: `authorization_url`, `token_type`."""
_NOT_NAMES: Final = frozenset({"pwd", "oldpwd"})
"""As names of variables: the folder that a shell stands in."""
_HARMLESS_HEADERS: Final = frozenset({"idempotency-key", "sec-websocket-key", "x-idempotency-key"})
_HEADER_WORDS: Final = _set("key keys token tokens secret auth signature session pass password sig jwt")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX: Final = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)")
_RANDOM: Final = re.compile(r"[A-Za-z0-9_+/=.~:-]{16,}")
LEAST_ENTROPY: Final = 3.0
"""Bits a character: English words of some length have less than random letters of the same length."""


def words_of(name: str) -> tuple[str, ...]:
    """`xApiKey2` = x, api, key; numbers say nothing."""
    return tuple(word.lower() for word in _WORD.findall(name) if not word.isdigit())


def strength_of(name: str) -> Strength:
    """How surely a field or variable of this name holds a secret."""
    words = words_of(name)
    if not words or words[-1] in _ABOUT:
        return ""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if before == "" and last in _NOT_NAMES and name.isupper():
        return ""
    if any(word in _STRONG or word.endswith(_STRONG_ENDS) for word in words):
        return "strong"
    if any(pair in _STRONG_PAIRS for pair in pairwise(words)):
        return "strong"
    if last in ("key", "keys") and before in _NOT_KEYS:
        return ""
    if last == "token" and before in _NOT_TOKENS:
        return ""
    return "weak" if last in _WEAK or last.endswith("token") else ""


def is_secret_header(name: str) -> bool:
    """Whether the value of a header is hidden whatever it is: what a proxy does not know it had better not keep."""
    lower = name.strip().lower()
    if lower in _HARMLESS_HEADERS or "ratelimit" in lower or "rate-limit" in lower:
        return False
    words = words_of(lower)
    return strength_of(lower) == "strong" or bool(words and words[-1] in _HEADER_WORDS) or "signature" in words


def looks_random(value: str, *, as_key: bool = False) -> bool:
    """Whether a value is more likely made by a machine to be kept than written by a person to be read.

    `as_key`: under a name such as `key`, where digests, UUIDs and paths are ordinary.
    """
    if _RANDOM.fullmatch(value) is None or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    if as_key and (_UUID.fullmatch(value) or _HEX.fullmatch(value) or "/" in value or "." in value or ":" in value):
        return False
    return entropy(value) >= LEAST_ENTROPY


def entropy(value: str) -> float:
    """Bits a character, as Shannon counts them."""
    if not value:
        return 0.0
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
