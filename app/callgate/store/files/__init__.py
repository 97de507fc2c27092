"""Files that hold what the person laid down: configuration, rules, sources, and what of them was accepted."""
