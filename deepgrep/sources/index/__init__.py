"""The package index that pip is configured for: what it offers, and how it is asked."""
