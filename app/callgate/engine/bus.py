"""The bus: everything that happens is published here, at once and in order.

Publishing is synchronous, so that a listener sees events exactly as they happened; a listener that wants to take its
time queues for itself. One that raises is reported and the others still hear.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from callgate.core.events import Event, FaultRaised

log = logging.getLogger(__name__)

Listener = Callable[[Event], None]


@dataclass(slots=True, eq=False)
class Subscription:
    """Proof of listening; `close()` ends it."""

    listener: Listener
    _listeners: "list[Subscription]"

    def close(self) -> None:
        if self in self._listeners:
            self._listeners.remove(self)


class Bus:
    def __init__(self) -> None:
        self._subscriptions: list[Subscription] = []

    def subscribe(self, listener: Listener) -> Subscription:
        subscription = Subscription(listener, self._subscriptions)
        self._subscriptions.append(subscription)
        return subscription

    def publish(self, event: Event) -> None:
        for subscription in tuple(self._subscriptions):
            try:
                subscription.listener(event)
            except Exception as error:  # a broken view must not stop an exchange
                log.exception("a listener failed on %s", event.kind)
                if not isinstance(event, FaultRaised):
                    self.publish(FaultRaised("bus", f"A view could not show {event.kind}: {error}", time.time()))
