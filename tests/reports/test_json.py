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


def test_what_a_terminal_would_act_on_is_escaped_and_the_rest_stays_text():
    said = "\x1b]0;\x7f\x9b\u202e\u200b\U000e0001 naïve → 𝒻"
    data = encode({"f": [said]})
    assert json.loads(data) == {"f": [said]}
    assert all(character.isprintable() for character in data.decode().rstrip("\n"))
    assert "naïve → 𝒻" in data.decode()
