"""The files of a patch are found in every form of patch."""

import pytest

from callgate.core.rules.patched_files import is_patch, patched_files


@pytest.mark.parametrize(
    ("patch", "files"),
    [
        ("*** Begin Patch\n*** Add File: .bashrc\n+x\n*** End Patch", {".bashrc"}),
        ("*** Begin Patch\r\n ***  Update  File:  a b.txt\r\n", {"a b.txt"}),
        ("*** Begin Patch\n*** Update File: a\n*** Move to: b\n", {"a", "b"}),
        ("--- a/x\n+++ b/.bashrc\n@@ -1 +1 @@\n", {"a/x", "x", "b/.bashrc", ".bashrc"}),
        ("--- /dev/null\n+++ .bashrc\t2026-01-01\n", {".bashrc"}),
        ('--- "a/x"\n+++ "b/\\056bashrc"\n', {"a/x", "x", "b/.bashrc", ".bashrc"}),
        ('--- a\n+++ "b/\\303\\274.txt"\n', {"a", "b/ü.txt", "ü.txt"}),
        ("diff --git a/.bashrc b/.bashrc\nnew file mode 100644\n", {".bashrc"}),
        ("diff --git a/x y b/x y\nold mode 1\n", {"x y"}),
        ('diff --git "a/\\t" b/z\n', {"\t"}),
        (
            "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to .git/hooks/y\n",
            {"x", "y", ".git/hooks/y"},
        ),
        ("Index: .bashrc\n=====\n", {".bashrc"}),
        ("*** .bashrc\n--- .bashrc\n***************\n*** 1,2 ****\n--- 1,2 ----\n", {".bashrc"}),
    ],
)
def test_all_its_files_are_found(patch: str, files: set[str]) -> None:
    assert is_patch(patch) and set(patched_files(patch)) == files


@pytest.mark.parametrize("text", ["", "a\n---\nb", "- a list\n- of things", "x = 1 --- y", "+++"])
def test_other_text_is_none(text: str) -> None:
    assert not is_patch(text)
