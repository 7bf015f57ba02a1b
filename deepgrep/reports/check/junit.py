"""The answer of `check` as JUnit XML: a test case for each query."""

from __future__ import annotations

from xml.etree import ElementTree

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from deepgrep.questions.checking import CheckAnswer, CheckedQuery, Outcome
from deepgrep.reports.check.sentences import change_sentence, query_sentence
from deepgrep.reports.words import clean, place, source_title

_WIDTH = 200


def junit(answer: CheckAnswer) -> bytes:
    """Write the answer of `check` as JUnit XML, as GitLab, Jenkins and actions of GitHub read it.

    A query that is different is a failure, one that cannot be answered an error, and one that nothing was expected of
    a failure too: it would pass whatever it is.

    Args:
        answer: what was found.

    Returns:
        The document, in UTF-8. Characters that XML cannot hold are replaced.
    """
    suite = TestSuite("deepgrep check")
    for source in answer.sources:
        suite.add_property(clean(source.name), source_title(source))
    for query in answer.queries:
        suite.add_testcase(_case(query, answer.compared_with))
    suite.update_statistics()  # type: ignore[no-untyped-call]
    document = JUnitXml("deepgrep")  # without totals of its own, of which the schema of Jenkins does not know all
    document.add_testsuite(suite)
    written: bytes = document.tostring()  # type: ignore[no-untyped-call]
    # junitparser writes by lxml where that is installed, which spells some things otherwise.
    same = ElementTree.tostring(ElementTree.fromstring(written), encoding="unicode")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + same.encode() + b"\n"


def _case(query: CheckedQuery, compared_with: str) -> TestCase:
    case = TestCase(clean(query.name), "deepgrep.check")
    said = query_sentence(query, compared_with)
    if query.outcome is Outcome.AS_EXPECTED:
        case.system_out = f"{clean(query.question)} {said}"
        return case
    kind = Error if query.outcome is Outcome.NOT_ANSWERED else Failure
    result = kind(said, query.outcome)
    result.text = "\n".join([clean(query.question), said, *_changes(query), *map(clean, query.reports)])
    case.result = [result]
    return case


def _changes(query: CheckedQuery) -> list[str]:
    lines = []
    for word, changes in (("new", query.new), ("gone", query.gone)):
        for change in changes:
            also = "" if change.counts else "also "
            where = f"{place(change.file, change.line)}  " if change.file else ""
            lines.append(f"{also}{word}: {where}{change_sentence(query, change, _WIDTH)}")
    return lines
