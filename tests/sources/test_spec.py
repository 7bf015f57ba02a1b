"""What a source can be called."""

import pytest
from wheels import FILES, sdist, wheel

from deepgrep.errors import DeepgrepError
from deepgrep.sources import read_tree
from deepgrep.sources.spec import find_package, find_requirement, find_sources


@pytest.fixture
def offered(index):
    index.files["pkg-1.0-py3-none-any.whl"] = wheel()
    index.files["two_names-2.0-py3-none-any.whl"] = wheel(
        "two_names", "2.0", {"_one/__init__.py": b"", "two.py": b"", "zwei/__init__.py": b""}
    )


def write(path, data: bytes = b""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("spec", ["1.0", "1", "latest", "v1.0"])
def test_a_version_is_a_release(fetching, spec):
    place = find_package(spec, "pkg", fetching)
    assert (place.name, place.start, place.location) == ("pkg", "pkg", fetching.keep_in / "pkg-1.0")


def test_installed_is_the_installed_one(fetching, tmp_path, monkeypatch):
    write(tmp_path / "pkg" / "__init__.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_package("installed", "pkg", fetching).location == tmp_path


@pytest.mark.parametrize("start", ["pkg", "."])
def test_a_folder_is_the_package_or_holds_it(fetching, tmp_path, start):
    write(tmp_path / "checkout" / "pkg" / "__init__.py")
    write(tmp_path / "checkout" / "tools.py")
    place = find_package(str(tmp_path / "checkout" / start), "pkg", fetching)
    assert (place.location, place.start) == (tmp_path / "checkout", "pkg")


@pytest.mark.parametrize("name", ["pkg-1.0-py3-none-any.whl", "pkg-1.0.tar.gz"])
@pytest.mark.parametrize("in_src", [False, True])
def test_an_archive_holds_the_package(fetching, tmp_path, name, in_src):
    if in_src and name.endswith(".whl"):
        pytest.skip("wheels have no such folder")
    files = {f"src/{path}" if in_src else path: data for path, data in FILES.items()}
    data = (
        wheel()
        if name.endswith(".whl")
        else sdist({**files, "setup.py": b"", "PKG-INFO": b"Name: pkg\nVersion: 1.0\n"})
    )
    place = find_package(str(write(tmp_path / name, data)), "pkg", fetching)
    assert place.start == "pkg"
    assert (place.location / "pkg" / "sub" / "mod.py").is_file()


@pytest.mark.usefixtures("offered")
def test_a_package_that_is_not_in_it_is_one_line(fetching, tmp_path):
    path = write(tmp_path / "pkg-1.0-py3-none-any.whl", wheel())
    with pytest.raises(DeepgrepError, match="there is no package torch in it"):
        find_package(str(path), "torch", fetching)


@pytest.mark.parametrize("spec", ["", "newest", "x1.0", "2.11 0", "torch==2.11", "$(x)"])
def test_what_is_nothing_is_one_line(fetching, spec):
    with pytest.raises(DeepgrepError, match=r"neither a version \(2.11.0, 2.11\), latest, nightly, installed"):
        find_package(spec, "torch", fetching)


@pytest.mark.parametrize("spec", ["./none", "~nobody-here/none", "none.whl", "none/none", "none.tar.gz"])
def test_a_file_or_folder_that_is_not_there_is_one_line(fetching, spec):
    with pytest.raises(DeepgrepError, match="no such file or folder"):
        find_package(spec, "torch", fetching)


# packages


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("spec", ["pkg==1.0", "pkg", "PKG==1"])
def test_a_package_by_its_name_and_version(fetching, spec):
    assert [place.start for place in find_requirement(spec, fetching)] == ["pkg"]


@pytest.mark.usefixtures("offered")
def test_all_packages_of_a_distribution_are_found_under_their_own_names(fetching):
    places = find_requirement("two-names==2.0", fetching)
    assert [place.name for place in places] == ["_one", "two", "zwei"]
    assert [read_tree(place, b"", pytest.fail)[0].version for place in places] == ["2.0"] * 3


def test_a_distribution_of_parts_of_packages_is_read_whole(index, fetching):
    index.files["part-1.0-py3-none-any.whl"] = wheel("part", "1.0", {"space/part/__init__.py": b""})
    (place,) = find_requirement("part==1.0", fetching)
    assert [file.module for file in read_tree(place, b"", pytest.fail)[0].files] == ["space.part"]


def test_a_name_alone_is_the_installed_package_where_there_is_one(fetching, tmp_path, monkeypatch):
    write(tmp_path / "pkg" / "__init__.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [place.location for place in find_requirement("pkg", fetching)] == [tmp_path]


@pytest.mark.parametrize("spec", ["", "==1.0", "pkg==", "pkg>=1", "pkg[x]==1", "-x", "pkg; evil"])
def test_what_is_no_package_is_one_line(fetching, spec):
    with pytest.raises(DeepgrepError, match="neither NAME, NAME==VERSION, git:PATH@REVISION"):
        find_requirement(spec, fetching)


def test_a_source_is_a_folder_a_file_or_an_archive(fetching, tmp_path):
    write(tmp_path / "train.py")
    archive = write(tmp_path / "pkg-1.0-py3-none-any.whl", wheel())
    names = [find_sources(str(path), fetching)[0].name for path in (tmp_path / "train.py", tmp_path, archive)]
    assert names == ["train", tmp_path.name, "pkg"]
