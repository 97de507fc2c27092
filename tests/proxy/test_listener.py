"""More connections than there is room for: a real program with few files, flooded over real sockets."""

import os
import resource
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.fakes.raw_http import status_of

from callgate.core.config.settings import ServerSettings
from callgate.proxy.connection_limits import MOST_CONNECTIONS, ConnectionLimits, connections_within, limits_of
from callgate.proxy.listener import RETRY_AFTER_SECONDS, Overload

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
FILES = 1024
FLOOD = 1200
OPENS = """
import socket, sys
opened = [socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) for _ in range(int(sys.argv[2]))]
for one in opened:
    one.sendall(sys.argv[3].encode())
print("opened", flush=True)
sys.stdin.read()
"""
ASKS = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) as one:
    one.sendall(b"GET /healthz HTTP/1.1\\r\\nhost: localhost\\r\\nconnection: close\\r\\n\\r\\n")
    sys.stdout.buffer.write(one.recv(4096))
"""
HALF = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-a: "


@dataclass
class Served:
    pid: int
    address: tuple[str, int]
    errors: Path

    def memory_kilobytes(self) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text("utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def files(self) -> int:
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())

    def is_well(self) -> bool:
        """Whether a new connection is served."""
        try:
            with httpx.Client(trust_env=False, timeout=10) as client:
                return client.get(f"http://{self.address[0]}:{self.address[1]}/healthz").status_code == 200
        except httpx.HTTPError:
            return False


@contextmanager
def served(folder: Path, config: str, files: int = FILES) -> Iterator[Served]:
    (folder / "callgate.toml").write_text(config, "utf-8")
    options = ["--port", "0", "--data", str(folder / "data"), "--workspace", str(folder), "--trust-config"]
    command = [sys.executable, "-m", "callgate", "serve", "--config", str(folder / "callgate.toml"), *options]
    limited = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
    with (folder / "errors").open("w", encoding="utf-8") as errors:
        program = subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert program.stdout is not None
    try:
        line = program.stdout.readline()
        host, _, port = line.strip().rpartition("http://")[2].rpartition(":")
        yield Served(program.pid, (host, int(port)), folder / "errors")
    finally:
        program.terminate()
        program.wait(20)
        program.stdout.close()


@pytest.fixture(autouse=True)
def enough_files_here() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(hard, 4096)
    if wanted < FLOOD + 200:
        pytest.skip(f"this system allows only {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def flood(served: Served, stack: ExitStack, data: bytes, count: int = FLOOD) -> list[socket.socket]:
    opened = []
    for _ in range(count):
        connection = stack.enter_context(socket.create_connection(served.address, timeout=10))
        with suppress(BrokenPipeError, ConnectionResetError):  # refused already
            connection.sendall(data)
        connection.setblocking(False)
        opened.append(connection)
    return opened


@contextmanager
def another_program(served: Served, count: int) -> Iterator[None]:
    """It keeps so many half-open connections."""
    command = [sys.executable, "-c", OPENS, str(served.address[1]), str(count), HALF.decode()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"opened\n"
        yield


def answers(connections: list[socket.socket], seen: dict[socket.socket, bytes]) -> Counter[str]:
    """What each has got so far: a status, "closed", or "open"."""
    count: Counter[str] = Counter()
    for connection in connections:
        try:
            while chunk := connection.recv(65536):
                seen[connection] = seen.get(connection, b"") + chunk
            ended = True
        except BlockingIOError:
            ended = False
        except ConnectionResetError:
            ended = True
        status = status_of(seen.get(connection, b""))
        count[str(status) if status else "closed" if ended else "open"] += 1
    return count


def until(there: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "what was waited for never happened"
        time.sleep(0.05)


def test_a_flood_beyond_the_limit_of_files_is_refused_and_passes(tmp_path: Path) -> None:
    room = connections_within(FILES)
    with served(tmp_path, "[server]\nheader_timeout_seconds = 3\n") as program, ExitStack() as stack:
        assert program.is_well()
        memory, busy, files = program.memory_kilobytes(), program.processor_seconds(), program.files()
        connections, seen = flood(program, stack, HALF), dict[socket.socket, bytes]()
        until(lambda: answers(connections, seen)["503"] >= FLOOD - room - 5)
        refused = next(said for said in seen.values() if status_of(said) == 503)
        assert f"retry-after: {RETRY_AFTER_SECONDS}".encode() in refused and b"connection: close" in refused
        assert program.files() < FILES - 300, "files are left for providers, tools and the journal"
        until(lambda: not answers(connections, seen)["open"])
        assert answers(connections, seen)["408"] >= room // 2 - 10, "half-open ones are closed in time"
        until(program.is_well)
        assert program.memory_kilobytes() - memory < 20_000
        assert program.processor_seconds() - busy < 3
        for connection in connections:
            connection.close()
        until(lambda: program.files() <= files + 2)
        until(lambda: "There is room for connections again" in program.errors.read_text("utf-8"))
        lines = program.errors.read_text("utf-8").splitlines()
        assert len(lines) == 2 and "Too many connections" in lines[0], lines


def test_connections_without_a_request_make_room_for_new_ones(tmp_path: Path) -> None:
    config = "[server]\nmax_connections = 40\nheader_timeout_seconds = 60\nkeep_alive_seconds = 60\n"
    with served(tmp_path, config) as program, another_program(program, 20), ExitStack() as stack:
        idle = flood(program, stack, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", 19)
        seen: dict[socket.socket, bytes] = {}
        until(lambda: answers(idle, seen)["200"] == 19)
        with another_program(program, 1):
            until(program.is_well)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which process a connection belongs to")
def test_one_program_cannot_take_all_connections_of_this_machine(tmp_path: Path) -> None:
    config = "[server]\nmax_connections = 40\nheader_timeout_seconds = 60\nkeep_alive_seconds = 60\n"
    with served(tmp_path, config) as program, ExitStack() as stack:
        half, seen = flood(program, stack, HALF, 100), dict[socket.socket, bytes]()
        until(lambda: answers(half, seen)["503"] == 80)
        assert answers(half, seen)["open"] == 20
        with another_program(program, 19):
            another = subprocess.run(
                [sys.executable, "-c", ASKS, str(program.address[1])], capture_output=True, timeout=20, check=False
            )
            assert another.stdout.startswith(b"HTTP/1.1 200 ")
        assert answers(half, seen)["open"] == 20, "and none of its own had to go for that"


def test_files_that_run_out_elsewhere_neither_stall_nor_flood_the_log(tmp_path: Path) -> None:
    """The limit allows more connections than there are files, as when another part has taken them."""
    config = "[server]\nmax_connections = 90\nheader_timeout_seconds = 2\n"
    with served(tmp_path, config, files=64) as program, ExitStack() as stack:
        busy = program.processor_seconds()
        connections, seen = flood(program, stack, HALF, 300), dict[socket.socket, bytes]()
        until(lambda: answers(connections, seen)["503"] > 0)
        until(lambda: not answers(connections, seen)["open"])
        assert program.processor_seconds() - busy < 3
        for connection in connections:
            connection.close()
        until(program.is_well)
        assert len(program.errors.read_text("utf-8").splitlines()) < 10


def test_an_overload_is_reported_once_and_its_end_once() -> None:
    reported: list[str] = []
    overload = Overload(reported.append)
    for second in range(100):
        overload.count += 10
        overload.look(float(second), 384)
    overload.look(103.0, 384)
    assert len(reported) == 1 and "384 are open, 10 more were refused" in reported[0]
    overload.look(110.0, 3)
    overload.look(200.0, 3)
    assert reported[1:] == ["There is room for connections again; 1,000 were refused."]
    overload.count += 1
    overload.look(201.0, 384)
    assert len(reported) == 3


@pytest.mark.parametrize(
    ("files", "connections"), [(64, 16), (256, 64), (1024, 384), (4096, 1536), (16_384, MOST_CONNECTIONS)]
)
def test_connections_leave_files_for_everything_else(files: int, connections: int) -> None:
    assert connections_within(files) == connections


def test_what_is_configured_counts_as_far_as_files_allow() -> None:
    assert limits_of(ServerSettings(max_connections=20)).connections == 20
    assert limits_of(ServerSettings(max_connections=100_000)).connections <= 2 * MOST_CONNECTIONS
    assert limits_of(ServerSettings(max_header_kilobytes=1)).header_bytes == 1024
    assert ConnectionLimits(400).of_one_address == 100
