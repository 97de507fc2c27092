"""A provider that takes anything and gives back exactly what it is told: for what must go through unread."""

from tests.fakes.providers.service import Asked, Reply, Service, whole


class Recorder(Service):
    def __init__(self, wire: str) -> None:
        super().__init__()
        self.wire = wire

    def check(self, asked: Asked) -> None:
        """Whatever is asked is fine."""

    def answer(self, asked: Asked) -> Reply:
        return whole({"error": {"message": f"{asked.method} {asked.path} was not expected"}}, 404)

    def refusal(self, message: str) -> Reply:
        raise AssertionError(message)
