"""A memory store of Strands Agents, over the memory service Vademecum."""

from .memory_store import VademecumMemoryStore

__all__ = ["VademecumMemoryStore"]
