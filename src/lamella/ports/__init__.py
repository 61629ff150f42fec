"""The outside world as protocols: values in, values out."""
