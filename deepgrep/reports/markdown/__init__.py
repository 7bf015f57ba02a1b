"""The answer of `reach` as Markdown for public trackers."""
