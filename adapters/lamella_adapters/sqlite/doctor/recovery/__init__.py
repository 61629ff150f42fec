"""Read a broken file page by page."""
