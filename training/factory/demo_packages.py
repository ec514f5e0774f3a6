"""Packages that ship whole pages with their style sheets, and which of their pages are used.

The split is by package: `held_out` ones are the development set for pages of real projects and never trained on.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DemoPackage:
    """Pages of one package: `root` is the folder its absolute addresses mean, `pages` are globs below it."""

    name: str
    split: str = "train"
    root: str = ""
    pages: tuple[str, ...] = ("*.html",)
    leave: tuple[str, ...] = ()
    """Words in the path of pages that show nothing, or nothing right."""
    add: str = ""
    """What its pages get from a script that is not in the package."""

    @property
    def look(self) -> str:
        """Its name in file names."""
        return self.name.strip("@").replace("/", "_").replace("-", "_")

    def found(self, fetched: Path) -> list[str]:
        """The addresses of its pages, in order."""
        root = fetched / self.name / self.root
        pages = {path.relative_to(root).as_posix() for pattern in self.pages for path in root.glob(pattern)}
        return sorted(page for page in pages if not any(word in page for word in self.leave))


HELD_OUT = "held_out"
PACKAGES = (
    DemoPackage("@buingochung.ntu/wogi-admin-template", pages=("demo/*.html",)),
    DemoPackage("@coreui/ajax", root="Static_Full_Project_GULP/src"),
    DemoPackage("@olton/metroui", pages=("examples/*.html",)),
    DemoPackage("adminator-admin-dashboard", root="dist"),
    DemoPackage("argon-design-system-free", pages=("index.html", "examples/*.html", "docs/*.html")),
    DemoPackage("bootflat"),
    DemoPackage("bootstrap-admin-dashboard-free", pages=("*.html", "pages/**/*.html")),
    DemoPackage("bootstrap-login-form", HELD_OUT),
    DemoPackage("bootstrap-payment-forms", HELD_OUT),
    DemoPackage("bootstrap-switch", HELD_OUT, root="docs"),
    DemoPackage("bootstrap-tabs-x", pages=("examples/*.html",)),
    DemoPackage("bootstrap-tagsinput", pages=("examples/**/*.html",)),
    DemoPackage("bootstrap-template-another-way-btaw", pages=("src/_appref/*.html",)),
    DemoPackage("bootstrap-treeview", pages=("public/*.html",)),
    DemoPackage("bootstrap-wizard", pages=("*.html", "examples/*.html")),
    DemoPackage("bootswatch", pages=("*/index.html", "2/*/index.html"), leave=("help", "tests", "api", "custom", "global", "swatchmaker")),
    DemoPackage("bulma-templates", pages=("*.html", "templates/*.html")),
    DemoPackage("carbon-admin", root="dist"),
    DemoPackage("ckeditor", pages=("samples/**/*.html",)),
    DemoPackage("clockpicker"),
    DemoPackage("dark-bootstrap-theme", pages=("demo/**/*.html",)),
    DemoPackage("daterangepicker", pages=("*.html", "website/*.html")),
    DemoPackage("designmodo-flat-ui", pages=("*.html", "docs/**/*.html")),
    DemoPackage("dhtmlx-suite", pages=("samples/**/*.html",), leave=("/common/", "index.html")),
    DemoPackage("dijit", root="..", pages=("dijit/tests/*.html", "dijit/tests/form/*.html", "dijit/tests/layout/*.html", "dijit/themes/**/*.html")),
    DemoPackage("editor.md", pages=("examples/*.html",), leave=("@links",)),
    DemoPackage("eonasdan-bootstrap-datetimepicker", pages=("docs/**/*.html",), leave=("theme",)),
    DemoPackage("footable", pages=("demos/*.htm",)),
    DemoPackage("foundation-sites", pages=("test/visual/**/*.html",)),
    DemoPackage("fuelux", pages=("index.html",)),
    DemoPackage("html-anything", pages=("dist/templates/**/*.html",)),
    DemoPackage("icheck", HELD_OUT, pages=("demo/*.html",)),
    DemoPackage("icp-admin-web-ui-html", root="public", leave=("exit", "bak")),
    DemoPackage("ignite-ui", pages=("css/themes/*/style-guides/*.html",)),
    DemoPackage("itemplate_bulma_css_framework_admin_template"),
    DemoPackage("jodit", pages=("examples/*.html",)),
    DemoPackage("jquery-bootstrap-theme", pages=("*.html", "sidebyside/*.html")),
    DemoPackage("jquery-datetimepicker"),
    DemoPackage("jquery-formwizard", pages=("examples/*.html",)),
    DemoPackage("jquery-mobile", root="dist/demos", pages=("**/*.html",)),
    DemoPackage("jquery-steps", pages=("demo/*.html",)),
    DemoPackage("jquery-treegrid", pages=("examples/*.html", "*.html")),
    DemoPackage("jquery-weui", pages=("dist/demos/*.html",)),
    DemoPackage("jsgrid", pages=("demos/*.html",)),
    DemoPackage("jsoneditor", pages=("examples/*.html",)),
    DemoPackage("jstree", pages=("demo/**/*.html", "test/visual/**/*.html")),
    DemoPackage("jui", pages=("sample/*.html",)),
    DemoPackage("layui-src", pages=("examples/*.html",)),
    DemoPackage("material-design-lite", pages=("dist/components/*/demo.html",)),
    DemoPackage("mdbootstrap", HELD_OUT),
    DemoPackage("metro-bootstrap", HELD_OUT, pages=("docs/*.html",)),
    DemoPackage("metro-ui", pages=("docs/*.html", "docs/templates/*.html"), leave=("footer", "header", "ajax")),
    DemoPackage("modular-admin-html"),
    DemoPackage("mustard-ui", pages=("docs/**/*.html", "examples/*.html")),
    DemoPackage("notus-js", HELD_OUT, pages=("**/*.html",)),
    DemoPackage("owl.carousel", pages=("docs/**/*.html",)),
    DemoPackage("picnic", root="docs"),
    DemoPackage("pp-bootstraptemplate", HELD_OUT),
    DemoPackage("propellerkit", pages=("components/**/*.html",)),
    DemoPackage("purple-admin", HELD_OUT, pages=("*.html", "pages/**/*.html")),
    DemoPackage("ratchet-npm", pages=("docs/examples/*/*.html",)),
    DemoPackage("rcue", pages=("tests/*.html",), leave=("login-multi",)),
    DemoPackage("responsive-admin-template-bootstrap"),
    DemoPackage("ribs-admin-bundle-templates", root="public", pages=("*.html", "pages/*.html")),
    DemoPackage("rundiz-template-for-admin"),
    DemoPackage("selectize", pages=("examples/*.html",)),
    DemoPackage("shards-ui", HELD_OUT, pages=("dist/*.html",)),
    DemoPackage("shoelace-css"),
    DemoPackage("sleek-dashboard", root="dist"),
    DemoPackage("smartmenus", pages=("src/demo/*.html",)),
    DemoPackage("sneat-bootstrap-html-admin-template-free", pages=("html/*.html",)),
    DemoPackage("spectrum-colorpicker"),
    DemoPackage("spur-template", pages=("dist/html/*.html",)),
    DemoPackage("startbootstrap-agency", root="dist"),
    DemoPackage("startbootstrap-bare", root="dist"),
    DemoPackage("startbootstrap-blog-home", root="dist"),
    DemoPackage("startbootstrap-blog-post", root="dist"),
    DemoPackage("startbootstrap-business-casual", root="dist"),
    DemoPackage("startbootstrap-business-frontpage", root="dist"),
    DemoPackage("startbootstrap-clean-blog", HELD_OUT, root="dist"),
    DemoPackage("startbootstrap-coming-soon", root="dist"),
    DemoPackage("startbootstrap-creative", root="dist"),
    DemoPackage("startbootstrap-freelancer", root="dist"),
    DemoPackage("startbootstrap-full-width-pics", root="dist"),
    DemoPackage("startbootstrap-grayscale", root="dist"),
    DemoPackage("startbootstrap-heroic-features", root="dist"),
    DemoPackage("startbootstrap-landing-page", root="dist"),
    DemoPackage("startbootstrap-modern-business", root="dist"),
    DemoPackage("startbootstrap-new-age", HELD_OUT, root="dist"),
    DemoPackage("startbootstrap-one-page-wonder", root="dist"),
    DemoPackage("startbootstrap-personal", root="dist"),
    DemoPackage("startbootstrap-resume", HELD_OUT, root="dist"),
    DemoPackage("startbootstrap-scrolling-nav", root="dist"),
    DemoPackage("startbootstrap-shop-homepage", HELD_OUT, root="dist"),
    DemoPackage("startbootstrap-shop-item", root="dist"),
    DemoPackage("startbootstrap-simple-sidebar", root="dist"),
    DemoPackage("startbootstrap-small-business", root="dist"),
    DemoPackage("startbootstrap-stylish-portfolio", root="dist"),
    DemoPackage("sui-framework", pages=("docs/*.html", "packages/*/docs/*.html")),
    DemoPackage("summernote", pages=("examples/*.html",)),
    DemoPackage("swiss-styleguide", root="styleguide", pages=("en/**/*.html", "fr/**/*.html")),
    DemoPackage("topcoat", HELD_OUT, pages=("demo/*.html",)),
    DemoPackage("tower-bootstrap-theme", pages=("docs/*.html",)),
    DemoPackage("trumbowyg", HELD_OUT),
    DemoPackage("uikit", pages=("tests/*.html",), add='<link rel="stylesheet" href="/dist/css/uikit.min.css"><script src="/dist/js/uikit.min.js"></script><script src="/dist/js/uikit-icons.min.js"></script>'),
    DemoPackage("uikit2.27.2-fixed", pages=("docs/*.html", "tests/**/*.html"), leave=("tests/index",)),
    DemoPackage("vali-admin", HELD_OUT, root="docs"),
    DemoPackage("vanillajs-datepicker", pages=("demo/*.html",)),
    DemoPackage("vis", pages=("examples/timeline/**/*.html", "docs/**/*.html")),
)  # fmt: skip


def of_split(split: str) -> list[DemoPackage]:
    return [package for package in PACKAGES if package.split == split]
