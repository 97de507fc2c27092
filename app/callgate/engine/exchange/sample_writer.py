"""Has a model write what a server asked for: an exchange like any other, seen in the window, without any tools."""

from callgate.core.deltas import Failed, TextDelta
from callgate.core.errors import UserFault
from callgate.core.messages import Message, say
from callgate.core.question import SampleQuestion
from callgate.core.request import ChatRequest, GateOptions, Sampling
from callgate.engine.exchange.arrival import Arrival
from callgate.engine.exchange.exchanges import Exchanges


class SampleWriter:
    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def write(self, question: SampleQuestion, model: str) -> str:
        """Cancelling this stops the model. Raises `UserFault` with the provider's own words."""
        if not model:
            raise UserFault("Choose the model that should write.")
        system: tuple[Message, ...] = (say("system", question.system),) if question.system else ()
        request = ChatRequest(
            "openai-chat",
            model,
            (*system, *question.messages),
            stream=True,
            sampling=Sampling(
                max_tokens=question.max_tokens or None, temperature=question.temperature, stop=question.stop
            ),
            gate=GateOptions(use_tools=False, execution="none"),
        )
        exchange = self._exchanges.start(Arrival(request, f"{question.source} (MCP server)"))
        texts: list[str] = []
        over = False
        try:
            reader = exchange.outbox.reader()
            while (pieces := await reader.read()) is not None:
                for delta in (delta for piece in pieces for delta in piece.deltas):
                    if isinstance(delta, Failed):
                        raise UserFault(delta.fault.message)
                    if isinstance(delta, TextDelta) and delta.choice == 0:
                        texts.append(delta.text)
            over = True
        finally:
            if not over:
                exchange.cancel("person", "the person does not want it written any more")
        return "".join(texts)
