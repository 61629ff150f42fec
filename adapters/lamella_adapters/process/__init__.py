"""Things that every process starts with: settings, a clock, ids, the machine, and how lamella was installed."""
