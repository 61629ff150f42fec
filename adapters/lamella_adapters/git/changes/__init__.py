"""What changed: working tree, patches and renames."""
