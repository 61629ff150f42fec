"""lamella: persistent memory for coding agents, disclosed leaf by leaf."""
