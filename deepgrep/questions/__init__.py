"""What a user asks, each question giving plain data."""
