"""Which relayed paths a provider might read as a route that asks a model.

Such a route is served only by its own name, where its calls are judged. Everything else that could be read as one, by a
server that decodes twice, folds case or cuts at `;`, is refused. So is, unless a setting allows it, what lets a model
call tools where nobody can judge the calls. What is left is relayed unread.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from urllib.parse import unquote_to_bytes

_DECODINGS = 8
"""How often a path may be encoded; more has no use but to hide something."""
_CHAT_WORD = re.compile(
    r"(?<![a-z0-9_-])(?:chat|completions|generate|messages|responses)(?![a-z0-9_-])|generatecontent|rawpredict"
)
_SEPARATORS = re.compile(r"[/\\?#;]+")
_ID = r"[A-Za-z0-9][A-Za-z0-9_.:-]*"
_RELAYED = re.compile(
    "|".join(
        (
            r"/v1/completions",  # plain text, without tools
            rf"/v1/chat/completions/chatcmpl[-_]{_ID}(?:/messages)?",
            rf"/v1/chat/deferred-completion/{_ID}",
            r"/v1/messages/count_tokens",
            rf"/v1/messages/batches(?:/{_ID}(?:/(?:results|cancel))?)?",
            rf"/v1/responses/{_ID}(?:/(?:cancel|input_items))?",
            rf"/v1/threads/{_ID}/messages(?:/{_ID})?",
            r"/v1/organization/usage/completions",
            rf"/v1(?:beta)?/models/{_ID}:batchGenerateContent",
        )
    )
)
"""Documented routes that have such a word in them and ask no model, or ask one without tools or much later."""
_UNJUDGED = re.compile(
    r"(?<![a-z0-9_-])(?:runs|assistants|batches|realtime|chatkit|sessions|agents|interactions|auth_tokens)"
    r"(?![a-z0-9_-])|batchgeneratecontent|bidigeneratecontent"
)
"""Runs of OpenAI's assistants and evaluations, batches, live sessions and the keys that open them, agents that the
provider runs, and Gemini's interactions."""
_STOPS = re.compile(r"/v1(?:beta)?/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+[/:]cancel")
_HARMLESS_METHODS = frozenset({"GET", "HEAD", "DELETE"})
_OVERRIDES = ("x-http-method-override", "x-http-method", "x-method-override")
"""Some servers take the method from here."""
_READ_ONLY = re.compile(r"/v1/chat/|/v1/organization/")


def plain_path(path: str) -> str | None:
    """The path as the most lenient server might read it; None = nothing that has a meaning."""
    raw = path.encode("utf-8", "surrogateescape")
    for _ in range(_DECODINGS):
        decoded = unquote_to_bytes(raw)
        if decoded == raw:
            break
        raw = decoded
    else:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    folded = unicodedata.normalize("NFKC", text).casefold()
    shown = "".join("/" if unicodedata.category(sign) == "Cc" else sign for sign in folded if not _is_invisible(sign))
    return _SEPARATORS.sub("/", shown)


def asks_a_model(path: str, method: str = "POST") -> bool:
    """Whether a provider might take an encoded path for a route whose calls are judged, so that it is not relayed."""
    if _RELAYED.fullmatch(path):
        return method not in ("GET", "HEAD", "DELETE") if _READ_ONLY.match(path) else False
    plain = plain_path(path)
    if plain is None:
        return True
    climbs = any("." in step and not step.strip(". ") for step in plain.split("/"))
    return climbs or _CHAT_WORD.search(plain) is not None


def methods_of(method: str, headers: Mapping[str, str]) -> frozenset[str]:
    """Each method that a provider might take a request for. Names of headers are lower case."""
    return frozenset({method, *(headers[name].strip().upper() for name in _OVERRIDES if name in headers)})


def runs_unjudged(path: str, methods: Collection[str]) -> bool:
    """Whether a provider might take an encoded path for one where a model calls tools that Callgate never sees."""
    if _HARMLESS_METHODS.issuperset(methods) or _STOPS.fullmatch(path):
        return False
    plain = plain_path(path)
    return plain is None or _UNJUDGED.search(plain) is not None


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cf", "Mn")
