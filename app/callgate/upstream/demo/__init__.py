"""The embedded default model: it follows a table of intents, and speaks OpenAI's Chat wire like any provider."""
