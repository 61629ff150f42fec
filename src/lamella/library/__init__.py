"""API for programs, exported by `import lamella`."""
