"""Replies beside the tool loop: calls without arguments, words or calls that are cut short, refusals."""

from typing import Any

from tests.fakes.providers import scene
from tests.fakes.providers.anthropic import AnthropicService
from tests.fakes.providers.gemini import GeminiService
from tests.fakes.providers.openai_chat import OpenAIChatService
from tests.fakes.providers.openai_responses import OpenAIResponsesService
from tests.fakes.providers.service import Reply, Service

BARE = "list_notes"
"""A tool that takes nothing."""


def bare_calls(service: Service, *, stream: bool) -> Reply:
    """Two calls without arguments, in each way in which providers of the wire say that."""
    body = _asked(stream)
    number = service.number()
    match service:
        case OpenAIChatService():
            return service.reply(body, "", [(f"call_a{number}", BARE, ""), (f"call_b{number}", BARE, "{}")])
        case OpenAIResponsesService():
            calls = [service.function_call(f"call_{letter}{number}", BARE, "{}") for letter in "ab"]
            return service.reply(body, [service.thought(WITH_PROOF), *calls])
        case AnthropicService():
            calls = [service.tool_use(f"toolu_{letter}{number}", BARE, {}) for letter in "ab"]
            return service.reply(body, [service.thought(), *calls])
        case GeminiService():
            calls = [{"functionCall": {"name": BARE, "id": f"{letter}{number}"}} for letter in "ab"]
            calls[0]["functionCall"]["args"] = {}
            return service.reply_to(service.signing(calls, 0), stream=stream)
        case _:
            raise AssertionError(service)


def calls(service: Service, made: list[tuple[str, dict[str, Any]]], stream: bool) -> Reply:
    """Calls and no words; each by name and arguments."""
    body = _asked(stream)
    numbered = [(service.number(), name, arguments) for name, arguments in made]
    match service:
        case OpenAIChatService():
            return service.reply(body, "", [(f"call_{n}", name, scene.written(given)) for n, name, given in numbered])
        case OpenAIResponsesService():
            items = [service.function_call(f"call_{n}", name, scene.written(given)) for n, name, given in numbered]
            return service.reply(body, [service.thought(WITH_PROOF), *items])
        case AnthropicService():
            blocks = [service.tool_use(f"toolu_{n}", name, given) for n, name, given in numbered]
            return service.reply(body, [service.thought(), *blocks])
        case GeminiService():
            parts = [{"functionCall": {"name": name, "args": given, "id": f"c{n}"}} for n, name, given in numbered]
            return service.reply_to(service.signing(parts, 0), stream=stream)
        case _:
            raise AssertionError(service)


def cut_short(service: Service, *, stream: bool) -> Reply:
    """The tokens are used up in the middle of the words."""
    body = _asked(stream)
    match service:
        case OpenAIChatService():
            return service.reply(body, scene.OPENING, [], "length")
        case OpenAIResponsesService():
            words = service.message(scene.OPENING) | {"status": "incomplete"}
            return service.reply(body, [words], "max_output_tokens")
        case AnthropicService():
            return service.reply(body, [{"type": "text", "text": scene.OPENING}], "max_tokens")
        case GeminiService():
            return service.reply_to([{"text": scene.OPENING}], stream=stream, finish="MAX_TOKENS")
        case _:
            raise AssertionError(service)


def refused(service: Service, *, stream: bool) -> Reply:
    body = _asked(stream)
    match service:
        case OpenAIChatService():
            return service.refuse(body, scene.REFUSAL)
        case OpenAIResponsesService():
            return service.reply(body, [service.refuse(scene.REFUSAL)])
        case AnthropicService():
            return service.reply(body, [], "refusal")
        case GeminiService():
            return service.reply_to([], stream=stream, finish="SAFETY")
        case _:
            raise AssertionError(service)


WITH_PROOF = {"include": ["reasoning.encrypted_content"]}


def _asked(stream: bool) -> dict[str, Any]:
    return {"stream": stream, "stream_options": {"include_usage": True}, "model": "m", "input": [], **WITH_PROOF}
