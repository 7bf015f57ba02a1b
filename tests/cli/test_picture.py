import pytest

from deepgrep.cli import picture
from deepgrep.cli.picture import show_picture
from deepgrep.errors import DeepgrepError


@pytest.fixture(autouse=True)
def small_graph(monkeypatch):
    monkeypatch.setattr(picture, "drawing", lambda findings, everything: "a drawing")
    monkeypatch.setattr(picture, "dot_source", lambda drawing, answer: "digraph { a -> b }\n")


def test_dot_is_the_source_itself(tmp_path):
    show_picture(None, None, "dot", tmp_path / "graph.dot", everything=False)
    assert (tmp_path / "graph.dot").read_text() == "digraph { a -> b }\n"


@pytest.mark.parametrize(("file_format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_picture_is_drawn_into_the_file(tmp_path, file_format, start):
    show_picture(None, None, file_format, tmp_path / "picture", everything=False)
    assert (tmp_path / "picture").read_bytes().startswith(start)


def test_source_is_kept_where_drawing_fails(tmp_path, monkeypatch):
    def fail(dot, file_format):
        raise DeepgrepError("drawing took longer than 120 s")

    monkeypatch.setattr(picture, "render", fail)
    kept = tmp_path / "picture.svg.dot"
    with pytest.raises(DeepgrepError, match=r"drawing took longer than 120 s \(kept in .*picture.svg.dot\)"):
        show_picture(None, None, "svg", tmp_path / "picture.svg", everything=False)
    assert kept.read_text() == "digraph { a -> b }\n"
    assert not (tmp_path / "picture.svg").exists()


def test_png_that_had_to_be_scaled_down_is_warned_about(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(picture, "dot_source", lambda drawing, answer: "digraph { ranksep=300 a -> b }\n")
    show_picture(None, None, "png", tmp_path / "picture.png", everything=False)
    assert "deepgrep: warning: the picture is scaled down to 7,200 pixels" in capsys.readouterr().err
