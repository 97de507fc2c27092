"""The only place where things happen over time: exchanges, the gate, running tools. Knows nothing of HTTP or Qt."""
