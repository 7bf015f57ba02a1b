"""Names as nobody writes them, unless to break a report."""

HOSTILE = [
    "\ud800 surrogate",
    "\u202egnp.evil\u2066",
    "x" * 5000,
    "javascript:alert(1)",
    "]]>",
    'a"]; evil [label="x',
    "<b>bold</b>",
    "<<b>bold</b>>",
    "back\\slash\\",
    '\\"',
    "\\N\\G\\l",
    "a\nb\x00\x1b",
    "a:b:c",
    "</svg><script>alert(1)</script>",
    "&lt;&amp;",
]
