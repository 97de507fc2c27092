from callgate.core.shell.command import ShellCommand, SubCommand


def test_a_line_lists_the_commands_of_its_parts() -> None:
    line = ShellCommand("ls;rm", (SubCommand("ls", ("ls",), 0), SubCommand("rm", ("rm",), 3)))
    assert line.commands == ("ls", "rm")
