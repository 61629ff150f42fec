"""JSON-RPC over stdio."""
