"""Answers in every form that they are shown in; pure functions of the questions' data types."""
