import sys

import pytest
from msgspec.structs import replace
from report_examples import REACHES, drawing_of

from deepgrep.cli import picture
from deepgrep.cli.picture import show_picture
from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import ChopEdge
from deepgrep.reports.drawings import render as renderer

DOT = "digraph { a -> b }\n"


class Findings:
    class chop:  # noqa: N801
        functions = range(10_000)


@pytest.fixture(autouse=True)
def small_graph(monkeypatch):
    draws(monkeypatch, drawing_of(3))
    monkeypatch.setattr(picture, "picture_source", lambda picture, answer, source_line, permalink: DOT)


def draws(monkeypatch, drawing):
    monkeypatch.setattr(picture, "drawing", lambda findings, most: drawing)


def nothing(_file, _line):
    return None


def draw(file_format, path, *, everything=False):
    show_picture(Findings, REACHES, file_format, path, nothing, nothing, everything=everything)


def test_dot_is_the_source_itself(tmp_path):
    draw("dot", tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").read_text() == DOT


@pytest.mark.parametrize(("file_format", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_picture_is_drawn_into_the_file(tmp_path, file_format, start):
    draw(file_format, tmp_path / "picture")
    assert (tmp_path / "picture").read_bytes().startswith(start)


def test_mermaid_is_written_as_it_is_pasted(tmp_path):
    draw("mermaid", tmp_path / "picture.mmd")
    assert "\nflowchart TD\n" in (tmp_path / "picture.mmd").read_text()


def test_mermaid_that_trackers_would_refuse_is_an_error_with_advice(tmp_path, monkeypatch):
    draws(monkeypatch, drawing_of(41))
    with pytest.raises(DeepgrepError, match=r"41 functions \(at most 40 .*: use --format svg or leave out --all"):
        draw("mermaid", tmp_path / "picture.mmd", everything=True)


def program(folder, does):
    """A renderer that does something else than draw."""
    path = folder / "renderer"
    path.write_text(f"#!{sys.executable}\n{does}\n")
    path.chmod(0o755)
    return path


FAILURES = {
    "a timeout": ("import time; time.sleep(60)", "drawing took longer than 1 s"),
    "death": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "the renderer failed: exit status -9"),
    "death before it read anything": ("import os; os._exit(3)", "the renderer failed: exit status 3"),
    "no picture": ("pass", "the renderer failed: exit status 0"),
    "an error of its own": ("import sys; sys.exit('out of memory')", "the renderer failed: out of memory"),
}


@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize("file_format", ["svg", "png", "pdf"])
def test_source_is_kept_where_the_renderer_fails(tmp_path, monkeypatch, how, file_format):
    does, said = FAILURES[how]
    path = program(tmp_path, does)
    monkeypatch.setattr(renderer, "_renderer", lambda: path)
    monkeypatch.setattr(picture, "render", lambda dot, wanted: renderer.render(dot, wanted, time_limit=1))
    kept = tmp_path / "picture.dot"
    with pytest.raises(DeepgrepError) as error:
        draw(file_format, tmp_path / "picture")
    assert str(error.value).startswith(said)
    assert str(error.value).endswith(f"(kept in {kept})")
    assert kept.read_text() == DOT
    assert not (tmp_path / "picture").exists()


def test_source_is_kept_where_there_is_no_renderer(tmp_path, monkeypatch):
    monkeypatch.setattr(renderer, "_PACKAGE", "no-such-renderer")
    with pytest.raises(DeepgrepError, match=r"pip install no-such-renderer.*\(kept in .*picture\.svg\.dot\)"):
        draw("svg", tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg.dot").read_text() == DOT


def test_source_is_kept_where_the_renderer_cannot_be_run(tmp_path, monkeypatch):
    path = tmp_path / "no-program"
    monkeypatch.setattr(renderer, "_renderer", lambda: path)
    with pytest.raises(DeepgrepError, match=r"cannot run the renderer .*No such file or directory.*\(kept in "):
        draw("svg", tmp_path / "picture.svg")


def test_folder_that_cannot_be_written_is_told_beside_what_failed_before(tmp_path, monkeypatch):
    monkeypatch.setattr(renderer, "_PACKAGE", "no-such-renderer")
    with pytest.raises(
        DeepgrepError, match=r"no renderer found.*\(cannot write .*svg\.dot: No such file or directory\)"
    ):
        draw("svg", tmp_path / "no folder" / "picture.svg")


def test_picture_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(DeepgrepError, match=r"cannot write .*picture\.svg: No such file or directory"):
        draw("svg", tmp_path / "no folder" / "picture.svg")


@pytest.mark.parametrize(
    ("file_format", "limit"), [("png", "7,200 pixels"), ("pdf", "the largest page, 14,400 points")]
)
def test_picture_that_had_to_be_scaled_down_is_warned_about(tmp_path, monkeypatch, capsys, file_format, limit):
    wide = "digraph { ranksep=400 a -> b }\n"
    monkeypatch.setattr(picture, "picture_source", lambda picture, answer, source_line, permalink: wide)
    draw(file_format, tmp_path / "picture")
    assert f"deepgrep: warning: the picture is scaled down to {limit}" in capsys.readouterr().err


def test_everything_is_told_where_it_is_drawn_together(tmp_path, monkeypatch, capsys):
    back = [ChopEdge(i, i - 2, [1], edge.via, edge.certainty) for i in (9, 30) for edge in drawing_of(2).edges]
    large = drawing_of(60)
    draws(monkeypatch, replace(large, edges=[*large.edges, *back]))
    draw("svg", tmp_path / "picture.svg", everything=True)
    assert "those that can each reach all the others are one node, a cycle" in capsys.readouterr().err
    draw("dot", tmp_path / "picture.dot", everything=True)
    assert capsys.readouterr().err == ""
