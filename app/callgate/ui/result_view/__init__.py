"""What a tool returned, shown by what it is: JSON, table, diff, terminal output, picture, Markdown or text."""
