"""A real process takes its keys out of what other programs can read; checked from within and from another user."""

import json
import os
import subprocess
import sys

import pytest

from callgate.tools.process.hardening import withdraw, withdraw_secrets

KEYS = {
    "GROQ_KEY2": "gsk_abcdefghijklmnop1234",
    "LDAP_BINDPW": "hunter22",
    "MY_PW": "hunter23",
    "XAI": "xai-abcdefghijkl1234567890",
    "STRIPE": "sk_live_abcdefghij1234567890",
    "OPENAI_API_KEY": "an-ordinary-word",
    "https_proxy": "http://me:hunter24@127.0.0.1:9",
}
OTHERS = {"MY_LLM": "an-innocent-name", "LC_TIME": "C"}
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc on this system")
PROGRAM = """
import ctypes, json, os, sys
from callgate.tools.process.hardening import forbid_reading, withdraw_secrets
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # changing the user has switched it off already
whole = withdraw_secrets()
block = open("/proc/self/environ", "rb").read().decode()
before = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
hidden = forbid_reading()
after = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
read, write = os.pipe()
child = os.fork()
if child == 0:
    said = {}
    # a program of its own again, as every one that is executed
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    for name in ("environ", "mem", "maps"):
        try:
            with open(f"/proc/{os.getppid()}/{name}", "rb") as file:
                file.read(1)
            said[name] = "read"
        except OSError as refused:
            said[name] = type(refused).__name__
    try:
        said["fd"] = len(os.listdir(f"/proc/{os.getppid()}/fd"))
    except OSError as refused:
        said["fd"] = type(refused).__name__
    said["ptrace"] = ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)
    os.write(write, json.dumps(said).encode())
    os._exit(0)
os.close(write)
said = json.loads(os.read(read, 65536))
os.waitpid(child, 0)
own = len(os.listdir("/proc/self/fd")) > 0
print(json.dumps([whole, dict(os.environ), block, before, hidden, after, said, own]))
"""


@LINUX
def test_keys_leave_the_block_that_the_kernel_shows_and_other_processes_of_the_user_read_nothing() -> None:
    environ = {**KEYS, **OTHERS, "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    whole, kept, block, before, hidden, after, said, own = json.loads(ran.stdout)
    assert whole.items() >= {**KEYS, **OTHERS}.items(), "all of it stays in memory"
    for name, value in {**KEYS, "MY_LLM": "an-innocent-name"}.items():
        assert name not in block and value not in block
    assert "LC_TIME=C" in block and "PATH=" in block
    assert kept["MY_LLM"] == "an-innocent-name", "what is no key can still be read by libraries"
    assert kept["https_proxy"] == KEYS["https_proxy"], "httpx looks for it there"
    assert not (KEYS.keys() - {"https_proxy"}) & kept.keys()
    assert (before, hidden, after) == (1, True, 0)
    assert said["environ"] == said["mem"] == "PermissionError"
    assert said["maps"] == said["fd"] == "PermissionError"
    assert said["ptrace"] == -1
    assert own, "the process itself still sees its own descriptors"


@LINUX
def test_a_program_that_is_started_afterwards_inherits_no_descriptor_and_no_key() -> None:
    program = (
        "import os, subprocess; from callgate.tools.process.hardening import *; withdraw_secrets(); forbid_reading();"
        "kept = open('/dev/null'); from callgate.tools.process.job import Job; from pathlib import Path;"
        "print(subprocess.run(['sh', '-c', 'env; ls /proc/self/fd | wc -l'], capture_output=True, text=True).stdout)"
    )
    environ = {**KEYS, "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, timeout=60, check=True)
    lines = ran.stdout.decode().split()
    assert not any(line.startswith((*(KEYS.keys() - {"https_proxy"}),)) for line in lines)
    assert lines[-1] == "4", "its three streams, and the folder that it reads"


def test_without_a_block_to_wipe_the_variables_still_go() -> None:
    environ = {**KEYS, **OTHERS}
    assert withdraw_secrets(environ, wipe=lambda unwanted: False) == {**KEYS, **OTHERS}
    assert environ.keys() == OTHERS.keys() | {"https_proxy"}


def test_a_variable_that_a_configuration_names_goes_later() -> None:
    environ = {"MY_LLM": "x", "PATH": "/bin"}
    for name in ("MY_LLM", "PATH", "ABSENT"):
        withdraw(name, environ)
    assert environ == {"PATH": "/bin"}
