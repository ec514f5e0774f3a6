"""The files of a package as its pages ask for them, without any other host."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from factory.page_files import Files

STAND_INS = (
    (r"material[+-]?icons", "/-shared/material-icons/iconfont/material-icons.css"),
    (r"jquery[@/-]?[\d.]*(?:/dist)?(?:/jquery)?[\d.-]*(?:\.slim)?(?:\.min)?\.js", "/-shared/jquery/dist/jquery.min.js"),
    (r"bootstrap-theme(?:\.min)?\.css", "/-kits/bootstrap3/dist/css/bootstrap-theme.min.css"),
    (r"bootstrap[@/](?:[\w.]*/)*?3[\d.]*/.*bootstrap(?:\.min)?\.css", "/-kits/bootstrap3/dist/css/bootstrap.min.css"),
    (r"bootstrap[@/](?:[\w.]*/)*?3[\d.]*/.*bootstrap(?:\.min)?\.js", "/-kits/bootstrap3/dist/js/bootstrap.min.js"),
    (r"bootstrap[@/](?:[\w.]*/)*?4[\d.]*\S*/.*bootstrap(?:\.min)?\.css", "/-kits/bootstrap4/dist/css/bootstrap.min.css"),
    (r"bootstrap[@/](?:[\w.]*/)*?4[\d.]*\S*/.*bootstrap(?:\.bundle)?(?:\.min)?\.js", "/-kits/bootstrap4/dist/js/bootstrap.bundle.min.js"),
    (r"bootstrap[@/](?:[\w.]*/)*?5[\d.]*\S*/.*bootstrap(?:\.min)?\.css", "/-kits/bootstrap/dist/css/bootstrap.min.css"),
    (r"bootstrap[@/](?:[\w.]*/)*?5[\d.]*\S*/.*bootstrap(?:\.bundle)?(?:\.min)?\.js", "/-kits/bootstrap/dist/js/bootstrap.bundle.min.js"),
    (r"bootstrap-icons.*\.css", "/-kits/bootstrap-icons/font/bootstrap-icons.css"),
    (r"bulma[@/]0\.[\d.]+/.*bulma(?:\.min)?\.css", "/-shared/bulma06/css/bulma.css"),
    (r"materialdesignicons.*\.css", "/-shared/mdi4/css/materialdesignicons.min.css"),
    (r"simple-line-icons.*\.css", "/-shared/simple-line-icons/css/simple-line-icons.css"),
    (r"font-?awesome.*[@/v](?:5|6)\.[\d.]+.*\.css", "/-kits/@fortawesome/fontawesome-free/css/all.min.css"),
    (r"font-?awesome.*[@/v](?:5|6)\.[\d.]+.*\.js", "/-kits/@fortawesome/fontawesome-free/js/all.min.js"),
    (r"font-?awesome.*\.css", "/-shared/font-awesome/css/font-awesome.min.css"),
)  # fmt: skip
"""Parts of the address of something on another host, and what is given instead."""
PACKAGE_HOSTS = re.compile(r"(?:/npm|unpkg\.com|/ajax/libs)/((?:@[\w.-]+/)?[\w.-]+)(?:[@/][\w.^~-]*)?/([^?#]+)")
"""Hosts that give the files of packages by name: the package, and the path in it."""


class DemoFiles(Files):
    """The files of one package; fetched packages stand in for other hosts and for dependencies beside it."""

    package_top = Path()
    package_root = Path()
    fetched = Path()
    kits = Path()
    added = ""
    keeping = "no-store"
    """The same address means another file in the next package."""
    lost: ClassVar[list[str]] = []
    """Style sheets that were asked for and are nowhere."""

    def translate_path(self, path: str) -> str:
        parts = unquote(urlsplit(path).path).lstrip("/")
        for mark, root in (("-shared/", self.fetched), ("-kits/", self.kits)):
            if parts.startswith(mark):
                return str(root / parts.removeprefix(mark))
        there = self.package_root / parts
        return str(there if there.exists() else self.elsewhere(parts) or there)

    def elsewhere(self, parts: str) -> Path | None:
        """Where a file is that a page looks for beside its package, or where its sources were before they were packed."""
        beside = re.search(r"(?:node_modules|bower_components)/(.+)", parts)
        tails = [beside[1]] if beside else []
        roots = (
            [self.fetched, self.kits] if beside else [self.package_root, self.package_top, self.package_top / "dist"]
        )
        if not beside:
            steps = parts.split("/")
            tails = ["/".join(steps[first:]) for first in range(1, len(steps))]
        return next((root / tail for tail in tails for root in roots if (root / tail).is_file()), None)

    def from_package(self, address: str) -> str | None:
        """Where a fetched package has a file that a page asks of a host for packages."""
        asked = PACKAGE_HOSTS.search(address)
        if not asked:
            return None
        for inside in ("", "dist/", "lib/"):
            path = f"{asked[1]}/{inside}{asked[2]}"
            if (self.fetched / path).is_file():
                return f"/-shared/{path}"
        return None

    def made_page(self) -> bytes | None:
        there = Path(self.translate_path(self.path))
        if there.suffix.lower() not in (".html", ".htm") or not there.is_file():
            return None
        page = self.with_stand_ins(there.read_bytes().decode("utf-8", "replace"))
        return page.replace("</head>", f"{self.added}</head>", 1).encode()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if urlsplit(self.path).path.endswith(".css"):
            self.lost.append(self.path)
        super().send_error(code, message, explain)

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # the browser went on to the next page
            super().handle()

    def with_stand_ins(self, page: str) -> str:
        """The page, asking its own server for what other hosts were asked for."""

        def instead(found: re.Match[str]) -> str:
            address = found[2]
            for pattern, path in STAND_INS:
                if re.search(pattern, address.lower()):
                    return f"{found[1]}{path}"
            path = self.from_package(address) or urlsplit(address).path
            return (
                f"{found[1]}{path}" if path.count("/") > 1 and Path(self.translate_path(path)).is_file() else found[0]
            )

        page = re.sub(r"""((?:href|src)\s*=\s*["']?)((?:https?:)?//[^"'\s>]+)""", instead, page, flags=re.IGNORECASE)
        return re.sub(r"""\s(?:integrity|crossorigin)=["'][^"']*["']""", "", page)
