"""Declared facts, with evidence, about code that cannot be read: stdlib and native functions (TOML data)."""

from deepgrep.models.loading import Models, load

__all__ = ["Models", "load"]
