"""How things are spelled: one folder per protocol, same files in each; pure, sans-io, unaware of one another."""
