"""Messages of past conversations, sessions and their summaries."""
