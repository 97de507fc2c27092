"""The four services playing an errand: as strict as ever wherever Callgate wrote what they are sent.

What is relayed unread on an agent's own wire is the agent's own: there the bytes are compared instead (`tap.py`).
"""

from typing import Any

from tests.agents.errand import ASIDE, OPENING, Call, Errand
from tests.fakes.providers import scene
from tests.fakes.providers.anthropic import AnthropicService
from tests.fakes.providers.gemini import GeminiService
from tests.fakes.providers.gemini_contents import camel
from tests.fakes.providers.openai_chat import OpenAIChatService
from tests.fakes.providers.openai_responses import OpenAIResponsesService
from tests.fakes.providers.service import Asked, Reply, Service, Told

Offered = dict[str, dict[str, Any]]
"""Tools by their names."""


class Playing(Service):
    """The script that all four play; subclasses spell it."""

    errand = Errand([])
    relayed = False
    """True: the agent speaks this wire itself."""

    def __init__(self) -> None:
        super().__init__()
        self.proofs: list[str] = []
        """Signatures, or encrypted reasoning, that came with calls; none may be missing when their results come."""
        self.replied: list[bytes] = []

    def respond(self, asked: Asked) -> Reply:
        reply = super().respond(asked)
        if asked.method == "POST":
            self.replied.append(reply.body)
        return reply

    def check(self, asked: Asked) -> None:
        if not self.relayed:
            super().check(asked)

    def answer(self, asked: Asked) -> Reply:
        if asked.method == "GET" or "count_tokens" in asked.path:
            return super().answer(asked)
        offered = self.offered(asked.body)
        if not any(name in offered for name in self.errand.steps[0][0].names):
            return self.say(asked, ASIDE)
        calls = self.errand.after(len(self.told(asked.body).results))
        if not calls:
            return self.say(asked, self.errand.final)
        named = [(next(name for name in call.names if name in offered), call) for call in calls]
        return self.call(asked, named, offered)

    @property
    def played(self) -> list[dict[str, Any]]:
        """The requests of the errand itself, oldest first."""
        chats = [asked.body for asked in self.asked if asked.method == "POST" and "count_tokens" not in asked.path]
        return [body for body in chats if any(name in self.offered(body) for name in self.errand.steps[0][0].names)]

    def offered(self, body: dict[str, Any]) -> Offered:
        raise NotImplementedError

    def say(self, asked: Asked, words: str) -> Reply:
        raise NotImplementedError

    def call(self, asked: Asked, calls: list[tuple[str, Call]], offered: Offered) -> Reply:
        raise NotImplementedError


class PlayingChat(Playing, OpenAIChatService):
    def offered(self, body: dict[str, Any]) -> Offered:
        return {tool[tool["type"]]["name"]: tool for tool in body.get("tools") or ()}

    def say(self, asked: Asked, words: str) -> Reply:
        return self.reply(asked.body, words, [])

    def call(self, asked: Asked, calls: list[tuple[str, Call]], offered: Offered) -> Reply:
        made = [(f"call_{self.number():024}", name, _written(call, offered[name])) for name, call in calls]
        return self.reply(asked.body, OPENING, made)


class PlayingResponses(Playing, OpenAIResponsesService):
    def offered(self, body: dict[str, Any]) -> Offered:
        tools = list(body.get("tools") or ())
        if isinstance(body["input"], list):
            tools += [
                tool for item in body["input"] if item.get("type") == "additional_tools" for tool in item["tools"]
            ]
        inner = [tool for group in tools if group["type"] == "namespace" for tool in group["tools"]]
        return {tool["name"]: tool for tool in (*tools, *inner) if tool["type"] in ("function", "custom")}

    def told(self, body: dict[str, Any]) -> Told:
        told = super().told(body)
        outputs = [item for item in body["input"] if isinstance(item, dict)]
        custom = {i["call_id"]: i["output"] for i in outputs if i.get("type") == "custom_tool_call_output"}
        return Told(told.calls, told.results | custom, told.proofs)

    def say(self, asked: Asked, words: str) -> Reply:
        return self.reply(asked.body, [self.message(words)])

    def call(self, asked: Asked, calls: list[tuple[str, Call]], offered: Offered) -> Reply:
        thought = self.thought(asked.body)
        self.proofs += [thought["encrypted_content"]] if "encrypted_content" in thought else []
        made = [self._item(name, call, offered[name]) for name, call in calls]
        return self.reply(asked.body, [thought, self.message(OPENING), *made])

    def _item(self, name: str, call: Call, tool: dict[str, Any]) -> dict[str, Any]:
        call_id = f"call_{self.number():024}"
        if tool["type"] == "function":
            item = self.function_call(call_id, name, _written(call, tool))
        else:
            number = f"ctc_{self.number():048}"
            item = {"id": number, "type": "custom_tool_call", "status": "completed", "call_id": call_id}
            item |= {"name": name, "input": call.text}
        return item | ({"namespace": call.namespace} if call.namespace and name == call.tool else {})


class PlayingAnthropic(Playing, AnthropicService):
    def offered(self, body: dict[str, Any]) -> Offered:
        return {tool["name"]: tool for tool in body.get("tools") or ()}

    def say(self, asked: Asked, words: str) -> Reply:
        return self.reply(asked.body, [{"type": "text", "text": words}])

    def call(self, asked: Asked, calls: list[tuple[str, Call]], offered: Offered) -> Reply:
        thinks = (asked.body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
        thoughts = [self.thought()] if thinks else []
        self.proofs += [thought["signature"] for thought in thoughts]
        made = [self.tool_use(f"toolu_01{self.number():022}", name, _arguments(call)) for name, call in calls]
        return self.reply(asked.body, [*thoughts, {"type": "text", "text": OPENING}, *made])


class PlayingGemini(Playing, GeminiService):
    def told(self, body: dict[str, Any]) -> Told:
        """An agent's own results may be any object, and have no id."""
        told = super().told(body)
        given = [camel(part).get("functionResponse") for content in body["contents"] for part in content["parts"]]
        found = [result for result in given if result]
        results = {result.get("id", f"#{place}"): str(result["response"]) for place, result in enumerate(found)}
        return Told(told.calls, results, told.proofs)

    def offered(self, body: dict[str, Any]) -> Offered:
        tools = [camel(tool) for tool in body.get("tools") or ()]
        return {one["name"]: one for tool in tools for one in tool.get("functionDeclarations", ())}

    def say(self, asked: Asked, words: str) -> Reply:
        return self.reply(asked, self.signing([{"text": words}], 0))

    def call(self, asked: Asked, calls: list[tuple[str, Call]], offered: Offered) -> Reply:
        thinking = camel(camel(camel(asked.body).get("generationConfig", {})).get("thinkingConfig", {}))
        thoughts = [{"text": scene.THINKING, "thought": True}] if thinking.get("includeThoughts") else []
        made = [{"functionCall": {"name": name, "args": _arguments(call), **self._id(asked)}} for name, call in calls]
        parts: list[dict[str, Any]] = [*thoughts, {"text": OPENING}, *made]
        signed = self.signing(parts, len(parts) - len(made))
        self.proofs.append(signed[len(parts) - len(made)]["thoughtSignature"])
        return self.reply(asked, signed)

    def _id(self, asked: Asked) -> dict[str, str]:
        return {} if self.older(asked) else {"id": f"g{self.number():07}"}


def services() -> dict[str, Playing]:
    made = (PlayingChat(), PlayingResponses(), PlayingAnthropic(), PlayingGemini())
    return {service.wire: service for service in made}


def _arguments(call: Call) -> dict[str, Any]:
    """A custom tool that is offered as a function takes its text as the one argument."""
    return {"input": call.text} if call.text else call.arguments


def _written(call: Call, tool: dict[str, Any]) -> str:
    return call.text if tool["type"] == "custom" else scene.written(_arguments(call))
