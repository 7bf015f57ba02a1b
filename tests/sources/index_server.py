"""A package index on this machine, which can be told to misbehave."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Index:
    """What is served, and how.

    `files` are archives by name, `yanked` names of some of them; `ranges` is "honoured", "refused" (the whole file is
    sent), "an error" (416) or "wrong"; `cut_off` after so many bytes of a file; `redirect` sends each request for a
    file to another address; `password` is asked for; a `silent` one answers
    nothing for a second.
    """

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    yanked: set[str] = field(default_factory=set)
    as_json: bool = True
    with_hashes: bool = True
    ranges: str = "honoured"
    cut_off: int | None = None
    redirect: str = ""
    password: str = ""
    silent: bool = False
    status: int = 0
    page: bytes | None = None
    page_type: str = "text/html"
    wrong_hashes: bool = False
    requests: list[tuple[str, str]] = field(default_factory=list)
    """The path of each request, and the range that it asks for, or ""."""
    authorizations: list[str] = field(default_factory=list)
    sent: int = 0

    @property
    def simple(self) -> str:
        return f"{self.address}/simple/"


def _project(filename: str) -> str:
    return re.sub(r"[-_.]+", "-", filename.split("-")[0]).lower()


@contextmanager
def serving(certificate: str = "") -> Iterator[Index]:
    """Serve an index; with a file of a certificate and its key, by TLS."""
    index = Index()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_args: object) -> None:
            pass

        def answer(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            index.sent += len(body)
            self.wfile.write(body)

        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            index.requests.append((self.path, wanted))
            index.authorizations.append(self.headers.get("Authorization", ""))
            expected = "Basic " + base64.b64encode(index.password.encode()).decode()
            if index.password and self.headers.get("Authorization") != expected:
                self.answer(401, b"", WWW_Authenticate="Basic")
            elif index.silent:
                time.sleep(1)
            elif index.status:
                self.answer(index.status, b"")
            elif self.path.startswith("/simple/"):
                self.page(self.path.split("/")[2])
            elif index.redirect:
                self.answer(302, b"", Location=index.redirect + self.path)
            else:
                self.file(index.files.get(self.path.removeprefix("/files/")), wanted)

        def page(self, project: str) -> None:
            names = [name for name in index.files if _project(name) == project]
            if index.page is not None:
                self.answer(200, index.page, Content_Type=index.page_type)
            elif not names:
                self.answer(404, b"")
            elif index.as_json:
                files = [
                    {
                        "filename": name,
                        "url": f"../../files/{name}",
                        "hashes": {"sha256": self.digest(name)} if index.with_hashes else {},
                        "yanked": name in index.yanked,
                    }
                    for name in names
                ]
                body = json.dumps({"meta": {"api-version": "1.0"}, "name": project, "files": files}).encode()
                self.answer(200, body, Content_Type="application/vnd.pypi.simple.v1+json")
            else:
                links = "".join(
                    f'<a href="../../files/{name}{f"#sha256={self.digest(name)}" if index.with_hashes else ""}"'
                    f"{' data-yanked' if name in index.yanked else ''}>{name}</a>"
                    for name in names
                )
                self.answer(200, f"<html>{links}</html>".encode(), Content_Type="text/html")

        def digest(self, name: str) -> str:
            return "0" * 64 if index.wrong_hashes else hashlib.sha256(index.files[name]).hexdigest()

        def file(self, data: bytes | None, wanted: str) -> None:
            if data is None:
                self.answer(404, b"")
                return
            headers, status = {}, 200
            if wanted and index.ranges == "an error":
                self.answer(416, b"")
                return
            if wanted and index.ranges in ("honoured", "wrong"):
                first, last = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted).groups()  # type: ignore[union-attr]
                start = int(first) if first else max(0, len(data) - int(last))
                end = int(last) + 1 if first else len(data)
                if index.ranges == "wrong" and first:
                    start, end = start + 1, end + 1
                headers = {"Content-Range": f"bytes {start}-{min(end, len(data)) - 1}/{len(data)}"}
                data, status = data[start:end], 206
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if index.cut_off is not None:
                data = data[: index.cut_off]
                self.close_connection = True
            index.sent += len(data)
            self.wfile.write(data)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    index.address = f"http{'s' if certificate else ''}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
