"""Small pictures of numbers, painted by hand: they know values, no meaning and no engine."""
