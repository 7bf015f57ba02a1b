"""Pip's configuration is read as pip reads it."""

import os
import sys
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.configuration import read_configuration

pytestmark = [
    pytest.mark.usefixtures("unconfigured"),
    pytest.mark.skipif(sys.platform != "linux", reason="the files lie elsewhere"),
]


@pytest.fixture
def user_file(unconfigured: Path) -> Path:
    file = unconfigured / "XDG_CONFIG_HOME" / "pip" / "pip.conf"
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture(autouse=True)
def no_environment_file(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    (tmp_path / "environment").mkdir()


def test_without_a_configuration_it_is_pips_own_index():
    configuration = read_configuration()
    assert len(configuration.index_urls) == 1
    assert configuration.index_urls[0].startswith("https://")
    assert (configuration.trusted_hosts, configuration.cert, configuration.proxy) == ((), None, None)


def test_every_option_can_be_a_variable(monkeypatch):
    values = {
        "INDEX_URL": "https://a/simple",
        "EXTRA_INDEX_URL": "https://b/simple https://c/simple",
        "FIND_LINKS": "/wheels https://d/links.html",
        "TRUSTED_HOST": "a b:8080",
        "CERT": "~/ca.pem",
        "CLIENT_CERT": "/me.pem",
        "PROXY": "http://proxy:3128",
        "DEFAULT_TIMEOUT": "7",
    }
    for name, value in values.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    found = read_configuration()
    assert found.index_urls == ("https://a/simple", "https://b/simple", "https://c/simple")
    assert found.find_links == ("/wheels", "https://d/links.html")
    assert found.trusted_hosts == ("a", "b:8080")
    assert found.cert == os.path.expanduser("~/ca.pem")
    assert (found.client_cert, found.proxy, found.timeout) == ("/me.pem", "http://proxy:3128", 7.0)


def test_every_option_can_be_in_a_file(user_file):
    user_file.write_text(
        "[global]\nindex-url = https://a/100%/simple\nextra_index_url =\n  https://b\n  https://c\ntimeout=3\n"
    )
    found = read_configuration()
    assert found.index_urls == ("https://a/100%/simple", "https://b", "https://c")
    assert found.timeout == 3.0


def test_the_section_of_the_command_goes_before_the_global_one_and_others_do_not_count(user_file):
    user_file.write_text(
        "[install]\nindex-url=https://install\n[global]\nindex-url=https://global\n[list]\nindex-url=https://l\n"
    )
    assert read_configuration().index_urls == ("https://install",)


def test_later_files_go_before_earlier_ones_and_variables_before_files(unconfigured, user_file, tmp_path, monkeypatch):
    def index() -> str:
        return read_configuration().index_urls[0]

    site = unconfigured / "XDG_CONFIG_DIRS" / "pip" / "pip.conf"
    legacy = unconfigured / ".pip" / "pip.conf"
    environment = tmp_path / "environment" / "pip.conf"
    named = tmp_path / "named.conf"
    monkeypatch.setenv("PIP_CONFIG_FILE", str(named))
    for number, file in enumerate((site, legacy, user_file, environment, named)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[global]\nindex-url=https://{number}\n")
        assert index() == f"https://{number}"
    monkeypatch.setenv("PIP_INDEX_URL", "https://variable")
    assert index() == "https://variable"


def test_no_file_is_read_where_the_variable_says_so(user_file, monkeypatch):
    user_file.write_text("[global]\nno-index=true\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert read_configuration().index_urls


@pytest.mark.parametrize(("value", "indexes"), [("1", 0), ("true", 0), ("off", 1), ("", 1)])
def test_pip_may_be_told_to_ask_no_index(monkeypatch, value, indexes):
    monkeypatch.setenv("PIP_NO_INDEX", value)
    assert len(read_configuration().index_urls) == indexes


def test_an_empty_variable_says_nothing(user_file, monkeypatch):
    user_file.write_text("[global]\nindex-url=https://a\n")
    monkeypatch.setenv("PIP_INDEX_URL", "")
    assert read_configuration().index_urls == ("https://a",)


@pytest.mark.parametrize("text", ["index-url = https://me:secret@a\n", "[global\n", "\udcff"])
def test_a_file_that_is_no_configuration_is_one_line_that_quotes_nothing_of_it(user_file, text):
    user_file.write_text(text, errors="surrogateescape")
    with pytest.raises(DeepgrepError, match="not a configuration file of pip") as raised:
        read_configuration()
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(("name", "value"), [("NO_INDEX", "perhaps"), ("TIMEOUT", "soon")])
def test_a_value_that_is_none_is_one_line(monkeypatch, name, value):
    monkeypatch.setenv(f"PIP_{name}", value)
    with pytest.raises(DeepgrepError, match=r"'pip config debug' shows where it is set"):
        read_configuration()


@pytest.mark.parametrize("option", ["INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "PROXY"])
@pytest.mark.parametrize("address", ["https://me:secret@[::1/simple", "https://me:secret@host:port/simple"])
def test_an_address_that_is_none_is_one_line_without_it(monkeypatch, option, address):
    monkeypatch.setenv(f"PIP_{option}", address)
    with pytest.raises(DeepgrepError, match="pip is given an address that is none") as raised:
        read_configuration()
    assert "secret" not in str(raised.value)
