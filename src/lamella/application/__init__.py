"""The use cases of lamella."""
