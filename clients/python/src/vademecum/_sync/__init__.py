"""The client that blocks."""
