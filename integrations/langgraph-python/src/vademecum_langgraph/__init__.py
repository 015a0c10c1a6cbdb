"""A LangGraph store that keeps its items in the memory service Vademecum."""

from .store import VademecumStore

__all__ = ["VademecumStore"]
