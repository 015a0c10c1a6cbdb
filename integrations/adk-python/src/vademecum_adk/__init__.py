"""A memory service of Google's Agent Development Kit (ADK), over the memory service Vademecum."""

from .memory_service import VademecumMemoryService

__all__ = ["VademecumMemoryService"]
