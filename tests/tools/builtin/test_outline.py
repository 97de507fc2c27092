"""Files that are no Python have outlines too, where that is cheap."""

from pathlib import PurePath

from callgate.tools.builtin.outline import outline

SCRIPT = """#!/bin/bash
NAME=world
export PATH_TO="$HOME" OTHER=1
greet() {
  local inner=1
  function deep { echo deep; }
  echo "hello $NAME"
}
if true; then hidden=1; fi
greet
"""
NOTES = """# Title
text # not a heading
## Part one ##
```sh
# a comment in code
```
### Deeper
#hashtag
"""


def test_functions_and_variables_of_a_shell_script() -> None:
    assert outline(PurePath("run.sh"), SCRIPT) == [
        "2: variable NAME",
        "3: variable PATH_TO, OTHER",
        "4: function greet",
        "6:     function deep",
    ]
    assert outline(PurePath("run"), SCRIPT) == outline(PurePath("run.sh"), SCRIPT)


def test_headings_of_markdown_but_not_comments_in_its_code() -> None:
    assert outline(PurePath("notes.md"), NOTES) == [
        "1: heading Title",
        "3:   heading Part one",
        "7:     heading Deeper",
    ]


def test_a_broken_script_gives_what_it_can_and_other_files_nothing() -> None:
    assert outline(PurePath("bad.sh"), "ok() { echo; }\nif [ ; then\n") is not None
    assert outline(PurePath("bad.sh"), "") == []
    assert outline(PurePath("main.rs"), "fn main() {}") == ["1: function main"]
    assert outline(PurePath("data.bin"), "fn main() {}") is None
