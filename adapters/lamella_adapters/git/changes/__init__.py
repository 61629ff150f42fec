"""Changes of files: comparison, patches and renames."""
