"""What programs that Callgate starts see of the environment: a list of names, and what the person adds by name.

A command is seen and approved, the environment that it runs in is not: a secret in it would go along unseen. Names of
secrets can't be listed (`XAI`, `STRIPE`, `LDAP_BINDPW`), so what is harmless is, each group with its reason.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from callgate.core.secrets.finding import find_secrets
from callgate.core.secrets.names import strength_of

_LISTED: Final[tuple[tuple[str, str], ...]] = (
    ("who and where: nothing starts without", "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP"),
    ("language and time", "LANG LANGUAGE TZ TZDIR"),
    ("what a terminal can do", "TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR COLUMNS LINES TERMINFO TERMINFO_DIRS"),
    (
        "where programs keep their files",
        "XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS XDG_BIN_HOME",
    ),
    (
        "certificates of the machine: behind a proxy that inspects TLS nothing connects without",
        "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO "
        "PIP_CERT AWS_CA_BUNDLE NIX_SSL_CERT_FILE",
    ),
    (
        "the way out of a network; left out where a password stands in the address",
        "HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY http_proxy https_proxy all_proxy ftp_proxy no_proxy",
    ),
    (
        "installed languages and their caches: npx, uvx, cargo and go would load everything again, or not be found",
        "VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT UV_CACHE_DIR UV_TOOL_DIR UV_PYTHON_INSTALL_DIR "
        "PIP_CACHE_DIR PIPX_HOME PIPX_BIN_DIR NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR "
        "NPM_CONFIG_CACHE NPM_CONFIG_PREFIX NPM_CONFIG_USERCONFIG npm_config_cache npm_config_prefix "
        "npm_config_userconfig COREPACK_HOME YARN_CACHE_FOLDER JAVA_HOME GRADLE_USER_HOME M2_HOME GOPATH GOROOT "
        "GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME GEM_HOME RBENV_ROOT ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR "
        "HOMEBREW_PREFIX NIX_PATH NIX_PROFILES",
    ),
    (
        "Windows: programs fail in odd ways without",
        "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE USERNAME USERDOMAIN HOMEDRIVE HOMEPATH APPDATA "
        "LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES "
        "COMMONPROGRAMFILES(X86) ALLUSERSPROFILE PUBLIC PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS "
        "PSMODULEPATH DRIVERDATA",
    ),
)
_SERVERS_TOO: Final = (
    "where containers and devices are: MCP servers are configured by the person, commands are not",
    "DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY XDG_RUNTIME_DIR",
)
_PREFIXES: Final = ("LC_",)
"""`LC_ALL` and its kin."""
_WITHHELD: Final = frozenset(
    {
        *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"),
        *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO"),
    }
)
"""No secrets, yet with them a command could type into windows, unlock a keyring or log in elsewhere."""
_OWN_PLACES: Final = frozenset(["GOOGLE_APPLICATION_CREDENTIALS", "PWD", "OLDPWD"])
"""Named like secrets, but only places of files."""
_NAMES: Final = frozenset(name for _, names in _LISTED for name in names.split())
_SERVER_NAMES: Final = _NAMES | frozenset(_SERVERS_TOO[1].split())
_QUIET: Final = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "DEBIAN_FRONTEND": "noninteractive",
    "PYTHONUNBUFFERED": "1",
}
"""Nobody sits at the other end: nothing may page, prompt or open an editor."""


def looks_secret(name: str, value: str) -> bool:
    """Whether a variable is a key by its name, or holds one by its shape."""
    if name in _WITHHELD or name in _OWN_PLACES or not value:
        return False
    return strength_of(name) != "" or _holds_secret(value)


def is_harmless(name: str) -> bool:
    """Whether a variable may be seen by everything that runs as this user: on the list, or of the desktop."""
    return _is_listed(name, _SERVER_NAMES) or name in _WITHHELD or name in _OWN_PLACES


def command_environment(environ: Mapping[str, str], named: Collection[str] = ()) -> dict[str, str]:
    """For a command; `named`: what the person wants it to have too, whatever it looks like."""
    return {**dict(_given(environ, _NAMES)), **_QUIET, **_those(environ, named)}


def server_environment(environ: Mapping[str, str], named: Collection[str] = ()) -> dict[str, str]:
    """For an MCP server, beside what its own settings give it."""
    return {**dict(_given(environ, _SERVER_NAMES)), **_those(environ, named)}


def _given(environ: Mapping[str, str], names: Collection[str]) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        # bash passes functions on as variables, and shells run them
        if _is_listed(name, names) and not value.startswith("()") and not _holds_secret(value):
            yield name, value


def _is_listed(name: str, names: Collection[str]) -> bool:
    # Windows has `Path` and `SystemRoot`, and makes no difference
    return name in names or name.upper() in names or name.startswith(_PREFIXES)


def _those(environ: Mapping[str, str], named: Collection[str]) -> dict[str, str]:
    return {name: environ[name] for name in named if name in environ}


def _holds_secret(value: str) -> bool:
    return bool(find_secrets(value.encode("utf-8", "surrogateescape")))
