"""What comes out of hostile wheels and source distributions: one clear line, and nothing on the disk."""

import contextlib
import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from wheels import FILES, contents, record, sdist, wheel

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives import rules
from deepgrep.sources.releases import unpacked_file

WHEEL = "pkg-1.0-py3-none-any.whl"
SDIST = "pkg-1.0.tar.gz"


@pytest.fixture
def refused(tmp_path, fetching):
    def refused(name: str, data: bytes) -> str:
        """The line for an archive that is not unpacked."""
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(DeepgrepError) as raised:
            unpacked_file(path, fetching)
        assert not fetching.keep_in.exists() or os.listdir(fetching.keep_in) == []
        assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(
            {"home", name, "cache"} & set(os.listdir(tmp_path))
        )
        line = str(raised.value)
        assert line.isprintable()
        assert len(line) < 300
        return line

    return refused


def members(*added: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """A wheel with members besides, that RECORD does not name."""
    data = io.BytesIO(wheel())
    with zipfile.ZipFile(data, "a") as archive:
        for member, content in added:
            archive.writestr(member, content)
    return data.getvalue()


# wheels


def test_a_wheel_is_unpacked_once(tmp_path, fetching, heard):
    (tmp_path / WHEEL).write_bytes(wheel())
    folder = unpacked_file(tmp_path / WHEEL, fetching)
    assert contents(folder) == FILES
    assert unpacked_file(tmp_path / WHEEL, fetching) == folder
    assert heard.begun == ["unpacking pkg 1.0"]


def test_a_wheel_that_was_replaced_is_unpacked_again(tmp_path, fetching):
    (tmp_path / WHEEL).write_bytes(wheel())
    unpacked_file(tmp_path / WHEEL, fetching)
    (tmp_path / WHEEL).write_bytes(wheel(files={"pkg/__init__.py": b"other = 1\n"}))
    assert contents(unpacked_file(tmp_path / WHEEL, fetching)) == {"pkg/__init__.py": b"other = 1\n"}


@pytest.mark.parametrize(
    "path",
    [
        "../evil.py",
        "pkg/../../evil.py",
        "/evil.py",
        "C:/evil.py",
        "pkg\\evil.py",
        "pkg//evil.py",
        "./evil.py",
        "pkg/e\nvil.py",
        "pkg/../evil.so",
        "pkg/\x1b[2Jevil.py",
    ],
)
def test_a_path_that_leads_out_of_its_folder_is_refused(refused, path):
    line = refused(WHEEL, members((path, b"evil\n")))
    assert line == f"{WHEEL}: refused: the path {path!a} in it leads out of its folder"


def test_a_path_with_a_nul_is_refused(refused):
    data = members(("pkg/evilX.py", b"evil\n")).replace(b"pkg/evilX.py", b"pkg/evil\0.py")
    assert "leads out of its folder" in refused(WHEEL, data)


def test_a_symbolic_link_is_refused(refused):
    link = zipfile.ZipInfo("pkg/link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert (
        refused(WHEEL, members((link, b"/etc/passwd"))) == f"{WHEEL}: refused: 'pkg/link.py' in it is a symbolic link"
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_not_read_may_be_there_twice(tmp_path, fetching):
    (tmp_path / WHEEL).write_bytes(members(("pkg/LICENSE", b"x"), ("pkg/LICENSE", b"x")))
    assert contents(unpacked_file(tmp_path / WHEEL, fetching)) == FILES


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused(refused):
    data = members(("pkg/__init__.py", b"evil\n"))
    assert refused(WHEEL, data) == f"{WHEEL}: refused: it holds 'pkg/__init__.py' twice"


def test_a_name_of_a_file_and_a_folder_is_refused(refused):
    assert "is the name of two files, or of a file and a folder" in refused(
        WHEEL, wheel(files={**FILES, "pkg/a.py": b"", "pkg/a.py/b.py": b""})
    )


def test_a_path_that_is_too_long_is_refused(refused):
    assert "is too long" in refused(WHEEL, wheel(files={**FILES, f"pkg/{'a' * 300}.py": b""}))


def test_a_file_that_record_does_not_name_is_refused(refused):
    line = refused(WHEEL, members(("pkg/evil.py", b"evil\n")))
    assert line == f"{WHEEL}: refused: RECORD does not name 'pkg/evil.py'"


def test_a_file_without_a_hash_in_record_is_refused(refused):
    says = record(FILES, "pkg-1.0.dist-info") + b"pkg-1.0.dist-info/METADATA,,\n"
    assert "'pkg-1.0.dist-info/METADATA' has not the hash that RECORD says" in refused(WHEEL, wheel(record_says=says))


def test_a_record_that_says_two_things_is_refused(refused):
    says = record({**FILES}, "pkg-1.0.dist-info") + record({"pkg/__init__.py": b"evil"}, "pkg-1.0.dist-info")
    assert "RECORD says two things of 'pkg/__init__.py'" in refused(WHEEL, wheel(record_says=says))


def test_a_file_that_only_record_names_is_missed(refused):
    says = record({**FILES, "pkg/gone.py": b""}, "pkg-1.0.dist-info")
    assert (
        refused(WHEEL, wheel(record_says=says)) == f"{WHEEL}: refused: RECORD names 'pkg/gone.py', which is not in it"
    )


def test_a_wheel_without_record_is_refused(refused):
    assert refused(WHEEL, wheel(without_record=True)) == f"{WHEEL}: refused: no wheel: it has no RECORD"


def test_a_wheel_of_another_release_than_its_name_says_is_refused(refused):
    assert refused(WHEEL, wheel(version="2.0")) == f"{WHEEL}: refused: what is in it is 'pkg-2.0.dist-info'"


def test_a_wheel_of_two_releases_is_refused(refused):
    assert "it has 2 .dist-info folders" in refused(WHEEL, members(("other-1.0.dist-info/METADATA", b"")))


def test_a_file_that_becomes_large_from_next_to_nothing_is_refused(refused):
    line = refused(WHEEL, wheel(files={**FILES, "pkg/bomb.py": bytes(10_000_000)}))
    assert line.startswith(f"{WHEEL}: refused: 'pkg/bomb.py' in it has 10,000,000 bytes, packed into ")


def test_a_file_that_is_larger_than_source_code_is_refused(refused, monkeypatch):
    monkeypatch.setattr(rules, "MOST_FILE_BYTES", 100)
    assert "'pkg/sub/mod.py' in it has 700 bytes: is it made to fill the disk?" in refused(WHEEL, wheel())


def test_files_that_are_too_large_together_are_refused(refused, monkeypatch):
    monkeypatch.setattr(rules, "MOST_BYTES", 800)
    assert "over 800 bytes of Python files" in refused(WHEEL, wheel())


def test_too_many_files_are_refused(refused, monkeypatch):
    monkeypatch.setattr(rules, "MOST_MEMBERS", 3)
    assert "it has more than 3 files" in refused(WHEEL, wheel())


def test_a_size_that_is_a_lie_does_not_unpack_more(refused):
    data = bytearray(wheel(files={**FILES, "pkg/lie.py": b"x" * 100_000}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = (
            data.index(b"pkg/lie.py") - 30
            if signature == b"PK\x03\x04"
            else data.rindex(b"pkg/lie.py", 0, data.rindex(b"pkg-1.0")) - 46
        )
        at = data.rindex(signature, 0, at + 4)
        struct.pack_into("<I", data, at + offset, 10)
    line = refused(WHEEL, bytes(data))
    assert "damaged" in line or "has not the hash" in line


def test_an_encrypted_file_is_refused(refused):
    data = bytearray(wheel())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    assert "is encrypted" in refused(WHEEL, bytes(data))


def test_a_file_that_is_packed_in_a_way_without_limits_is_refused(refused):
    written = io.BytesIO(wheel())
    with zipfile.ZipFile(written, "a") as archive:
        archive.writestr("pkg/packed.py", b"x", zipfile.ZIP_LZMA)
    assert "'pkg/packed.py' in it is packed as in no wheel" in refused(WHEEL, written.getvalue())


@pytest.mark.parametrize("keep", [0, 10, 100, -10, -100, -400])
def test_a_wheel_that_is_cut_off_is_damaged(refused, keep):
    assert refused(WHEEL, wheel()[:keep]).startswith(f"{WHEEL}: damaged")


def test_a_directory_that_points_elsewhere_is_damaged(refused):
    data = bytearray(wheel())
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 42, 0x7FFFFFF)
    assert refused(WHEEL, bytes(data)).startswith(f"{WHEEL}: damaged")


def test_any_flipped_byte_is_an_error_or_harmless(tmp_path, fetching):
    """Each of the bytes of a small wheel, one after the other."""
    good = wheel(files={"pkg/__init__.py": b"x = 1\n"})
    path = tmp_path / WHEEL
    for position in range(0, len(good), 3):
        data = bytearray(good)
        data[position] ^= 0x41
        path.write_bytes(data)
        with contextlib.suppress(DeepgrepError):
            assert contents(unpacked_file(path, fetching)) == {"pkg/__init__.py": b"x = 1\n"}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["cache", WHEEL]


@pytest.mark.parametrize("name", ["pkg.whl", "pkg-1.0.whl", "pkg-x-py3-none-any.whl", "pkg.tar.gz", "1.zip"])
def test_a_file_with_another_name_than_pip_gives_is_one_line(refused, name):
    assert "its name is not" in refused(name, wheel())


# source distributions


@pytest.mark.parametrize("top", ["pkg-1.0", "", "./pkg-1.0", "."])
def test_a_source_distribution_is_unpacked_without_the_folder_around_it(tmp_path, fetching, top):
    (tmp_path / SDIST).write_bytes(sdist({**FILES, "setup.py": b"", "README": b"x"}, top))
    assert contents(unpacked_file(tmp_path / SDIST, fetching)) == {**FILES, "setup.py": b""}


def test_a_zip_file_is_a_source_distribution_too(tmp_path, fetching):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(f"pkg-1.0/{name}", data)
    (tmp_path / "pkg-1.0.zip").write_bytes(written.getvalue())
    assert contents(unpacked_file(tmp_path / "pkg-1.0.zip", fetching)) == FILES


@pytest.mark.parametrize("path", ["../evil.py", "pkg/../../evil.py", "/evil.py", "pkg\\evil.py", "pkg/\x1bevil.py"])
def test_a_path_in_a_source_distribution_that_leads_out_is_refused(refused, path):
    assert "leads out of its folder" in refused(SDIST, sdist({"pkg/__init__.py": b"", path: b"evil\n"}, ""))


def test_a_link_in_the_place_of_a_python_file_is_refused(refused):
    line = refused(SDIST, sdist(FILES, links={"pkg/a.py": "/etc/passwd"}))
    assert line == f"{SDIST}: refused: 'pkg-1.0/pkg/a.py' in it is a link"


def test_nothing_is_written_through_a_link(tmp_path, fetching):
    outside = tmp_path / "outside"
    outside.mkdir()
    data = sdist(FILES, links={"pkg/sub2": str(outside)})
    (tmp_path / SDIST).write_bytes(data)
    unpacked_file(tmp_path / SDIST, fetching)
    assert os.listdir(outside) == []


def test_a_source_distribution_that_becomes_large_from_next_to_nothing_is_refused(refused, monkeypatch):
    monkeypatch.setattr(rules, "MOST_FILE_BYTES", 1_000_000)
    assert "is it made to fill the disk?" in refused(SDIST, sdist({**FILES, "data.bin": bytes(5_000_000)}))


@pytest.mark.parametrize("keep", [0, 10, 100, -20])
def test_a_source_distribution_that_is_cut_off_is_damaged(refused, keep):
    assert refused(SDIST, sdist(FILES)[:keep]).startswith(f"{SDIST}: damaged")


def test_a_source_distribution_with_a_file_twice_is_refused(refused):
    import tarfile

    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        for data in (b"one", b"two"):
            member = tarfile.TarInfo("pkg-1.0/pkg/__init__.py")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    assert "it holds 'pkg-1.0/pkg/__init__.py' twice" in refused(SDIST, written.getvalue())


def test_a_file_that_is_gone_is_one_line(tmp_path, fetching):
    with pytest.raises(DeepgrepError, match=r"cannot be read \(No such file"):
        unpacked_file(Path(tmp_path / WHEEL), fetching)
