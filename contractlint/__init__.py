"""Finds the faults that lose or double work when a broker delivers at least once."""

__version__ = "0.1.0"
