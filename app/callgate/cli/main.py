"""The commands. Each says what it needs in words; none ends in a traceback for something the person can mend."""

import argparse
import importlib
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path

from callgate import __version__
from callgate.cli import (
    accept_command,
    agents_command,
    audit_command,
    export_command,
    headless,
    keys_command,
    rules_check,
    sources_command,
    tools_command,
)
from callgate.core.errors import UserFault
from callgate.core.secrets.redaction import RedactionChoice
from callgate.export.format import FORMATS, ExportOptions
from callgate.runtime import process, running_instance, tour
from callgate.runtime.log_limit import BoundedHandler
from callgate.runtime.resources import resource
from callgate.runtime.runtime import Launch
from callgate.store.folder_lock import FolderInUse
from callgate.tools.process.hardening import forbid_reading, withdraw_secrets

IN_USE = 3
"""Exit code: another Callgate works on the data folder."""

_NO_DISPLAY = """There is no display here, so the window can't open. You can:
  callgate serve                 run the same engine without a window
  callgate serve --on-ask prompt decide calls in this terminal
  callgate demo                  see it work right now, in this terminal"""


def main(argv: list[str] | None = None) -> int:
    """Without arguments it is the program itself, whose environment is its own to change."""
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", handlers=[BoundedHandler()]
    )
    environ = withdraw_secrets() if argv is None else os.environ
    unsaid = argparse.Namespace(config=None, port=None, workspace=None, data=None, trust_config=False, environ=environ)
    options = _parser().parse_args(argv, unsaid)
    if argv is None and options.run in _SERVING:
        forbid_reading()
    try:
        return options.run(options)
    except UserFault as problem:
        print(f"callgate: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        process.fall_silent()
        return 141


def _window(options: argparse.Namespace) -> int:
    if not tour.has_display():
        print(_NO_DISPLAY, file=sys.stderr)
        return 1
    launch = _launch(options)
    try:
        return _app().open_window(launch)
    except FolderInUse as busy:
        return _bring_up(busy)


def _bring_up(busy: FolderInUse) -> int:
    """A second `callgate`: the first one's window comes to the front."""
    first = running_instance.ask(busy.folder, "raise")
    if first is None:
        raise busy
    if not first.has_window:
        print(f"callgate: {_where(busy, first)}, without a window. Stop it to open one.", file=sys.stderr)
        return IN_USE
    process.say(f"{_where(busy, first)}. Its window was brought to the front.")
    return 0


def _where(busy: FolderInUse, first: running_instance.About) -> str:
    at = f" at {first.address}" if first.address else ""
    return f"Callgate {first.version} is already running on {busy.folder}{at} (process {busy.pid})"


def _serve(options: argparse.Namespace) -> int:
    on_ask = "wait" if options.on_ask == "prompt" else options.on_ask
    launch = _launch(options, on_ask=on_ask, windowed=False)
    try:
        return headless.serve(launch, prompt=options.on_ask == "prompt")
    except FolderInUse as busy:
        first = running_instance.ask(busy.folder, "where")
        if first is None:
            print(f"callgate: {busy}", file=sys.stderr)
        else:
            print(f"callgate: {_where(busy, first)}. Use --data DIR for another one.", file=sys.stderr)
        return IN_USE


def _demo(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="callgate-demo-") as folder:
        options.data = options.data or Path(folder) / "data"
        options.workspace = options.workspace or _sample_workspace(Path(folder))
        if options.screenshots:
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
            return _app().save_screenshots(_launch(options, demo_pace_ms=0), options.screenshots)
        if tour.has_display():
            return _app().open_window(_launch(options), visit=tour.show)
        return headless.serve(
            _launch(options, demo_pace_ms=0), visit=lambda runtime: tour.narrate(runtime, process.say)
        )


def _sample_workspace(folder: Path) -> Path:
    """A copy: whoever tries the demonstration may let it write and delete files."""
    return shutil.copytree(resource("samples", "workspace"), folder / "workspace")


_SERVING = (_window, _serve, _demo)
"""Commands that hold keys while other programs run beside them."""


def _tools(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="callgate-") as folder:
        if not _launch(options).data_folder.is_dir():
            options.data = Path(folder)  # looking must not make one
        listed = tools_command.list_tools(_launch(options, windowed=False, on_ask="deny"), options.name or "")
    print(listed.tools)
    if listed.notes:
        print(listed.notes, file=sys.stderr)
    return 1 if listed.failed else 0


def _import_sources(options: argparse.Namespace) -> int:
    printed = sources_command.imported(options.file, _launch(options).workspace_folder)
    print(printed.tables)
    if printed.remarks:
        print(printed.remarks, file=sys.stderr)
    return 1 if printed.failed else 0


def _check_rules(options: argparse.Namespace) -> int:
    code, said = rules_check.check(options.file)
    print(said)
    return code


def _import_rules(options: argparse.Namespace) -> int:
    rules, remarks = rules_check.imported(options.file, _launch(options).workspace_folder)
    print(rules)
    print(remarks, file=sys.stderr)
    return 0


def _export_audit(options: argparse.Namespace) -> int:
    code, said = audit_command.export(_launch(options).data_folder / "callgate.db", options.out)
    print(said, file=sys.stderr)
    return code


def _verify_audit(options: argparse.Namespace) -> int:
    code, said = audit_command.check(options.file, options.last)
    print(said)
    return code


def _export(options: argparse.Namespace) -> int:
    journal = _launch(options).data_folder / "callgate.db"
    if options.list:
        for line in export_command.listing(journal):
            print(line)
        return 0
    taken = RedactionChoice(not options.no_redact, options.hide_home, options.hide_email)
    chosen = ExportOptions(taken, bodies=not options.no_bodies, wire=not options.no_wire)
    wanted = export_command.Wanted(tuple(options.conversation or ()), options.all, options.since)
    print(export_command.export(journal, wanted, options.format, chosen, options.out), file=sys.stderr)
    return 0


def _import(options: argparse.Namespace) -> int:
    try:
        print(export_command.take_in(_launch(options).data_folder / "callgate.db", options.file))
    except FolderInUse as busy:
        raise UserFault(f"{busy} Or open the file in its window: File → Open….") from busy
    return 0


def _accept(options: argparse.Namespace) -> int:
    return accept_command.run(_launch(options), process.say)


def _set_key(options: argparse.Namespace) -> int:
    print(keys_command.set_key(_launch(options), options.name, keys_command.asked(options.name)), file=sys.stderr)
    return 0


def _forget_key(options: argparse.Namespace) -> int:
    print(keys_command.forget_key(options.name), file=sys.stderr)
    return 0


def _add_agent(options: argparse.Namespace) -> int:
    token, said = agents_command.add(_launch(options), options.name)
    print(said, file=sys.stderr)
    print(token)
    return 0


def _list_agents(options: argparse.Namespace) -> int:
    print(agents_command.listing(_launch(options)))
    return 0


def _revoke_agent(options: argparse.Namespace) -> int:
    print(agents_command.revoke(_launch(options), options.name), file=sys.stderr)
    return 0


def _app():
    """The window is imported only where it is wanted, so that every other command runs without Qt."""
    try:
        return importlib.import_module("callgate.runtime.window_app")
    except ImportError as problem:
        raise UserFault(
            f"Qt could not be loaded ({problem}). On Debian or Ubuntu, packaging/linux/qt-libraries installs what it "
            "needs; `callgate serve` works without it."
        ) from problem


def _launch(options: argparse.Namespace, **more: object) -> Launch:
    more.setdefault("trust_config", options.trust_config)
    return Launch(options.config, options.port, options.workspace, options.data, environ=options.environ, **more)  # type: ignore[arg-type]


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    for flag, kind, text in (
        ("--config", Path, "configuration file (TOML)"),
        ("--port", _port, "port to listen on; 0 = any free one"),
        ("--workspace", Path, "folder that the built-in tools work in (default: here)"),
        ("--data", Path, "folder for what Callgate remembers"),
    ):
        # SUPPRESS: the same flag before the command must not be undone by its default behind it
        shared.add_argument(flag, type=kind, default=argparse.SUPPRESS, help=text)
    shared.add_argument(
        "--trust-config",
        action="store_true",
        default=argparse.SUPPRESS,
        help="count the configuration as it is, also one in the workspace, where agents write",
    )
    parser = argparse.ArgumentParser("callgate", description="A desktop console for tool calling.", parents=[shared])
    parser.add_argument("--version", action="version", version=f"callgate {__version__}")
    # no defaults for the shared flags here: set_defaults would give them to the commands too, against SUPPRESS
    parser.set_defaults(run=_window)
    commands = parser.add_subparsers(metavar="COMMAND")

    serve = commands.add_parser("serve", parents=[shared], help="run without a window")
    serve.add_argument(
        "--on-ask", choices=("deny", "allow", "prompt"), default="deny", help="what to do with a call no rule settles"
    )
    serve.set_defaults(run=_serve)
    demo = commands.add_parser("demo", parents=[shared], help="a live demonstration, with no key and no network")
    demo.add_argument("--screenshots", type=Path, metavar="DIR", help="save pictures of the window there, offscreen")
    demo.set_defaults(run=_demo)
    tools = commands.add_parser("tools", parents=[shared], help="list the tools of the catalog")
    tools.add_argument("name", nargs="?", help="name, may have * and ?")
    tools.set_defaults(run=_tools)
    sources = commands.add_parser("sources", help="work with sources of tools")
    take_in = sources.add_subparsers(metavar="COMMAND", required=True).add_parser(
        "import", parents=[shared], help="print the MCP servers of another program as [[sources]]"
    )
    take_in.add_argument("file", type=Path, nargs="?", help="default: wherever other programs keep theirs")
    take_in.set_defaults(run=_import_sources)
    rules = commands.add_parser("rules", help="work with rules").add_subparsers(metavar="COMMAND", required=True)
    check = rules.add_parser("check", parents=[shared], help="explain the rules of a file and find broken ones")
    check.add_argument("file", type=Path)
    check.set_defaults(run=_check_rules)
    take = rules.add_parser("import", parents=[shared], help="print another program's permission rules as ours")
    take.add_argument("file", type=Path, help="settings of Claude Code, VS Code or Zed")
    take.set_defaults(run=_import_rules)
    _add_export(commands.add_parser("export", parents=[shared], help="write conversations to a file"))
    take_in = commands.add_parser("import", parents=[shared], help="take in a file that Callgate exported")
    take_in.add_argument("file", type=Path)
    take_in.set_defaults(run=_import)
    take = commands.add_parser("accept", parents=[shared], help="review files that were changed outside Callgate")
    take.set_defaults(run=_accept)
    _add_audit(commands.add_parser("audit", help="who decided what"), shared)
    _add_agents(commands, shared)
    _add_keys(commands.add_parser("keys", help="keys of endpoints, in the system's keyring"), shared)
    return parser


def _add_export(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--format", choices=tuple(FORMATS), help="default: what the name of the file says, else jsonl")
    add("--conversation", action="append", metavar="ID", help="may be given several times")
    add("--all", action="store_true", help="every conversation")
    add("--since", default="", metavar="WHEN", help="those touched since then: 7d, 12h, or 2026-01-31")
    add("--list", action="store_true", help="only list the conversations, the newest first")
    add("--out", type=Path, metavar="FILE", help="write there (default: standard output)")
    add("--no-redact", action="store_true", help="leave keys, tokens and passwords in")
    add("--hide-email", action="store_true", help="take out e-mail addresses too")
    add("--hide-home", action="store_true", help="take home folders out of paths too")
    add("--no-bodies", action="store_true", help="HAR and OpenTelemetry: not what was said")
    add("--no-wire", action="store_true", help="jsonl: without the captured bytes")
    parser.set_defaults(run=_export)


def _add_audit(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    export = commands.add_parser("export", parents=[shared], help="write every decision as a line of JSON")
    export.add_argument("--out", type=Path, metavar="FILE", help="write there (default: standard output)")
    export.set_defaults(run=_export_audit)
    verify = commands.add_parser("verify", parents=[shared], help="check that an export is whole and unchanged")
    verify.add_argument("file", type=Path)
    verify.add_argument("--last", default="", metavar="HASH", help="the last hash, as noted when it was exported")
    verify.set_defaults(run=_verify_audit)


def _add_agents(parent: "argparse._SubParsersAction[argparse.ArgumentParser]", shared: argparse.ArgumentParser) -> None:
    words = argparse.RawDescriptionHelpFormatter
    agents = parent.add_parser(
        "agents", help="tokens that prove agents' names", epilog=agents_command.EXAMPLES, formatter_class=words
    )
    commands = agents.add_subparsers(metavar="COMMAND", required=True)
    add = commands.add_parser(
        "add",
        parents=[shared],
        help="make a token, shown once",
        epilog=agents_command.EXAMPLES,
        formatter_class=words,
    )
    add.add_argument("name", help="the agent's name, as rules spell it")
    add.set_defaults(run=_add_agent)
    listed = commands.add_parser("list", parents=[shared], help="agents that have a token")
    listed.set_defaults(run=_list_agents)
    revoke = commands.add_parser("revoke", parents=[shared], help="refuse a token, or all of an agent, from now on")
    revoke.add_argument("name", help="an agent's name, or a token's id")
    revoke.set_defaults(run=_revoke_agent)


def _add_keys(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    keep = commands.add_parser("set", parents=[shared], help="keep an endpoint's key, typed unseen or from a pipe")
    keep.add_argument("name", help="the endpoint's name")
    keep.set_defaults(run=_set_key)
    forget = commands.add_parser("forget", parents=[shared], help="take an endpoint's key out of the keyring")
    forget.add_argument("name", help="the endpoint's name")
    forget.set_defaults(run=_forget_key)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)
