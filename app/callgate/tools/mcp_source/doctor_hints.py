"""What a person can do about a server that does not work. Words only: nothing is tried here."""

import re
import socket
from collections.abc import Sequence

_INSTALL = {
    "npx": "npx comes with Node.js: install that, then try again.",
    "node": "Install Node.js, then try again.",
    "bunx": "bunx comes with Bun: install that, then try again.",
    "deno": "Install Deno, then try again.",
    "uvx": "uvx comes with uv: install that, then try again.",
    "uv": "Install uv, then try again.",
    "pipx": "Install pipx, then try again.",
    "docker": "Install Docker and start it, then try again.",
    "podman": "Install Podman, then try again.",
    "python": "Many systems have only python3: try that name.",
}
_MODULE = re.compile(r"No module named '?([\w.-]+)|Cannot find module '?([^'\n]+)|MODULE_NOT_FOUND")
_USAGE = re.compile(r"usage:|unrecognized arguments|required: |missing required|unknown option", re.IGNORECASE)
_KEYLESS = re.compile(r"(api[ _-]?key|token|credential|secret|password|environment variable)", re.IGNORECASE)
_NOT_MCP = "[stdout, not MCP]"
_STATUS = {
    401: "It wants a login. Give a token in its headers, or add it all the same: Callgate then asks you to log in.",
    403: "The token or login that was sent has no access to it.",
    404: "The path is often /mcp or /sse: compare the address with the server's instructions.",
    405: "The address answers, but not as MCP. The path is often /mcp or /sse.",
    429: "It has had too many requests from here: wait a little.",
}


def program_hint(program: str, *, there: bool, path: str) -> str:
    if there:
        return f"Make it executable: chmod +x {program}"
    name = program.replace("\\", "/").rpartition("/")[2]
    if name in _INSTALL:
        return _INSTALL[name]
    if name != program:
        return "Check the path."
    folders = len([folder for folder in path.split(":") if folder])
    return f"Install it, or give its full path. Callgate has looked in the {folders} folders of the PATH."


def address_hint(host: str, port: int, error: BaseException) -> tuple[str, str]:
    """What happened, and what to do."""
    match error:
        case TimeoutError():
            return f"{host}, port {port}, does not answer.", "A firewall may be in between, or the machine is off."
        case socket.gaierror():
            return f"The name {host} is not known.", "Check its spelling and the network."
        case ConnectionRefusedError():
            return f"Nothing listens at {host}, port {port}.", "Is the server started, and is the port right?"
        case _:
            return f"{host}, port {port}, can't be reached: {error}", "Check the address and the network."


def exit_hint(code: int | None, last_words: str) -> str:
    """A program that ended before it spoke MCP."""
    if _MODULE.search(last_words):
        return "Something that it needs is not installed: see its own words below."
    if _USAGE.search(last_words):
        return "Its arguments are not what it expects: see its own words below."
    if _KEYLESS.search(last_words):
        return "It seems to lack a key or a setting: give it in env."
    if code == 0:
        return "It ended by itself without a word of MCP: is this its command for stdio?"
    return "Its own words are below; the same command in a terminal may say more."


def status_hint(status: int) -> str:
    if status >= 500:
        return "The server itself has a problem: its own log says more."
    return _STATUS.get(status, "Compare the address and the headers with the server's instructions.")


def handshake_noise(stderr: Sequence[str]) -> str:
    """About a server that writes other things where only messages may stand; empty = it does not."""
    if any(line.startswith(_NOT_MCP) for line in stderr):
        return "It writes other things than MCP to its standard output; logs belong on standard error. See below."
    return ""


def handshake_hint(stderr: Sequence[str], command: Sequence[str]) -> str:
    if noise := handshake_noise(stderr):
        return noise
    if command:
        return "It runs, but does not answer as an MCP server over stdio does. Does it need another argument for that?"
    return "It answers, but not as an MCP server does. Compare the address with the server's instructions."
