"""The chop of an answer as a drawing: SVG, PNG, PDF, DOT and Mermaid."""
