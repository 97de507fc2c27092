"""What is remembered: the journal (SQLite), secrets (keyring), the configuration and the rule book (TOML)."""
