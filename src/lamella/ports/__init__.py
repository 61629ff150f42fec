"""What the inside needs of the world, as protocols: values in, values out."""
