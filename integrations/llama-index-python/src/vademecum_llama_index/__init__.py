"""A memory block of LlamaIndex, over the memory service Vademecum."""

from .memory_block import VademecumMemoryBlock

__all__ = ["VademecumMemoryBlock"]
