"""Store what hooks captured."""
