"""A learning store of Agno, over the memory service Vademecum."""

from .learning_store import VademecumLearningStore

__all__ = ["VademecumLearningStore"]
