"""The call graph: plain rows, packed columns, and the searches over them."""
