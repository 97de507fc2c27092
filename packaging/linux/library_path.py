"""Run by the bundled program before anything else: what it starts must not load the libraries of the bundle.

The bootloader points LD_LIBRARY_PATH at its own folder and keeps what was there before; this process has been linked by
now, and commands, git and MCP servers need those of the machine.
"""

import os

before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if before is not None:
    os.environ["LD_LIBRARY_PATH"] = before
else:
    os.environ.pop("LD_LIBRARY_PATH", None)
