"""Tools as a catalog shows them: lint, token counts, prices, statistics, changes of a definition."""
