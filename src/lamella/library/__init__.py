"""Public Python API, available through `import lamella`."""
