"""Answers as text for people, one file for each verb; `lines.py` is what they share."""
