"""Vectors and nearest neighbours."""
