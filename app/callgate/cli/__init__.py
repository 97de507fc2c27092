"""The commands of `callgate`, and the prompts of a terminal."""
