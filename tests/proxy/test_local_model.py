"""A real local model server behind Callgate: it repeats ids and names with every piece, and says each call twice.

Only where it is installed: `pip install 'llama-cpp-python[server]' gguf`. The model is made here, with random weights:
a grammar makes it write a call.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anthropic
import httpx
import openai
import pytest
from google import genai
from google.genai import types
from tests.fakes.running import RunningStation, running

from callgate.runtime.runtime import Launch

pytestmark = pytest.mark.skipif(find_spec("llama_cpp") is None, reason="llama-cpp-python is not installed")

STARTS_WITHIN_SECONDS = 40.0
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"enum": ["Paris"]}}, "required": ["city"]}
TOOL = "get_weather"
CHOSEN = {"type": "function", "function": {"name": TOOL}}
"""The server knows no `required`. What comes in its own wire goes there as it is; other wires are translated."""
ASKED = "What is the weather in Paris?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    models = pytest.importorskip("tests.fakes.tiny_gguf")
    model = models.write_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", "2048", "--chat_format", "chatml-function-calling"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/v1"
    try:
        _wait(process, address)
        yield address
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def runtime(server: str, tmp_path: Path) -> Iterator[RunningStation]:
    config = tmp_path / "callgate.toml"
    config.write_text(
        "[gate]\nclient_tools = 'observe'\n[[upstreams]]\nname = 'local'\nwire = 'openai-chat'\n"
        f"dialect = 'llama-cpp-python'\nbase_url = '{server}'\n"
    )
    with running(Launch(config, 0, tmp_path, tmp_path / "data", windowed=False)) as opened:
        yield opened


def test_a_chat_client_sees_each_name_and_id_once_and_no_legacy_call(runtime: RunningStation) -> None:
    body = {
        "model": "tiny",
        "max_tokens": 200,
        "messages": [{"role": "user", "content": ASKED}],
        "tools": [{"type": "function", "function": {"name": TOOL, "parameters": SCHEMA}}],
        "tool_choice": CHOSEN,
        "stream": True,
    }
    answer = httpx.post(f"{runtime.address}/v1/chat/completions", json=body, timeout=30)
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    choices = [choice for line in lines for choice in json.loads(line)["choices"]]
    assert not [choice for choice in choices if choice["delta"].get("function_call")]
    pieces = [piece for choice in choices for piece in choice["delta"].get("tool_calls") or ()]
    assert len([piece for piece in pieces if piece.get("id")]) == 1
    assert len([piece for piece in pieces if piece["function"].get("name")]) == 1
    assert json.loads("".join(piece["function"].get("arguments") or "" for piece in pieces)) == {"city": "Paris"}
    assert [choice["finish_reason"] for choice in choices if choice["finish_reason"]] == ["tool_calls"]


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("wire", ["chat", "responses", "anthropic", "gemini"])
def test_every_official_package_hears_one_clean_call(runtime: RunningStation, wire: str, stream: bool) -> None:
    calls = {"chat": _chat, "responses": _responses, "anthropic": _anthropic, "gemini": _gemini}[wire](
        runtime.address, stream
    )
    assert [(name, arguments) for _, name, arguments in calls] == [(TOOL, {"city": "Paris"})]
    assert all(call_id for call_id, _, _ in calls)


Calls = list[tuple[str, str, Any]]


def _chat(address: str, stream: bool) -> Calls:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="k") as client:
        options: dict[str, Any] = {
            "model": "tiny",
            "max_tokens": 200,
            "messages": [{"role": "user", "content": ASKED}],
            "tools": [{"type": "function", "function": {"name": TOOL, "parameters": SCHEMA}}],
            "tool_choice": CHOSEN,
        }
        if stream:
            with client.chat.completions.stream(**options) as events:
                message = events.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(**options).choices[0].message
        assert message.function_call is None
        found = message.tool_calls or []
        return [(call.id, call.function.name, json.loads(call.function.arguments)) for call in found]  # type: ignore


def _responses(address: str, stream: bool) -> Calls:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="k") as client:
        options: dict[str, Any] = {
            "model": "tiny",
            "max_output_tokens": 200,
            "input": ASKED,
            "tools": [{"type": "function", "name": TOOL, "parameters": SCHEMA, "strict": False}],
            "tool_choice": "required",
        }
        if stream:
            with client.responses.stream(**options) as events:
                response = events.get_final_response()
        else:
            response = client.responses.create(**options)
        found = [item for item in response.output if item.type == "function_call"]
        return [(item.call_id, item.name, json.loads(item.arguments)) for item in found]


def _anthropic(address: str, stream: bool) -> Calls:
    with anthropic.Anthropic(base_url=address, api_key="k") as client:
        options: dict[str, Any] = {
            "model": "tiny",
            "max_tokens": 200,
            "messages": [{"role": "user", "content": ASKED}],
            "tools": [{"name": TOOL, "input_schema": SCHEMA}],
            "tool_choice": {"type": "any"},
        }
        if stream:
            with client.messages.stream(**options) as events:
                message = events.get_final_message()
        else:
            message = client.messages.create(**options)
        return [(block.id, block.name, block.input) for block in message.content if block.type == "tool_use"]


def _gemini(address: str, stream: bool) -> Calls:
    client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=address))
    declared = types.FunctionDeclaration(name=TOOL, parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        tool_config=types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode="ANY")),
        max_output_tokens=200,
    )
    try:
        if stream:
            answers = list(client.models.generate_content_stream(model="tiny", contents=ASKED, config=config))
        else:
            answers = [client.models.generate_content(model="tiny", contents=ASKED, config=config)]
        found = [call for answer in answers for call in answer.function_calls or ()]
        return [(call.id or "none", call.name or "", call.args) for call in found]
    finally:
        client.close()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + STARTS_WITHIN_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, "the model server has ended"
        try:
            if httpx.get(f"{address}/models", timeout=1).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)  # a process that has only just been started: there is nothing else to wait for
    raise AssertionError("the model server does not answer")
