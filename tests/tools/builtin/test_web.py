import asyncio
import ipaddress
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from callgate.tools.builtin import web as web_module
from callgate.tools.builtin.source import ToolProblem
from callgate.tools.builtin.web import WebReader, web_tools
from callgate.tools.source import CallContext

CONTEXT = CallContext("call_1", "conv_1", lambda text, done, total: None)
LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
SEEN: list[dict[str, str]] = []
RELEASED = threading.Event()


class Site(BaseHTTPRequestHandler):
    """A small site with everything that can go wrong."""

    protocol_version = "HTTP/1.1"
    port = 0

    def do_GET(self) -> None:
        SEEN.append(dict(self.headers))
        target = {
            "/moved": "/page",
            "/away": f"http://localhost.localdomain.invalid:{self.port}/",
            "/inside": "http://10.0.0.1/admin",
            "/file": "file:///etc/passwd",
            "/circle": "/circle",
        }.get(self.path)
        if target is not None:
            self._answer(302, "text/plain", b"", {"Location": target})
        elif self.path == "/page":
            self._answer(200, "text/html; charset=latin-1", "<p>grüß</p><script>no</script>".encode("latin-1"))
        elif self.path == "/data":
            self._answer(200, "application/problem+json", b'{"a": 1}')
        elif self.path == "/image":
            self._answer(200, "image/png", b"\x89PNG")
        elif self.path == "/odd":
            self._answer(200, "text/plain; charset=no-such-thing", "grüß".encode())
        elif self.path == "/endless":
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
        elif self.path == "/silent":
            RELEASED.wait(5)
            self.close_connection = True
        else:
            self._answer(404, "text/plain", b"not here")

    def _answer(self, status: int, media_type: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": media_type, "Content-Length": str(len(body)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    SEEN.clear()
    RELEASED.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    Site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{Site.port}"
    finally:
        RELEASED.set()
        server.shutdown()
        thread.join(5)
        server.server_close()


def fetch(url: str, allowed: bool = True) -> str:
    return asyncio.run(WebReader((LOOPBACK,) if allowed else ()).fetch_url({"url": url}, CONTEXT))


def test_fetching_is_not_offered_until_it_is_switched_on() -> None:
    assert web_tools(None) == ()
    (entry,) = web_tools(WebReader())
    assert entry.tool.name == "fetch_url"
    assert entry.tool.annotations.open_world is True and entry.tool.annotations.read_only is True


def test_html_arrives_as_text(site: str) -> None:
    assert fetch(f"{site}/page") == f"[200 OK {site}/page text/html]\ngrüß"


def test_other_text_arrives_as_it_is(site: str) -> None:
    assert fetch(f"{site}/data").endswith('\n{"a": 1}')
    assert fetch(f"{site}/odd").endswith("\ngrüß")
    assert fetch(f"{site}/nothing") == f"[404 Not Found {site}/nothing text/plain]\nnot here"


def test_what_is_no_text_is_refused(site: str) -> None:
    with pytest.raises(ToolProblem, match="is image/png; only text"):
        fetch(f"{site}/image")


def test_this_machine_is_not_reached_without_an_allowance(site: str) -> None:
    with pytest.raises(ToolProblem, match=r"local address 127\.0\.0\.1"):
        fetch(f"{site}/page", allowed=False)
    assert SEEN == []


def test_a_redirect_is_followed_and_its_target_named(site: str) -> None:
    assert fetch(f"{site}/moved").startswith(f"[200 OK {site}/page ")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/file", "only http and https"),
        ("/circle", "redirected more than 5 times"),
    ],
)
def test_every_step_of_a_redirect_is_checked(site: str, path: str, says: str) -> None:
    with pytest.raises(ToolProblem, match=says):
        fetch(f"{site}{path}")


@pytest.mark.parametrize("path", ["/inside", "/away"])
def test_a_redirect_to_another_host_is_told_and_not_followed(site: str, path: str) -> None:
    told = fetch(f"{site}{path}")
    assert "which is another host. Nothing was fetched from there" in told
    assert len(SEEN) == 1


@pytest.mark.parametrize(
    ("here", "there", "stays"),
    [
        ("https://a.example/x", "https://a.example/y?z", True),
        ("http://a.example/x", "https://a.example/x", True),
        ("https://a.example/x", "http://a.example/x", False),
        ("https://a.example/", "https://b.example/", False),
        ("https://a.example/", "https://evil.a.example/", False),
        ("https://a.example/", "https://a.example:8443/", False),
        ("http://a.example:8080/", "https://a.example/", False),
        ("https://A.example/", "https://a.EXAMPLE/y", True),
    ],
)
def test_only_the_same_host_or_its_safer_self_is_the_same_place(here: str, there: str, stays: bool) -> None:
    assert web_module._stays(httpx.URL(here), httpx.URL(there)) is stays


def test_nothing_of_the_person_goes_along(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    fetch(f"{site}/moved")
    assert len(SEEN) == 2
    for headers in SEEN:
        assert headers["Host"] == site.removeprefix("http://")
        assert not {"Cookie", "Authorization", "Referer"} & headers.keys()


def test_an_endless_page_is_cut(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_module, "MOST_BYTES", 500_000)
    text = fetch(f"{site}/endless")
    assert text.endswith("x\n[cut]") and len(text) < web_module.MOST_TEXT + 200


def test_a_page_that_never_comes_is_given_up(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_module, "FETCH_SECONDS", 0.2)
    with pytest.raises(ToolProblem, match=r"did not come|could not be fetched"):
        fetch(f"{site}/silent")


def test_a_server_that_is_not_there_is_told(site: str) -> None:
    with pytest.raises(ToolProblem, match="could not be fetched"):
        fetch("http://127.0.0.1:1/")
