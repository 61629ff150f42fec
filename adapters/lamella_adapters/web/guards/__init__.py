"""Guards that every request passes before a page sees it."""
