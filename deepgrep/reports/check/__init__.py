"""The answer of `check` for CI: SARIF and JUnit XML, and the sentences that it says in every form."""
