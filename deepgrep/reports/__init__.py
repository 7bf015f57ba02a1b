"""Answers as text for people, as JSON and as drawings; pure functions of the questions' data types."""
