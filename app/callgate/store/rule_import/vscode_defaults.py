"""What VS Code withholds by itself: its settings begin with these entries, and a file only adds to them or unsets one.

Taken over with a file that allows something they would withhold. What VS Code approves by itself is not taken over.
"""

from typing import Final

WITHHELD_COMMANDS: Final = (
    *("rm", "rmdir", "del", "Remove-Item", "ri", "rd", "erase", "dd"),
    *("kill", "ps", "top", "Stop-Process", "spps", "taskkill", "taskkill.exe"),
    *("curl", "wget", "Invoke-RestMethod", "Invoke-WebRequest", "irm", "iwr"),
    *("chmod", "chown", "Set-ItemProperty", "sp", "Set-Acl"),
    *("jq", "xargs", "eval", "Invoke-Expression", "iex"),
)
WITHHELD_PATTERNS: Final = {
    r"/^column\b.*\s-c\s+[0-9]{4,}/": "column",
    r"/^date\b.*\s(-s|--set)\b/": "date",
    r"/^find\b.*\s-(delete|exec|execdir|fprint|fprintf|fls|ok|okdir)\b/": "find",
    r"/^rg\b.*\s(--pre|--hostname-bin)\b/": "rg",
    r"/^sed\b.*\s(-[a-zA-Z]*(e|f)[a-zA-Z]*|--expression|--file)\b/": "sed",
    r"/^sed\b.*s\/.*\/.*\/[ew]/": "sed",
    r"/^sed\b.*;W/": "sed",
    r"/^sort\b.*\s-(o|S)\b/": "sort",
    r"/^tree\b.*\s-o\b/": "tree",
}
"""Each with the program that it is about."""

EVERY_FILE: Final = "**/*"
EDITS: Final = {
    EVERY_FILE: True,
    "**/.vscode/*.json": False,
    "**/.git/**": False,
    "**/{package.json,package-lock.json,server.xml,build.rs,web.config,.gitattributes,.env}": False,
    "**/*.{code-workspace,csproj,fsproj,vbproj,vcxproj,proj,targets,props}": False,
}
"""In this order: the last pattern that fits wins."""

FAMILIES: Final = {
    "runinterminal": "command~.",
    "runinterminal2": "command~.",
    "runcommands": "command~.",
    "execute": "command~.",
    "createandruntask": "command~.",
    "fetch": "urls~.",
    "fetchwebpage": "urls~.",
    "web": "urls~.",
    "edit": "edits~.",
    "editfiles": "edits~.",
    "createfile": "edits~.",
    "createdirectory": "edits~.",
    "applypatch": "edits~.",
    "editnotebook": "edits~.",
    "inserteditintofile": "edits~.",
    "replacestringinfile": "edits~.",
}
"""Its own tools by the names that its settings have for them: models know them by others, but by what they do."""
