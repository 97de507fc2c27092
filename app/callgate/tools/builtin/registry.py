"""The whole set of built-in tools, put together for one workspace."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from callgate.tools.builtin.code import CodeReader, code_tools
from callgate.tools.builtin.diagnostics import Diagnostics, diagnostic_tools
from callgate.tools.builtin.files import file_tools
from callgate.tools.builtin.git import Git
from callgate.tools.builtin.source import BuiltinSource
from callgate.tools.builtin.terminal import Terminal, terminal_tools
from callgate.tools.builtin.undo_store import UndoStore
from callgate.tools.builtin.web import WebReader, web_tools
from callgate.tools.builtin.web_address import Network
from callgate.tools.builtin.workspace import workspace_tools
from callgate.tools.confinement import Confinement
from callgate.tools.process.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class RegistryOptions:
    call_seconds: float = 60.0
    """What any tool call may take; a command's own limit lies below it."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """Where variables for commands are found."""
    named: Collection[str] = ()
    """Variables that commands get in addition to the usual ones."""
    web: bool = False
    """Whether pages of the web may be fetched at all."""
    web_networks: tuple[Network, ...] = ()
    """Networks that may be fetched from although they are not public."""
    sandbox: Sandbox | None = None
    """What confines commands; None = nothing."""


DEFAULTS = RegistryOptions()


def builtin_source(workspace: Confinement, data: Path, options: RegistryOptions = DEFAULTS) -> BuiltinSource:
    """`data` is the folder where Callgate keeps what must not stand in the workspace."""
    terminal = Terminal(
        workspace,
        data / "commands",
        call_seconds=options.call_seconds,
        environ=options.environ,
        named=options.named,
        sandbox=options.sandbox,
    )
    code = CodeReader(workspace, data / "jedi")
    tools = (
        *file_tools(workspace, UndoStore(data / "undo", workspace.root)),
        *workspace_tools(workspace, Git(workspace)),
        *code_tools(code),
        *diagnostic_tools(Diagnostics(workspace)),
        *terminal_tools(terminal),
        *web_tools(WebReader(options.web_networks) if options.web else None),
    )
    return BuiltinSource(tools, (terminal, code))
