"""Faults in what a storage declares and keeps."""
