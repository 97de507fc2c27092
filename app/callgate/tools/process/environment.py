"""The environment that a command gets: the person's own, without what looks like a key.

A command is seen and approved, the environment it runs in is not: a secret in it would go along unseen.
"""

from collections.abc import Collection, Mapping

import regex

_SECRET_NAME = regex.compile(
    r"""(^|_)(
          API_?KEY | KEY | KEYS | APIKEY | TOKEN | TOKENS | SECRET | SECRETS | PASSWORD | PASSWD | PASS | PASSPHRASE
        | CREDENTIAL | CREDENTIALS | CREDS | PAT | DSN | COOKIE | AUTH | BEARER | WEBHOOK | SAS | JWT
        )(_|$)
      | ^(AWS|AZURE|GCP|GCLOUD|GOOGLE|CLOUDFLARE|VAULT|OP|DOPPLER|TF_VAR|CALLGATE)_
      | (TOKEN|SECRET|PASSWORD|APIKEY|ACCESSKEY|_PWD)$
      | ^(DATABASE|MONGO|MONGODB|REDIS|POSTGRES|PG|MYSQL|AMQP|BROKER)_?(URL|URI)$""",
    regex.VERBOSE | regex.IGNORECASE,
)
_SECRET_VALUE = regex.compile(
    r"""^(sk-|sk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|ya29\.|hf_|npm_|pypi-|eyJ)
      | -----BEGIN
      | ://[^/@\s:]+:[^/@\s]+@""",
    regex.VERBOSE,
)
_HARMLESS = frozenset({"SSH_AUTH_SOCK", "XAUTHORITY", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS"})
"""Names that look worse than they are: addresses of agents, which ask or unlock by themselves."""
_QUIET = {
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
    if name in _HARMLESS:
        return False
    return _SECRET_NAME.search(name) is not None or _SECRET_VALUE.search(value) is not None


def command_environment(environ: Mapping[str, str], secret_names: Collection[str] = ()) -> dict[str, str]:
    """`secret_names` = variables that are known to hold keys, whatever they are called."""
    kept = {
        name: value for name, value in environ.items() if name not in secret_names and not looks_secret(name, value)
    }
    return {**kept, **_QUIET}
