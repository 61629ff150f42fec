"""The library: what `import lamella` offers programs."""
