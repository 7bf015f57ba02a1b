import json

from report_examples import REACHES

from deepgrep.reports.json import encode


def test_answer_is_one_line_of_json_with_the_fields_in_the_order_of_the_format():
    data = encode(REACHES)
    assert data.endswith(b"}\n")
    assert data.count(b"\n") == 1
    assert list(json.loads(data))[:6] == ["schema", "verdict", "sources", "root", "target", "accesses"]


def test_words_are_those_of_the_format():
    answer = json.loads(encode(REACHES))
    assert answer["schema"] == "deepgrep-reach/1"
    assert answer["verdict"] == "reaches"
    assert answer["paths"][0]["hops"][0]["via"] == "call"
