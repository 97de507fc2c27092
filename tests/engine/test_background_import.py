import asyncio
import sys
import threading
from pathlib import Path

import pytest
from tests.fakes.on_loop import on_loop

from callgate.engine.background_import import load_aside


@pytest.fixture
def slow_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module that is loaded only once the loop has gone on: on the loop it would never be."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "went_on", None, raising=False)
    (tmp_path / "slow_to_load.py").write_text("import sys\nWENT_ON = sys.went_on.wait(5)\n", "utf-8")
    monkeypatch.delitem(sys.modules, "slow_to_load", raising=False)
    return "slow_to_load"


@on_loop
async def test_the_loop_goes_on_while_a_module_is_loaded(slow_module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gone_on = threading.Event()
    monkeypatch.setattr(sys, "went_on", gone_on)
    asyncio.get_running_loop().call_later(0, gone_on.set)
    loaded = await load_aside(slow_module)
    assert loaded.WENT_ON is True


@on_loop
async def test_a_module_that_cannot_be_loaded_is_heard_of() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        await load_aside("no_such_module")
