"""Running programs for tools: watched, bounded and ended without remainder. Which program is for others to say."""
