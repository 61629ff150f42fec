"""The client's transcript files."""
