"""The adapters and drivers included with lamella."""
