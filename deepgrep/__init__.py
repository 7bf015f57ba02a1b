"""deepgrep: a call-graph static analyzer for PyTorch internals."""

__version__ = "0.1.0"
