"""The inside of the hexagon: what memory is, and how it is disclosed."""
