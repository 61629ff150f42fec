"""The inside of the hexagon: the rules of memory and its disclosure."""
