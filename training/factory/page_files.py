"""What the server of a browser gives: files below a folder, and pages that are in no file."""

from __future__ import annotations

import http.server
from typing import Any


class Files(http.server.SimpleHTTPRequestHandler):
    """Files below a folder, and one page that is in no file."""

    page = b""
    keeping = "max-age=86400"
    """How long the browser may keep a file."""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        page = self.made_page()
        if page is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def made_page(self) -> bytes | None:
        """The page that is asked for, or nothing if a file is."""
        return self.page if self.path.startswith("/page.html") else None

    def end_headers(self) -> None:
        if not self.path.startswith("/page.html"):
            self.send_header("Cache-Control", self.keeping)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass
