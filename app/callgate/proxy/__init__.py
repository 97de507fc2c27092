"""The front door for programs: HTTP in, engine behind. No decision about a call can be made through it."""
