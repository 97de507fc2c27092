"""Restricts its own process by Landlock and becomes the command. Run as a script by a bare Python: `-I -S`.

    landlock_launcher.py POLICY PARENT PROGRAM ARGUMENT …

POLICY is the number of an open file that holds the policy as JSON: `{"list": [paths], "read": [paths],
"write": [paths], "tcp": bool}`. PARENT is the process that this one must not outlive. Nothing of Callgate is imported:
it starts in a few milliseconds.
"""

import ctypes
import json
import os
import signal
import stat
import struct
import sys

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The same on every architecture."""
_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_LIST = 0b1000
_READ = 0b1101
"""Execute, read a file, list a folder."""
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14
"""What a rule on a file may allow: execute, write, read, truncate."""
_TCP = 0b11
"""Bind, connect."""
_SCOPES = 0b11
"""Abstract sockets and signals reach only processes of the same sandbox."""
_FAILED = 125
_NOT_FOUND = 127

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """0 = the kernel has none, or it is switched off."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))), 0)


def restrict(policy: "dict[str, list[str]]", tcp: bool, version: int) -> None:
    """From here on, and for everything that this process starts."""
    handled = (1 << 13) - 1
    handled |= (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    net = _TCP if version >= 4 and not tcp else 0
    fields = [handled, net, _SCOPES if version >= 6 else 0]
    attributes = struct.pack(f"={'Q' * (3 if version >= 6 else 2 if version >= 4 else 1)}", *_fitting(fields, version))
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    for kind, access in (("list", _LIST), ("read", _READ), ("write", handled)):
        for path in policy[kind]:
            _allow(ruleset, path, access & handled)
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _fitting(fields: list[int], version: int) -> list[int]:
    return fields[: 3 if version >= 6 else 2 if version >= 4 else 1]


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # gone since the policy was made: it stays forbidden
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            access &= _OF_FILES
        rule = struct.pack("=Qi", access, place)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


def main(argv: list[str]) -> int:
    policy_file, parent, command = int(argv[1]), int(argv[2]), argv[3:]
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        return _FAILED  # it died before this process could ask to die with it
    with os.fdopen(policy_file, "rb") as stream:
        policy = json.load(stream)
    tcp = bool(policy.pop("tcp"))
    try:
        restrict(policy, tcp, landlock_version())
    except OSError as problem:
        sys.stderr.write(f"The sandbox could not be set up, so nothing was run: {problem}\n")
        return _FAILED
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the command would inherit that
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        os.execvpe(command[0], command, os.environ)
    except OSError as problem:
        sys.stderr.write(f"{command[0]}: {problem.strerror}\n")
    return _NOT_FOUND


if __name__ == "__main__":
    sys.exit(main(sys.argv))
