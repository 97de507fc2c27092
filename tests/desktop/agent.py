"""An agent that is kept waiting: asks over HTTP, on a socket of its own, and knows what came of it.

The model behind it is played too: it makes the calls that the agent names, and keeps the results it is given. So what a
decision did is seen from outside the program, by those it is about.
"""

import http.client
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECONDS = 2 * float(os.environ.get("CALLGATE_DESKTOP_SECONDS", "20"))


class Model(ThreadingHTTPServer):
    """An OpenAI Chat service: answers a question with the calls written in it, and results with "done"."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.results: dict[str, str] = {}
        """What the model was given as the results of calls, by call id."""
        self._thread = threading.Thread(target=self.serve_forever, name="model", daemon=True)
        self._thread.start()

    @property
    def config(self) -> str:
        address = f"http://127.0.0.1:{self.server_address[1]}"
        return f'[[upstreams]]\nname = "played"\nwire = "openai-chat"\nbase_url = "{address}/v1"\nmodels = ["*"]\n'

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    server: Model
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        last = asked["messages"][-1]
        results = [message for message in asked["messages"] if message["role"] == "tool"]
        self.server.results.update({result["tool_call_id"]: result["content"] for result in results})
        if last["role"] == "tool":
            self._answer({"role": "assistant", "content": "done"}, "stop")
        else:
            calls = json.loads(last["content"])
            self._answer({"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls")

    def _answer(self, message: dict[str, Any], finish: str) -> None:
        choice = {"index": 0, "message": message, "finish_reason": finish}
        reply = {"id": "c1", "object": "chat.completion", "created": 1763300000, "model": "m", "choices": [choice]}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


class Asked:
    """One question that makes one call, or several in one turn."""

    def __init__(self, address: str, model: Model, calls: list[dict[str, Any]], agent: str) -> None:
        self._model, self._ids = model, [call["id"] for call in calls]
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10 * SECONDS)
        self._connection.connect()
        self._done = threading.Event()
        self.status, self.body = 0, b""
        question = {"role": "user", "content": json.dumps(calls)}
        body = {"model": "m", "messages": [question], "use_tools": True, "tool_execution": "auto"}
        self._thread = threading.Thread(target=self._ask, args=(body, agent), name="agent", daemon=True)
        self._thread.start()

    @property
    def waits(self) -> bool:
        return not self._done.is_set()

    def ended(self) -> "Asked":
        """Returns when the program has answered."""
        assert self._done.wait(SECONDS), "the agent still waits for its answer"
        return self

    @property
    def result(self) -> str:
        """What the model was given as the result of the call."""
        return self.results[0]

    @property
    def results(self) -> list[str]:
        self.ended()
        assert self.status == 200, (self.status, self.body)
        return [self._model.results[call_id] for call_id in self._ids]

    def hang_up(self) -> None:
        if self.waits and self._connection.sock is not None:
            self._connection.sock.shutdown(2)
        self._thread.join(10)
        self._connection.close()

    def _ask(self, body: dict[str, Any], agent: str) -> None:
        headers = {"content-type": "application/json", "authorization": "Bearer k", "x-callgate-agent": agent}
        try:
            self._connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
            response = self._connection.getresponse()
            self.status, self.body = response.status, response.read()
        except (OSError, http.client.HTTPException, AttributeError):
            pass  # hung up by the test, or the program ended: `status` stays 0
        finally:
            self._done.set()
