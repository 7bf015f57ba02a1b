"""The words of a report, folded, as most readers need them once."""

from deepgrep.reports.glossary import GLOSSARY

HOW_TO_READ = [
    "<details><summary>How to read this</summary>",
    "",
    *(f"- **{word}**: {meaning}" for word, meaning in GLOSSARY.items()),
    "",
    "</details>",
]
