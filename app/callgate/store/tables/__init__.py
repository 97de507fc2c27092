"""The tables of the journal: what each holds, how it is written and read."""
