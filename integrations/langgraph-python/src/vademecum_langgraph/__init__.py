"""Long-term memory for LangGraph in the memory service Vademecum."""

from .store import VademecumStore

__all__ = ["VademecumStore"]
