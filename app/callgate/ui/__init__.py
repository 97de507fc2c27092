"""The front door for the person: the only place with Qt. Sees `core` and `engine` and nothing else."""
