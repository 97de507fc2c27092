"""Qt and asyncio on one loop: started, watched and ended in order.

What qasync leaves out is added here: cleanup of abandoned async generators, Ctrl+C while Qt sits in its own C++ loop,
and errors that nobody caught, which must be seen rather than lost.
"""

import asyncio
import contextlib
import linecache
import logging
import os
import signal
import socket
import sys
import threading
import traceback
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable
from types import TracebackType
from typing import Any, Protocol

os.environ["QT_API"] = "pyside6"  # qasync would prefer another binding if one is installed

import qasync
from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QApplication

from callgate.ui.shell.collector import MainThreadCollector

log = logging.getLogger(__name__)

Report = Callable[[str, str, str], None]
"""Where, what, details: shows an error that no exchange owns."""


class Application(QApplication):
    quit_requested = Signal()
    """The desktop wants the program to quit, as from the menu of a dock or at the end of a session."""

    def event(self, event: QEvent) -> bool:
        """Qt would end the loop under everything that still runs on it."""
        if event.type() == QEvent.Type.Quit:
            event.ignore()
            self.quit_requested.emit()
            return True
        return super().event(event)


def make_application(argv: list[str]) -> Application:
    """The one QApplication; it ends when we say so, not when some dialog closes."""
    # PySide reads the source of every module that is imported after it, and linecache keeps all of it: 10 MB and more
    linecache.clearcache()
    app = Application(argv)
    app.setApplicationName("Callgate")
    app.setOrganizationName("Callgate")
    app.setDesktopFileName("callgate")
    app.setQuitOnLastWindowClosed(False)
    return app


def run(app: QApplication, main: Callable[["LoopEnds"], Awaitable[int]]) -> int:
    """Runs `main` to its end on a loop that Qt and asyncio share; its result is the exit code."""
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    generators = GeneratorHooks(loop)
    ends = LoopEnds(loop)
    collector = MainThreadCollector()
    generators.install()
    ends.install()
    try:
        return loop.run_until_complete(main(ends))
    finally:
        loop.run_until_complete(generators.close())
        ends.remove()
        generators.remove()
        asyncio.set_event_loop(None)
        loop.close()  # its worker threads have ended here
        collector.close()


class SessionManager(Protocol):
    """What is needed of Qt's own `QSessionManager`, which only Qt can make."""

    def allowsInteraction(self) -> bool: ...

    def cancel(self) -> None: ...

    def release(self) -> None: ...


class SessionEnd(QObject):
    """Log-out and power: holds the session's end up while the person is asked, where the desktop allows that."""

    def __init__(
        self,
        app: QApplication,
        may_leave: Callable[[], bool],
        leave: Callable[[], None],
        save: Callable[[], None],
    ) -> None:
        """`may_leave`: whether nothing would be lost; if not, it has begun to ask the person."""
        super().__init__(app)
        self._may_leave, self._leave, self._save = may_leave, leave, save
        app.commitDataRequest.connect(self.commit)
        app.saveStateRequest.connect(lambda _manager: self._save())

    def commit(self, manager: SessionManager) -> None:
        """The last word before the session ends. Nothing here may block: the loop serves clients meanwhile."""
        self._save()
        if not manager.allowsInteraction():
            self._leave()
            return
        if not self._may_leave():
            manager.cancel()
        manager.release()


class GeneratorHooks:
    """Closes async generators that were left half-read; asyncio's own loops do this, qasync's does not."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._alive: weakref.WeakSet[AsyncGenerator[Any, Any]] = weakref.WeakSet()
        self._closing: set[asyncio.Task[None]] = set()
        self._before: Any = None

    def install(self) -> None:
        self._before = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._alive.add, finalizer=self._finalize)

    def remove(self) -> None:
        sys.set_asyncgen_hooks(*self._before)

    async def close(self) -> None:
        """Closes those that are still open; what they raise is logged."""
        for generator in tuple(self._alive):
            try:
                await generator.aclose()
            except Exception:  # the program is ending: one bad generator must not keep the others open
                log.exception("closing %r failed", generator)

    def _finalize(self, generator: AsyncGenerator[Any, Any]) -> None:
        self._alive.discard(generator)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._start_closing, generator)

    def _start_closing(self, generator: AsyncGenerator[Any, Any]) -> None:
        task = self._loop.create_task(generator.aclose(), name="close a generator")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


class LoopEnds:
    """The loop's loose ends: Ctrl+C and SIGTERM, and errors that nobody caught."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._report: Report | None = None
        self._stop: Callable[[], None] | None = None
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier: QSocketNotifier | None = None
        self._before: dict[int, Any] = {}
        self._hooks = (sys.excepthook, threading.excepthook)

    def on_error(self, report: Report) -> None:
        self._report = report

    def on_signal(self, stop: Callable[[], None]) -> None:
        self._stop = stop

    def install(self) -> None:
        self._loop.set_exception_handler(self._from_loop)
        sys.excepthook = self._from_python
        threading.excepthook = self._from_thread
        if threading.current_thread() is threading.main_thread():
            # a byte per signal wakes Qt's own loop, so that Python gets to run the handler
            signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
            self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
            self._notifier.activated.connect(self._drain)
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._signalled)

    def remove(self) -> None:
        sys.excepthook, threading.excepthook = self._hooks
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            signal.set_wakeup_fd(-1)
            for number, handler in self._before.items():
                signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reader.recv(4096)

    def _signalled(self, number: int, frame: object) -> None:
        if self._stop is None:
            raise KeyboardInterrupt
        self._stop()

    def _from_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        detail = "".join(traceback.format_exception(error)) if error else str(context)
        self._tell("loop", str(error or context.get("message", "unknown error")), detail)

    def _from_python(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._signalled(signal.SIGINT, None)
            return
        self._tell("window", str(error) or kind.__name__, "".join(traceback.format_exception(kind, error, trace)))

    def _from_thread(self, args: threading.ExceptHookArgs) -> None:
        detail = "".join(traceback.format_exception(args.exc_type, args.exc_value, args.exc_traceback))
        self._loop.call_soon_threadsafe(self._tell, "thread", str(args.exc_value), detail)

    def _tell(self, where: str, message: str, detail: str) -> None:
        log.error("uncaught error in %s: %s\n%s", where, message, detail)
        if self._report is not None:
            self._report(where, message, detail)
