"""Links from a report to the public source code."""

from __future__ import annotations

from collections.abc import Callable

Permalink = Callable[[str, int], str | None]
"""Gives the address of a line of an analyzed file at the commit it was built from, or None where there is none."""
