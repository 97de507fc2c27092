"""Where tools come from, and the catalog that lists them all."""
