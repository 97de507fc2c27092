"""Whether pages of a web origin may use Callgate: configured, answered by the person once, or asked about now.

A page that a program serves on this machine passes the checks of `Host` and of the loopback address, and the browser
adds the person's own network place to it. So each origin needs one confirmation.
"""

import asyncio
import time
from collections.abc import Callable, Collection

from callgate.core.question import OriginQuestion
from callgate.core.web_origin import is_loopback
from callgate.engine.sources.questions import Questions
from callgate.engine.tasks import Tasks
from callgate.store.files.origins import OriginsFile

MOST_OPEN = 3
"""Questions open at the same time: any program can send any `Origin`, and many questions get careless answers."""
MOST_ASKED = 20
"""Questions in one run of the program."""
AGAIN_SECONDS = 60.0
"""After a question that ended unanswered."""


class WebOrigins:
    def __init__(
        self,
        file: OriginsFile,
        questions: Questions,
        tasks: Tasks,
        *,
        configured: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = file
        self._questions = questions
        self._tasks = tasks
        self._configured = frozenset(configured)
        self._clock = clock
        self._known = file.read()
        self._open: set[str] = set()
        self._put_away: dict[str, float] = {}
        """Origin → when its question ended without an answer."""
        self._asked = 0

    def read_again(self) -> None:
        """What was answered counts as it is written down now. Raises `UserFault`, and nothing has changed then."""
        self._known = self._file.read_again()

    def allows(self, origin: str) -> bool:
        """`origin` as `read_origin` gives it."""
        return origin in self._configured or origin in self._known.allowed

    def refusal(self, origin: str) -> str:
        """Why an origin that is not allowed is refused, for its page's developer; may ask the person."""
        configure = f'allowed_origins = ["{origin}"] under [server] in callgate.toml and a restart'
        if not is_loopback(origin):
            return f"Requests from web pages of {origin} are not accepted. To accept them: {configure}."
        if origin in self._known.denied:
            return f"Pages of {origin} were refused by the user of Callgate. To accept them: {configure}."
        if self._questions.answerable and self._ask(origin):
            return (
                f"Pages of {origin} need permission to use Callgate. Callgate is asking its user now: once that is "
                f"allowed, send the request again. Without asking: {configure}."
            )
        return f"Pages of {origin} have no permission to use Callgate. To give it: {configure}."

    def _ask(self, origin: str) -> bool:
        """Whether a question about it is open."""
        if origin in self._open:
            return True
        ended = self._put_away.get(origin)
        if ended is not None and self._clock() - ended < AGAIN_SECONDS:
            return False
        if len(self._open) >= MOST_OPEN or self._asked >= MOST_ASKED:
            return False
        self._asked += 1
        self._open.add(origin)
        self._tasks.start(self._put(origin), "question about a web page")
        return True

    async def _put(self, origin: str) -> None:
        try:
            answer = await self._questions.ask(OriginQuestion(origin))
        finally:
            self._open.discard(origin)
        if answer.action == "cancel" or not self._questions.answerable:
            self._put_away[origin] = self._clock()
            return
        self._known = self._known.with_answer(origin, allowed=answer.action == "accept")
        await asyncio.to_thread(self._file.write, self._known)
