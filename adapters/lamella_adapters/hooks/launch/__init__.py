"""Ways in which clients start hooks: a link to the interpreter, or the line of a shell."""
