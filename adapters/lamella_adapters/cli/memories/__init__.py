"""The commands about memories."""
