"""What the window may know of wires: how each is called, and where and how it is spoken."""

from callgate.wire.registry import TRAITS

__all__ = ["TRAITS"]
