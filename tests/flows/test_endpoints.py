"""Endpoints as a person deals with them: the real window over a real engine, with providers on loopback."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx
import keyring.backends.fail
import openai
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from tests.fakes.memory_keyring import MemoryKeyring, system_keyring
from tests.fakes.providers import scene
from tests.fakes.providers.keyed_chat import KeyedChatService
from tests.fakes.providers.service import serving
from tests.flows.conftest import Program

from callgate.engine.endpoints.endpoint_service import EndpointView
from callgate.ui.endpoints.edit_dialog import EndpointDialog
from callgate.ui.endpoints.page import EndpointsPage

Make = Callable[..., Program]
KEY = "sk-flow-0123456789abcdef"
NOBODY = "http://127.0.0.1:9/v1"
PATHS = ("/v1/endpoints", "/v1/upstreams", "/endpoints", "/v1/keys", "/v1/endpoints/mine", "/v1/settings")


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    ring = MemoryKeyring()
    with system_keyring(ring):
        yield ring


@pytest.fixture
def provider() -> Iterator[KeyedChatService]:
    service = KeyedChatService(KEY)
    with serving(service):
        yield service


def page_of(program: Program) -> EndpointsPage:
    program.window_app.window.show_page("endpoints")
    return program.window_app.endpoints


def view_of(program: Program, name: str) -> EndpointView | None:
    return program.runtime.console.endpoints.endpoint(name)


def composer_models(program: Program) -> list[str]:
    picker = program.window_app.conversation.composer.models
    return [str(picker.itemData(row)) for row in range(picker.count())]


def fill(dialog: EndpointDialog, address: str, *, name: str = "mine", key: str = KEY) -> None:
    dialog.form.name.setText(name)
    dialog.form.address.setText(address)
    if key:
        dialog.form.key_choice.choose("keyring")
        QTest.keyClicks(dialog.form.key, key)


def play(program: Program, work: Coroutine[Any, Any, None]) -> None:
    """To its end, and until nobody is being asked any more: what is under way can go on only while the loop runs."""

    async def all_of_it() -> None:
        program.window_app.newest.stop()
        await work
        service = program.runtime.console.endpoints
        await program.until(lambda: not any(view.checking for view in service.endpoints()))
        program.window_app.bridge.flush()

    program.play(all_of_it())


async def ask(program: Program, model: str = "gpt-4.1") -> str:
    client = openai.AsyncOpenAI(base_url=f"{program.runtime.address}/v1", api_key="of-the-client", max_retries=0)
    async with client:
        said = [{"role": "user", "content": scene.THANKS}]
        reply = await client.chat.completions.create(model=model, messages=said)  # type: ignore[arg-type]
        return reply.choices[0].message.content or ""


async def add(program: Program, address: str, **more: str) -> None:
    page = page_of(program)
    page.add_endpoint("compatible")
    fill(page.dialog, address, **more)
    await program.click("endpointSave", page.dialog)
    await program.until(lambda: not page.dialog.isVisible())


def everything_written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_provider_is_checked_added_and_answers_without_a_restart(
    provider: KeyedChatService, ring: MemoryKeyring, make_program: Make, tmp_path: Path
) -> None:
    program = make_program()

    async def go() -> None:
        before = await ask(program)
        assert before and before != scene.WELCOME  # the demo model speaks for everybody while nobody else is there
        page = page_of(program)
        await program.click("addEndpointButton", page)
        dialog = page.dialog
        assert dialog.isVisible() and not dialog.isModal()
        dialog.presets.choose("compatible")
        fill(dialog, f"{provider.address}/v1")
        await program.click("endpointTry", dialog)
        await program.until(lambda: dialog.finding.title.text() == "Reached")
        assert dialog.finding.words.text() == "It answers and has 3 models."
        assert dialog.finding.models.toPlainText().splitlines() == list(provider.models)
        assert view_of(program, "mine") is None and ring.endpoint_keys == {}, "a check keeps nothing"
        await program.click("endpointSave", dialog)
        await program.until(lambda: not dialog.isVisible())
        assert dialog.form.key.text() == ""
        await program.until(lambda: "gpt-4.1-mini" in composer_models(program))
        await program.until(lambda: page.detail.state.text() == "Reached")
        assert await ask(program) == scene.WELCOME
        assert program.window_app.window.welcome.findChild(QPushButton, "endpointsButton").text() == "Endpoints…"

    play(program, go())
    assert ring.endpoint_keys == {("callgate", "mine"): KEY}
    assert provider.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert provider.refusals == []
    program.restart()

    async def again() -> None:
        assert await ask(program) == scene.WELCOME

    play(program, again())
    kept = json.loads((tmp_path / "data" / "endpoints.json").read_text("utf-8"))
    assert [entry["name"] for entry in kept["endpoints"]] == ["mine"]
    assert KEY.encode() not in everything_written(tmp_path), "a key is in no file"


def test_a_removed_provider_answers_no_more_and_comes_back_with_its_key(
    provider: KeyedChatService, ring: MemoryKeyring, make_program: Make
) -> None:
    program = make_program()

    async def go() -> None:
        await add(program, f"{provider.address}/v1")
        page = page_of(program)
        await program.until(lambda: page.detail.name == "mine")
        QTest.keyClick(page.list, Qt.Key.Key_Delete)
        await program.until(lambda: view_of(program, "mine") is None and not ring.endpoint_keys)
        await program.until(page.undo.isVisible)
        assert await ask(program) != scene.WELCOME
        await program.click("undoButton", page.undo)
        await program.until(lambda: page.detail.state.text() == "Reached")
        assert ring.endpoint_keys == {("callgate", "mine"): KEY}
        assert await ask(program) == scene.WELCOME

    play(program, go())


def test_a_wrong_key_is_said_and_another_one_mends_it(
    provider: KeyedChatService, ring: MemoryKeyring, make_program: Make
) -> None:
    program = make_program()

    async def go() -> None:
        await add(program, f"{provider.address}/v1", key="sk-wrong-000000000000")
        page = page_of(program)
        await program.until(lambda: page.detail.state.text() == "Key refused")
        assert "Incorrect API key" in page.detail.finding.words.text()
        field = page.detail.findChild(QLineEdit, "endpointKey")
        QTest.keyClicks(field, KEY)
        await program.click("endpointKeepKey", page.detail)
        assert field.text() == ""
        await program.until(lambda: page.detail.state.text() == "Reached")
        assert await ask(program) == scene.WELCOME

    play(program, go())
    assert ring.endpoint_keys == {("callgate", "mine"): KEY}


def test_nobody_listening_is_said_and_it_can_be_added_all_the_same(ring: MemoryKeyring, make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        page = page_of(program)
        page.add_endpoint("ollama")
        page.dialog.form.address.setText(NOBODY)
        await program.click("endpointTry", page.dialog)
        await program.until(lambda: page.dialog.finding.title.text() == "Nobody listens")
        await program.click("endpointSave", page.dialog)
        await program.until(lambda: view_of(program, "ollama") is not None)
        await program.until(lambda: page.detail.state.text() == "Nobody listens")

    play(program, go())
    assert ring.endpoint_keys == {}


def test_without_a_keyring_the_key_lasts_for_this_run_and_the_person_is_told(
    provider: KeyedChatService, make_program: Make, tmp_path: Path
) -> None:
    with system_keyring(keyring.backends.fail.Keyring()):
        program = make_program()

        async def go() -> None:
            page = page_of(program)
            page.add_endpoint("compatible")
            fill(page.dialog, f"{provider.address}/v1")
            await program.until(lambda: "no keyring" in page.dialog.form.fields["typed"].hint)
            await program.click("endpointSave", page.dialog)
            await program.until(page.undo.isVisible)
            assert "until Callgate ends" in page.undo.words
            assert await ask(program) == scene.WELCOME

        play(program, go())
        program.restart()

        async def later() -> None:
            await program.until(lambda: view_of(program, "mine") is not None)
            view = view_of(program, "mine")
            assert view is not None and "no keyring" in view.problem
            with pytest.raises(openai.APIStatusError):
                await ask(program)

        asked = len(provider.asked)
        play(program, later())
        assert len(provider.asked) == asked, "the client's own key must not go out in place of the missing one"
    assert KEY.encode() not in everything_written(tmp_path)


def test_a_broken_file_is_said_kept_and_harms_no_other(
    provider: KeyedChatService, ring: MemoryKeyring, make_program: Make, tmp_path: Path
) -> None:
    ring.set_password("callgate", "good", KEY)
    good = {"name": "good", "wire": "openai-chat", "base_url": f"{provider.address}/v1", "key": "keyring"}
    strange = {"name": "strange", "wire": "smoke-signals", "base_url": NOBODY, "key": "sk-in-a-file-123456"}
    odd = {"name": "odd", "wire": "openai-chat", "base_url": NOBODY, "models": ["odd-*"], "dialect": "klingon"}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "endpoints.json").write_text(json.dumps({"endpoints": [strange, good, odd]}), "utf-8")
    program = make_program()

    async def go() -> None:
        await program.accept_changes()
        page = page_of(program)
        assert "'strange' can't be used" in page.problems.text()
        assert "sk-in-a-file" not in page.problems.text()

        def said() -> str:
            return " ".join(fault.message for fault in program.window_app.window.banner.faults)

        await program.until(lambda: "strange" in said() and "klingon" in said())
        odd_one = view_of(program, "odd")
        assert odd_one is not None and "klingon" in odd_one.problem
        assert await ask(program) == scene.WELCOME
        await add(program, NOBODY, name="more", key="")

    play(program, go())
    kept = json.loads((tmp_path / "data" / "endpoints.json").read_text("utf-8"))["endpoints"]
    assert {entry["name"] for entry in kept} == {"strange", "good", "odd", "more"}
    assert strange in kept


def test_a_file_that_is_no_json_is_moved_aside_and_said(make_program: Make, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "endpoints.json").write_text("{ half", "utf-8")
    program = make_program()

    async def go() -> None:
        assert "endpoints.json.broken-1" in page_of(program).problems.text()

    play(program, go())
    assert (tmp_path / "data" / "endpoints.json.broken-1").read_text("utf-8") == "{ half"


def test_what_the_configuration_file_says_of_endpoints_counts_at_once(
    provider: KeyedChatService, make_program: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FLOW_KEY", KEY)
    program = make_program()
    table = f'[[upstreams]]\nname = "filed"\nwire = "openai-chat"\nbase_url = "{provider.address}/v1"\n'

    async def go() -> None:
        page = page_of(program)
        (tmp_path / "callgate.toml").write_text(f'{table}key_env = "FLOW_KEY"\n', "utf-8")
        await program.until(lambda: program.runtime.changes.changes())
        await program.accept_changes()
        await program.until(lambda: view_of(program, "filed") is not None)
        await program.until(lambda: page.detail.state.text() == "Reached")
        assert await ask(program) == scene.WELCOME
        assert not page.detail.edit.isVisible() and not page.detail.remove.isVisible()
        assert program.window_app.window.banner.faults == []
        (tmp_path / "callgate.toml").write_text(f'{table}key_env = "NOT_SET_ANYWHERE"\n', "utf-8")
        await program.until(lambda: program.runtime.changes.changes())
        await program.accept_changes()
        await program.until(lambda: (view := view_of(program, "filed")) is not None and bool(view.problem))
        await program.until(
            lambda: [fault.where for fault in program.window_app.window.banner.faults] == ["key of filed"]
        )
        program.window_app.window.leave_page()
        await program.click("mendFault", program.window_app.window.banner)
        assert page.isVisible() and page.detail.name == "filed"
        (tmp_path / "callgate.toml").write_text("[gate]\ndeadline_seconds = 300\n", "utf-8")
        await program.until(lambda: view_of(program, "filed") is None)
        assert await ask(program) != scene.WELCOME

    play(program, go())


def test_the_page_is_reached_from_the_welcome_page_and_by_its_keys(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        window, page = program.window_app.window, program.window_app.endpoints
        await program.click("endpointsButton", window.welcome)
        assert page.isVisible() and page.dialog.isVisible()
        QTest.keyClick(page.dialog, Qt.Key.Key_Escape)
        assert not page.dialog.isVisible()
        QTest.keyClick(page.list, Qt.Key.Key_Escape)
        assert not page.isVisible()
        window.activateWindow()
        await program.until(window.isActiveWindow)
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(window, Qt.Key.Key_N, both)
        assert page.isVisible()

    play(program, go())


def test_what_is_copied_can_be_pasted_into_the_configuration_file(ring: MemoryKeyring, make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        await add(program, NOBODY)
        page = page_of(program)
        await program.click("endpointCopy", page.detail)
        pasted = QGuiApplication.clipboard().text()
        assert "[[upstreams]]" in pasted and 'key = "keyring"' in pasted and KEY not in pasted

    play(program, go())


def test_the_agents_port_can_neither_see_nor_change_endpoints(
    provider: KeyedChatService, ring: MemoryKeyring, make_program: Make, tmp_path: Path
) -> None:
    program = make_program()

    async def go() -> None:
        await add(program, f"{provider.address}/v1")
        file = tmp_path / "data" / "endpoints.json"
        before, kept = file.read_bytes(), dict(ring.kept)
        views = program.runtime.console.endpoints.endpoints()
        await program.until(lambda: not any(view.checking for view in program.runtime.console.endpoints.endpoints()))
        body = {"name": "evil", "wire": "openai-chat", "base_url": NOBODY, "key": "sk-evil-1234567890"}
        async with httpx.AsyncClient(base_url=program.runtime.address) as client:
            for path in (
                "/v1/endpoints",
                "/v1/upstreams",
                "/endpoints",
                "/v1/keys",
                "/v1/endpoints/mine",
                "/v1/settings",
            ):
                for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
                    answer = await client.request(method, path, json=body)
                    assert KEY not in answer.text
        assert (file.read_bytes(), ring.kept) == (before, kept)
        names = [view.name for view in program.runtime.console.endpoints.endpoints()]
        assert names == [view.name for view in views]

    play(program, go())


def test_a_check_that_takes_long_can_be_stopped(make_program: Make) -> None:
    program = make_program()

    async def go() -> None:
        left = asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()  # until the other side hangs up
            left.set()
            writer.close()

        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        page = page_of(program)
        page.add_endpoint("vllm")
        dialog = page.dialog
        dialog.form.address.setText(f"http://127.0.0.1:{port}/v1")
        await program.click("endpointTry", dialog)
        await program.until(lambda: dialog.finding.is_running)
        assert dialog.cancel.text() == "Stop" and not dialog.save.isEnabled()
        await asyncio.sleep(0)
        await program.click("endpointCancel", dialog)
        await program.until(lambda: dialog.finding.words.text() == "The check was stopped.")
        await program.until(dialog.save.isEnabled)
        assert dialog.isVisible()
        await left.wait()
        server.close()

    play(program, go())
