"""Lines that are matched from the text are the same as libcst's own."""

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from standard_library import SAMPLE, name

from deepgrep.facts import positions

PLACED = (cst.Name, cst.SimpleString, cst.FormattedString, cst.BaseNumber, cst.If, cst.Lambda, cst.Return, cst.Finally)


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_lines_are_those_of_libcst(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    module = cst.parse_module(data)
    places = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    expected = {id(node): place.start.line for node, place in places.items() if isinstance(node, PLACED)}
    # The slow way must not be needed for ordinary code.
    monkeypatch.setattr(positions, "_provided", lambda _: pytest.fail("text and tree do not match"))

    found = positions.node_lines(module, data.decode(module.encoding))

    assert {node: found.get(node) for node in expected} == expected


@pytest.mark.parametrize(
    "source",
    ['f"{a["b"]}"', "f'{\na}'", "f'''{\na}'''", "1..real"],
    ids=repr,
)
def test_where_text_and_tree_do_not_match_libcst_is_asked(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    provided = positions._provided
    monkeypatch.setattr(positions, "_provided", lambda module: asked.append(module) or provided(module))
    module = cst.parse_module(source)

    found = positions.node_lines(module, source)

    assert len(asked) == 1
    assert found == provided(module)
