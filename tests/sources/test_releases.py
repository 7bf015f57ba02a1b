"""A release is fetched from the package index in its Python files only, whole or not at all."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import certifi
import pytest
from index_server import serving
from wheels import FILES, contents, sdist, wheel

from deepgrep.errors import DeepgrepError
from deepgrep.sources import find_directory, read_tree
from deepgrep.sources.released import compare_releases
from deepgrep.sources.releases import find_release, released_versions

WHEEL = "pkg-1.0-py3-none-any.whl"
# More than a server sends along with the end of the file.
PADDING = 2_000_000


@pytest.fixture(params=["honoured", "refused", "an error"])
def ranges(request, index):
    index.ranges = request.param


def nothing_is_kept(fetching) -> bool:
    return not fetching.keep_in.exists() or os.listdir(fetching.keep_in) == []


def failure(fetching, spec="1.0", package="pkg") -> str:
    """The line for a release that cannot be had; nothing of it is left."""
    with pytest.raises(DeepgrepError) as raised:
        find_release(package, spec, fetching)
    assert nothing_is_kept(fetching)
    line = str(raised.value)
    assert "\n" not in line
    assert "127.0.0.1" not in line
    assert "/simple" not in line
    return line


# what is fetched


@pytest.mark.usefixtures("ranges")
@pytest.mark.parametrize("as_json", [True, False])
def test_the_python_files_of_a_wheel_lie_as_when_it_is_installed(index, fetching, as_json):
    index.as_json = as_json
    index.files[WHEEL] = wheel(padding=PADDING)
    folder = find_release("pkg", "1.0", fetching)
    assert contents(folder) == FILES
    assert not (folder / "pkg" / "lib.so").exists()
    tree, _ = read_tree(find_directory(folder / "pkg"), b"", pytest.fail)
    released = compare_releases([tree])[0]
    assert (tree.version, released.compared, released.differing) == ("1.0", 3, [])


def test_what_lies_between_the_python_files_is_not_fetched(index, fetching, heard):
    index.files[WHEEL] = wheel(padding=PADDING)
    find_release("pkg", "1.0", fetching)
    asked = [wanted for path, wanted in index.requests if path.startswith("/files/")]
    assert len(asked) == 2, "the end of the file, with the directory and the last files, and its beginning"
    assert index.sent < 200_000
    assert 60_000 < heard.fetched < 200_000


@pytest.mark.usefixtures("ranges")
def test_files_that_the_wheel_installs_from_its_data_folder_lie_where_they_are_imported(index, fetching):
    index.files[WHEEL] = wheel(
        files={"pkg-1.0.data/purelib/pkg/__init__.py": b"x\n", "pkg-1.0.data/scripts/a.py": b"y\n"}
    )
    folder = find_release("pkg", "1.0", fetching)
    assert contents(folder) == {"pkg/__init__.py": b"x\n"}
    tree, _ = read_tree(find_directory(folder / "pkg"), b"", pytest.fail)
    assert compare_releases([tree])[0].differing == []


def test_a_release_without_a_wheel_is_its_source_distribution(index, fetching):
    index.files["pkg-1.0.tar.gz"] = sdist({**FILES, "setup.py": b"", "PKG-INFO": b"Name: pkg\nVersion: 1.0\n"})
    folder = find_release("pkg", "1.0", fetching)
    assert contents(folder).items() >= FILES.items()


def test_a_wheel_is_preferred_to_a_source_distribution(index, fetching):
    index.files["pkg-1.0.tar.gz"] = sdist({"pkg/__init__.py": b"other\n"})
    index.files[WHEEL] = wheel()
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_somebody_who_waits_hears_what_is_done(index, fetching, heard):
    index.files[WHEEL] = wheel()
    find_release("pkg", "1.0", fetching)
    assert (heard.begun, heard.ended) == (["fetching pkg 1.0"], ["fetched the Python files of pkg 1.0"])


# where from


def test_a_folder_of_wheels_is_looked_into(no_files, fetching, tmp_path, monkeypatch):
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / WHEEL).write_bytes(wheel())
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


@pytest.mark.parametrize("hashed", [True, False])
def test_an_index_on_this_machine_is_looked_into(no_files, fetching, tmp_path, monkeypatch, hashed):
    (tmp_path / "simple" / "pkg").mkdir(parents=True)
    (tmp_path / WHEEL).write_bytes(wheel())
    digest = f"#sha256={hashlib.sha256(wheel()).hexdigest()}" if hashed else ""
    (tmp_path / "simple" / "pkg" / "index.html").write_text(f'<a href="../../{WHEEL}{digest}">{WHEEL}</a>')
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_a_file_on_this_machine_must_have_the_hash_that_its_index_says(no_files, fetching, tmp_path, monkeypatch):
    (tmp_path / "simple" / "pkg").mkdir(parents=True)
    (tmp_path / WHEEL).write_bytes(wheel())
    (tmp_path / "simple" / "pkg" / "index.html").write_text(f'<a href="../../{WHEEL}#sha256={"0" * 64}">{WHEEL}</a>')
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    assert "has not the hash that the package index says" in failure(fetching)


def test_a_page_of_links_is_looked_into(index, fetching, monkeypatch):
    index.files[WHEEL] = wheel()
    index.page = f'<a href="/files/{WHEEL}">any text</a>'.encode()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", f"{index.address}/simple/links.html")
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_the_newest_of_all_indexes_is_taken(index, fetching, tmp_path, monkeypatch):
    index.files[WHEEL] = wheel()
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "pkg-1.1-py3-none-any.whl").write_bytes(wheel(version="1.1"))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    assert find_release("pkg", "latest", fetching).name == "pkg-1.1"


def test_an_index_that_does_not_answer_is_left_out_where_another_one_does(index, fetching, heard, monkeypatch):
    index.files[WHEEL] = wheel()
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "http://127.0.0.1:9/simple")
    assert find_release("pkg", "1.0", fetching)
    assert len(heard.warnings) == 1
    assert heard.warnings[0].startswith(
        "one of the package indexes is left out: pkg: the package index cannot be reached"
    )


# credentials


def test_the_user_name_and_password_of_the_index_are_sent_to_it(index, fetching, monkeypatch):
    index.files[WHEEL] = wheel()
    index.password = "me:se cret"
    monkeypatch.setenv("PIP_INDEX_URL", index.simple.replace("//", "//me:se%20cret@"))
    assert contents(find_release("pkg", "1.0", fetching)) == FILES
    kept = b"".join(path.read_bytes() for path in fetching.keep_in.rglob("*") if path.is_file())
    assert b"cret" not in kept


def test_the_user_name_and_password_can_be_in_netrc(index, fetching, unconfigured):
    index.files[WHEEL] = wheel()
    index.password = "me:secret"
    (unconfigured / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_the_user_name_and_password_can_be_in_the_keyring(index, fetching, monkeypatch):
    index.files[WHEEL] = wheel()
    index.password = "me:secret"
    asked = []

    def get_credential(service, name):
        asked.append((service.removeprefix(index.address), name))
        return (
            SimpleNamespace(username="me", password="secret")
            if service == index.address.removeprefix("http://")
            else None
        )

    monkeypatch.setitem(sys.modules, "keyring", SimpleNamespace(get_credential=get_credential))
    assert contents(find_release("pkg", "1.0", fetching)) == FILES
    assert asked[0] == ("/simple/pkg/", None)


def test_the_user_name_and_password_of_a_file_can_be_in_its_address(index, fetching):
    index.files[WHEEL] = wheel()
    index.page = f'<a href="{index.address.replace("//", "//me:secret@")}/files/{WHEEL}">{WHEEL}</a>'.encode()
    assert contents(find_release("pkg", "1.0", fetching)) == FILES
    assert index.authorizations[0] == ""
    assert index.authorizations[-1].startswith("Basic ")


def test_a_server_cannot_offer_files_of_this_machine(index, fetching, tmp_path):
    (tmp_path / WHEEL).write_bytes(wheel())
    index.page = f'<a href="{(tmp_path / WHEEL).as_uri()}">{WHEEL}</a>'.encode()
    assert "the package index has no such package" in failure(fetching)


@pytest.mark.parametrize("given", ["", "me:wrong@"])
def test_an_index_that_wants_others_is_one_line_without_them(index, fetching, monkeypatch, given):
    index.password = "me:secret"
    monkeypatch.setenv("PIP_INDEX_URL", index.simple.replace("//", f"//{given}"))
    line = failure(fetching)
    assert "asks for another user name and password (401)" in line
    assert "wrong" not in line


def test_a_redirect_to_another_host_takes_no_password_along(index, fetching, monkeypatch):
    with serving() as other:
        index.files[WHEEL] = other.files[WHEEL] = wheel()
        index.password = "me:secret"
        index.redirect = other.address.replace("127.0.0.1", "localhost")
        monkeypatch.setenv("PIP_INDEX_URL", index.simple.replace("//", "//me:secret@"))
        assert contents(find_release("pkg", "1.0", fetching)) == FILES
        assert set(other.authorizations) == {""}


def test_an_index_without_encryption_elsewhere_must_be_trusted(no_files, fetching, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:secret@index.invalid/simple")
    line = failure(fetching)
    assert "is asked without encryption: use https, or set pip's option trusted-host" in line
    assert "secret" not in line
    monkeypatch.setenv("PIP_TRUSTED_HOST", "index.invalid")
    assert "cannot be reached" in failure(fetching)


def test_a_redirect_to_what_is_not_encrypted_is_not_followed(index, fetching):
    index.files[WHEEL] = wheel()
    index.redirect = "http://files.invalid"
    assert "is asked without encryption" in failure(fetching)


@pytest.fixture
def certificate(tmp_path):
    """A certificate that nobody vouches for, and its key, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    file = tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=x -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*command.split(), "-keyout", file, "-out", f"{file}.crt"], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + Path(f"{file}.crt").read_bytes())
    return str(file)


@pytest.mark.parametrize("option", ["CERT", "TRUSTED_HOST"])
def test_a_certificate_that_nobody_vouches_for_is_refused_unless_pip_is_told_otherwise(
    no_files, fetching, monkeypatch, certificate, option
):
    with serving(certificate) as index:
        index.files[WHEEL] = wheel()
        monkeypatch.setenv("PIP_INDEX_URL", index.simple)
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", certifi.where())
        assert "the certificate of the package index cannot be verified: set pip's option cert" in failure(fetching)
        monkeypatch.setenv(f"PIP_{option}", certificate if option == "CERT" else "127.0.0.1")
        assert contents(find_release("pkg", "1.0", fetching)) == FILES


# what goes wrong


def test_an_index_that_stays_silent_is_one_line(index, fetching, monkeypatch):
    index.silent = True
    monkeypatch.setenv("PIP_TIMEOUT", "0.1")
    assert failure(fetching) == "pkg: no answer from the package index within 0.1 s"


def test_a_package_that_there_is_not_is_one_line(index, fetching):
    assert (
        failure(fetching, package="other") == "other: the package index has no such package: is that its name for pip?"
    )


def test_a_version_that_there_is_not_is_one_line_with_those_that_there_are(index, fetching):
    for version in ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0rc1"):
        index.files[f"pkg-{version}-py3-none-any.whl"] = b""
    line = failure(fetching, "9.9")
    assert line == "pkg 9.9: the package index has no such release: it has 1.0, …, 1.1, 1.2, 1.3, 1.4, 1.5"


def test_no_network_is_one_line(no_files, fetching, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert failure(fetching).startswith("pkg: the package index cannot be reached: is there a network?")


def test_an_index_that_is_broken_is_one_line(index, fetching):
    index.status = 502
    assert "the package index answers with status 502" in failure(fetching)


@pytest.mark.parametrize("page", [b"{", b"[]", b'{"meta": {}, "files": 3}', b"\xff\xfe\x00"])
def test_a_page_that_is_none_is_one_line(index, fetching, page):
    index.page, index.page_type = page, "application/vnd.pypi.simple.v1+json"
    assert "is no list of files" in failure(fetching)


def test_a_file_whose_version_is_too_long_is_left_out(index, fetching):
    file = {"filename": "pkg-1.0.tar.gz", "url": f"https://a.example/pkg-{'9' * 5000}.tar.gz", "hashes": {}}
    page = {"meta": {"api-version": "1.0"}, "name": "pkg", "files": [file]}
    index.page, index.page_type = json.dumps(page).encode(), "application/vnd.pypi.simple.v1+json"
    assert "has no such package" in failure(fetching)


@pytest.mark.parametrize(
    "wrong",
    [
        {"filename": "pkg-0.9.tar.gz", "url": "https://[a.example/pkg-0.9.tar.gz", "hashes": {}},
        {"filename": "pkg-0.9.tar.gz", "url": 3, "hashes": {}},
        {"filename": "pkg-0.9.tar.gz"},
        "pkg-0.9.tar.gz",
        None,
    ],
)
def test_a_file_that_an_index_describes_wrongly_spoils_no_other(index, fetching, wrong):
    index.files[WHEEL] = wheel()
    right = {"filename": WHEEL, "url": f"../../files/{WHEEL}", "hashes": {}}
    page = {"meta": {"api-version": "1.0"}, "name": "pkg", "files": [wrong, right]}
    index.page, index.page_type = json.dumps(page).encode(), "application/vnd.pypi.simple.v1+json"
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_a_link_that_is_no_address_spoils_no_other(index, fetching):
    index.files[WHEEL] = wheel()
    index.page = f'<a href="https://[a.example/pkg-0.9.tar.gz">x</a><a href="../../files/{WHEEL}">{WHEEL}</a>'.encode()
    assert contents(find_release("pkg", "1.0", fetching)) == FILES


def test_an_index_of_another_protocol_is_one_line_without_it(index, fetching, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "htps://me:secret@index.example/")
    line = failure(fetching)
    assert "neither http:, https: nor file:" in line
    assert "secret" not in line


def test_a_page_of_another_kind_is_one_line(index, fetching):
    index.page, index.page_type = b"log in", "text/plain"
    assert "is no list of files" in failure(fetching)


@pytest.mark.parametrize("ranges", ["honoured", "refused"])
def test_a_download_that_is_cut_off_is_one_line(index, fetching, ranges):
    index.ranges, index.cut_off = ranges, 5000
    index.files[WHEEL] = wheel(padding=PADDING)
    assert "the download was cut off after" in failure(fetching)


def test_a_server_that_sends_other_ranges_is_one_line(index, fetching):
    index.ranges = "wrong"
    index.files[WHEEL] = wheel(padding=PADDING)
    assert "sends other parts than it was asked for" in failure(fetching)


def test_a_whole_wheel_must_have_the_hash_that_the_index_says(index, fetching):
    index.ranges, index.wrong_hashes = "refused", True
    index.files[WHEEL] = wheel()
    assert failure(fetching) == f"{WHEEL}: refused: it has not the hash that the package index says"


@pytest.mark.usefixtures("ranges")
def test_a_file_that_is_not_what_record_says_is_refused(index, fetching):
    good = wheel()
    index.files[WHEEL] = wheel(files={**FILES, "pkg/sub/mod.py": b"evil()\n"}, record_says=_record_of(good))
    assert failure(fetching) == f"{WHEEL}: refused: 'pkg/sub/mod.py' has not the hash that RECORD says"


def _record_of(data: bytes) -> bytes:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("pkg-1.0.dist-info/RECORD")


def test_a_cache_that_cannot_be_written_is_one_line(index, fetching):
    index.files[WHEEL] = wheel()
    fetching.keep_in.parent.mkdir()
    fetching.keep_in.write_text("a file")
    with pytest.raises(DeepgrepError, match=r"pkg 1.0: cannot be kept in .*: --cache-dir DIR names another folder"):
        find_release("pkg", "1.0", fetching)


# which release


VERSIONS = ("2.11.0", "2.11.1", "2.12.0", "2.12.1rc1", "2.13.0.dev20260101", "2.12.1.dev1")


@pytest.fixture
def versions(index):
    for version in VERSIONS:
        index.files[f"pkg-{version}-py3-none-any.whl"] = wheel(version=version)


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(
    ("spec", "version"),
    [
        ("2.11.0", "2.11.0"),
        ("2.11", "2.11.1"),
        ("2", "2.12.0"),
        ("latest", "2.12.0"),
        ("nightly", "2.13.0.dev20260101"),
        ("2.12.1rc1", "2.12.1rc1"),
        ("2.12.1-rc1", "2.12.1rc1"),
    ],
)
def test_the_release_that_a_version_means(fetching, spec, version):
    assert find_release("pkg", spec, fetching).name == f"pkg-{version}"


def test_a_version_without_a_local_part_means_any_build_of_it(index, fetching):
    index.files["pkg-1.0.0+cpu-py3-none-any.whl"] = wheel(version="1.0.0+cpu")
    assert find_release("pkg", "1.0.0", fetching).name == "pkg-1.0.0+cpu"
    index.status = 500
    assert find_release("pkg", "1.0.0", fetching).name == "pkg-1.0.0+cpu"


def test_an_index_without_nightlies_is_one_line(index, fetching):
    index.files[WHEEL] = wheel()
    assert failure(fetching, "nightly") == (
        "pkg nightly: the package index offers none: set pip's option index-url to one that does"
    )


@pytest.mark.usefixtures("versions")
def test_a_yanked_release_is_taken_only_if_it_is_named_and_that_is_said(index, fetching, heard):
    index.yanked = {"pkg-2.11.1-py3-none-any.whl"}
    assert find_release("pkg", "2.11", fetching).name == "pkg-2.11.0"
    assert heard.warnings == []
    assert find_release("pkg", "2.11.1", fetching).name == "pkg-2.11.1"
    assert heard.warnings == ["pkg 2.11.1 was yanked: its authors took this release back"]


@pytest.mark.usefixtures("versions")
def test_the_released_versions_are_listed_oldest_first(index):
    index.files["pkg-2.9.0-py3-none-any.whl"] = index.files["pkg-2.9.0+cpu-py3-none-any.whl"] = b""
    index.yanked = {"pkg-2.12.0-py3-none-any.whl"}
    assert released_versions("pkg", pytest.fail) == ["2.9.0", "2.11.0", "2.11.1"]


def test_a_wheel_for_any_platform_is_taken_before_one_for_linux_and_that_before_others(index, fetching):
    for platform in (
        "cp27-cp27m-win_amd64",
        "cp39-cp39-macosx_11_0_arm64",
        "cp39-cp39-manylinux2014_x86_64",
        "py3-none-any",
    ):
        index.files[f"pkg-1.0-{platform}.whl"] = wheel(files={"pkg/__init__.py": platform.encode()})
    taken = []
    while index.files:
        index.files.pop(taken[-1] if taken else "", None)
        if not index.files:
            break
        folder = find_release("pkg", "1.0", fetching)
        taken.append(f"pkg-1.0-{(folder / 'pkg' / '__init__.py').read_text()}.whl")
        shutil.rmtree(folder)
    assert taken == [
        f"pkg-1.0-{tags}.whl"
        for tags in (
            "py3-none-any",
            "cp39-cp39-manylinux2014_x86_64",
            "cp39-cp39-macosx_11_0_arm64",
            "cp27-cp27m-win_amd64",
        )
    ]


# Python reads no number of more than some thousand digits.
@pytest.mark.parametrize("spec", ["1.x", "one", "1..2", "==1.0", f"1.0.{'9' * 5000}"])
def test_what_is_no_version_is_one_line(index, fetching, spec):
    assert "neither a version (2.11.0, 2.11), latest, nightly" in failure(fetching, spec)


# what is kept


@pytest.mark.usefixtures("versions")
def test_a_release_that_is_kept_asks_no_network(index, fetching):
    folder = find_release("pkg", "2.11.0", fetching)
    index.requests.clear()
    assert find_release("pkg", "2.11.0", fetching) == folder
    assert index.requests == []


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize("spec", ["2.11", "latest"])
def test_without_a_network_the_newest_that_is_kept_is_taken_and_that_is_said(fetching, heard, monkeypatch, spec):
    find_release("pkg", "2.11.0", fetching)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert find_release("pkg", spec, fetching).name == "pkg-2.11.0"
    assert len(heard.warnings) == 1
    assert heard.warnings[0].endswith("; taken is pkg 2.11.0, which is kept")


@pytest.mark.usefixtures("versions")
@pytest.mark.parametrize(("spec", "taken"), [("2.11", "2.11.1"), ("latest", "2.12.0"), ("2.10", "2.10.0")])
def test_what_is_kept_counts_where_only_some_indexes_answer(fetching, heard, tmp_path, monkeypatch, spec, taken):
    find_release("pkg", "2.11", fetching)
    find_release("pkg", "2.12", fetching)
    (tmp_path / "wheels").mkdir()
    for version in ("2.10.0", "2.11.0"):
        name = f"pkg-{version}-py3-none-any.whl"
        (tmp_path / "wheels" / name).write_bytes(wheel(version=version))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert find_release("pkg", spec, fetching).name == f"pkg-{taken}"
    assert heard.warnings[0].startswith("one of the package indexes is left out")


def test_an_index_that_is_broken_is_as_one_that_cannot_be_reached(index, fetching, heard):
    index.files["pkg-2.11.0-py3-none-any.whl"] = wheel(version="2.11.0")
    find_release("pkg", "2.11", fetching)
    index.status = 502
    assert find_release("pkg", "2.11", fetching).name == "pkg-2.11.0"
    assert heard.warnings == [
        "pkg: the package index answers with status 502: try again later; taken is pkg 2.11.0, which is kept"
    ]


@pytest.mark.usefixtures("versions")
def test_without_a_network_what_is_not_kept_cannot_be_had(fetching, monkeypatch):
    find_release("pkg", "2.11.0", fetching)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(DeepgrepError, match="cannot be reached"):
        find_release("pkg", "2.12", fetching)


def test_processes_that_fetch_the_same_at_once_both_have_it_whole(index, fetching):
    index.files[WHEEL] = wheel(padding=PADDING)
    code = (
        "import sys; from pathlib import Path; from deepgrep.sources.fetching import Fetching\n"
        "from deepgrep.sources.releases import find_release\n"
        "say = lambda *_: None\n"
        "print(find_release('pkg', '1.0', Fetching(Path(sys.argv[1]), say, say, say, say)))"
    )
    command = [sys.executable, "-c", code, str(fetching.keep_in)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    folders = {process.communicate(timeout=60)[0].strip() for process in running}
    assert folders == {str(fetching.keep_in / "pkg-1.0")}
    assert os.listdir(fetching.keep_in) == ["pkg-1.0"]
    assert contents(Path(folders.pop())) == FILES


def test_what_a_killed_process_left_behind_is_removed_a_day_later(index, fetching):
    index.files[WHEEL] = wheel()
    for name, age in ((".unfinished-old", 100_000), (".unfinished-new", 0)):
        (fetching.keep_in / name).mkdir(parents=True)
        when = (fetching.keep_in / name).stat().st_mtime - age
        os.utime(fetching.keep_in / name, (when, when))
    find_release("pkg", "1.0", fetching)
    assert sorted(os.listdir(fetching.keep_in)) == [".unfinished-new", "pkg-1.0"]
