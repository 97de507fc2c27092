"""A git repository for tests, made with the real git and nobody's settings."""

import subprocess
from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", *arguments], cwd=root, env={**IDENTITY, "HOME": str(root)}, check=True, capture_output=True, timeout=10
    )


def make_repository(root: Path) -> None:
    """A repository with one commit of everything that is there."""
    git(root, "init", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--message=first words")
