"""Recovery of a broken file, page by page."""
