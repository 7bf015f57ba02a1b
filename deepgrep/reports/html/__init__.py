"""The answer of `reach` as one self-contained HTML page, with a drawing that can be moved about in."""

from deepgrep.reports.html.page import html_page

__all__ = ["html_page"]
