"""Permission rules of other programs, read as rules of Callgate. Which program a file is of is told from its content.

Nothing is loosened on the way: what allows and has no exact counterpart is left out and listed, what restricts is
widened and listed, or listed alone. Nothing here writes; see `rule_text` for how rules are spelled in a file.
"""

from collections.abc import Mapping
from pathlib import Path

from callgate.core.errors import UserFault
from callgate.core.json.jsonc import BadJson, read_jsonc
from callgate.store.rule_import.claude_code import import_claude_code
from callgate.store.rule_import.report import ImportReport
from callgate.store.rule_import.vscode import concerns_approval, import_vscode
from callgate.store.rule_import.zed import import_zed

__all__ = ["ImportReport", "import_file", "import_rules"]

_NOTHING = (
    "no permission rules were found. Known are Claude Code (permissions.allow, ask, deny), VS Code (chat.tools.*) "
    "and Zed (agent.tool_permissions)"
)


def import_file(path: Path, root: str = "") -> ImportReport:
    """Raises `UserFault`, naming the file. `root` is the folder that relative paths are meant from."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserFault(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserFault(f"{path} cannot be read: it is not UTF-8 text") from error
    try:
        return import_rules(text, root, anchored=_belongs_to(path, root))
    except UserFault as fault:
        raise UserFault(f"{path}, {fault}") from fault


def import_rules(text: str, root: str = "", *, anchored: bool = False) -> ImportReport:
    """Raises `UserFault` where the text is no such file. `anchored`: it stands where settings of `root` stand."""
    try:
        content = read_jsonc(text)
    except BadJson as bad:
        raise UserFault(f"not valid JSON: {bad}") from bad
    if isinstance(content, Mapping):
        agent = content.get("agent")
        if isinstance(content.get("permissions"), Mapping):
            return import_claude_code(content, root, source=text, anchored=anchored)
        if isinstance(agent, Mapping) and ("tool_permissions" in agent or "always_allow_tool_actions" in agent):
            return import_zed(content, text)
        if any(concerns_approval(key) for key in content):
            return import_vscode(content, text)
    raise UserFault(_NOTHING)


def _belongs_to(path: Path, root: str) -> bool:
    """Whether a file is the workspace's own: those of the person's home are meant from another folder."""
    folder = path.absolute().parent
    home = Path.home()
    return bool(root) and folder == Path(root).absolute() / ".claude" and folder.parent != home
