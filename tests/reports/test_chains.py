import pytest

from deepgrep.reports.chains import chain, chain_name

NAMES = ["root", "first", "C.second", "third", "last"]


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (80, "root → first → C.second → third → last"),
        (37, "root → (2 more) → third → last"),
        (29, "root → (3 more) → last"),
        (12, "root …→ last"),
    ],
)
def test_a_chain_is_folded_in_the_middle_to_what_fits(width, text):
    folded = chain(NAMES, width)
    assert len(folded) <= width
    assert folded == text


def test_what_a_function_lies_in_is_left_out():
    assert chain(["f.<locals>.g", "C.f.<locals>.<lambda>"], 80) == "g → <lambda>"


def test_one_function_is_a_chain():
    assert chain(["a_long_name_of_a_function"], 12) == "a_lon…nction"


def test_the_body_of_a_module_is_called_by_the_modules_name():
    assert chain_name("pkg.api.<module>", "pkg/api.py") == "pkg.api"
    assert chain_name("pkg.api.C.f", "pkg/api.py") == "C.f"
    assert chain_name("train.py", "train.py") == "<module>"
    assert chain_name("<root>", "<root>") == "<root>"


def test_a_chain_of_very_many_is_folded_at_once():
    assert chain([f"f{i}" for i in range(100_000)], 30) == "f0 → (99998 more) → f99999"
