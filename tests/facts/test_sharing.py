from deepgrep.facts import extract
from deepgrep.facts.operations import Attribute, Call

SOURCE = (
    b"def first(a):\n    a.attribute_name(keyword_name=a)\n\ndef second(b):\n    b.attribute_name(keyword_name=b)\n"
)


def test_equal_names_are_one_object() -> None:
    operations = [op for unit in extract(SOURCE).units for op in unit.operations]
    one, other = (op.name for op in operations if isinstance(op, Attribute))
    assert one == other
    assert one is other
    ((one, _),), ((other, _),) = (op.keywords for op in operations if isinstance(op, Call))
    assert one == other
    assert one is other


def test_equal_lines_are_one_object() -> None:
    facts = extract(b"\n" * 1000 + b"f(g, h)\n")
    assert len({id(op.line) for op in facts.units[0].operations if op.line == 1001}) == 1
