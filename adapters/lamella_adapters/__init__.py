"""The adapters and drivers that come with lamella."""
