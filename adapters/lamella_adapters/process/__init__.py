"""Things that every process starts with: settings, a clock, ids, and the machine that it runs on."""
