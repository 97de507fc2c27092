"""The page of agents: which of them can prove their names."""
