"""Conversations out of the program and back in: the export dialog, files that are opened or dropped."""
