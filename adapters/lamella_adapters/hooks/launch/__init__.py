"""Ways for clients to start hooks: a link to the interpreter, or a shell line."""
