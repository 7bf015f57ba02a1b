"""The JSON Schemas that ship with the package: made from the types of the answers, and true of what is written."""

import copy
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError
from report_examples import NO_PATH, REACHES
from schemas import schemas

from deepgrep.reports.json import encode

SHIPPED = Path(__file__).parents[2] / "deepgrep" / "reports" / "schemas"
REACH = json.loads((SHIPPED / "deepgrep-reach-1.json").read_bytes())


def test_the_shipped_schemas_are_those_of_the_types() -> None:
    assert {path.name: path.read_bytes() for path in SHIPPED.iterdir()} == schemas()


@pytest.mark.parametrize("schema", schemas().values(), ids=schemas().keys())
def test_each_is_a_schema_that_names_its_format(schema: bytes) -> None:
    document = json.loads(schema)
    Draft202012Validator.check_schema(document)
    assert document["$id"] == f"urn:deepgrep:{document['properties']['schema']['const']}"


@pytest.mark.parametrize("answer", [REACHES, NO_PATH])
def test_an_answer_is_valid(answer) -> None:
    Draft202012Validator(REACH).validate(json.loads(encode(answer)))


def test_a_field_that_is_always_written_is_required_and_one_that_may_be_left_out_is_not() -> None:
    hop = REACH["$defs"]["Hop"]
    assert "locks" in hop["required"]
    assert "depends_on" in hop["required"]
    assert "requires" in hop["properties"]
    assert "requires" not in hop["required"]


def test_fields_are_described_as_in_the_code() -> None:
    described = REACH["$defs"]["Hop"]["properties"]["conditions"]["description"]
    assert described == "what `call_line` stands under, outermost first, in the code's own words."


@pytest.mark.parametrize("change", [{"verdict": "perhaps"}, {"schema": "deepgrep-reach/2"}, {"paths": None}])
def test_another_answer_is_not_valid(change) -> None:
    answer = copy.deepcopy(json.loads(encode(REACHES))) | change
    with pytest.raises(ValidationError):
        Draft202012Validator(REACH).validate(answer)
