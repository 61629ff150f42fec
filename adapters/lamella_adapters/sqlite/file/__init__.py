"""Files, connections and transactions."""
