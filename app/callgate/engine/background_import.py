"""Loads a module on the side, while the loop goes on: the MCP SDK takes the better part of a second."""

import asyncio
import contextlib
import importlib
import threading
from types import ModuleType


async def load_aside(name: str) -> ModuleType:
    """Loads it in a thread that nobody waits for at the end: a program that is told to leave meanwhile leaves."""
    loop, loaded = asyncio.get_running_loop(), asyncio.Event()

    def load() -> None:
        try:
            with contextlib.suppress(ImportError):  # it is raised again, and heard, where the module is asked for below
                importlib.import_module(name)
        finally:
            with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
                loop.call_soon_threadsafe(loaded.set)

    threading.Thread(target=load, name=f"loading {name}", daemon=True).start()
    await loaded.wait()
    return importlib.import_module(name)
