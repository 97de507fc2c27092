"""Shell commands as rules see them: a command line taken apart into the simple commands that it would run.

    command       the values: a line, its sub-commands, and what makes it unfit to be judged by rules alone
    lexing        what the shell takes for one word, written anew: the parser is never trusted on that alone
    words         one word of a command: what it means once quotes are gone
    redirections  where they lead
    wrappers      commands that run other commands
    program_table what is known of a program, from `resources/programs` (`program_data` is generated from it)
    invocation    one command read by its table: what it runs and writes, and each word that is not understood
    hidden        the same for any command; `programs` has what is known of those without a table, `scripts` tells the
                  scripts of sed and awk that only turn text into text
    reading       the walk over the tree that tree-sitter-bash gives

Pure: nothing is run, expanded or looked up.
"""

from callgate.core.shell.command import LONGEST, InnerCommand, ShellCommand, SubCommand
from callgate.core.shell.reading import parse_command

__all__ = ["LONGEST", "InnerCommand", "ShellCommand", "SubCommand", "parse_command"]
