"""The page's own report of where things are, which stands in for the scripted person's eyes."""

from __future__ import annotations

from clinic_visit import Visit


def test_latest_report_is_numbered(visit: Visit) -> None:
    """0 before the first, then counting."""
    assert visit.client.get("/truth/layout").json() == {"seq": 0}
    visit.client.post("/truth/layout", json={"page": 1.0, "title": "a"})
    visit.client.post("/truth/layout", json={"page": 1.0, "title": "b"})
    assert visit.client.get("/truth/layout").json() == {"page": 1.0, "title": "b", "seq": 2}


def test_late_report_of_a_left_page_is_ignored(visit: Visit) -> None:
    """Otherwise the person would click where things used to be."""
    visit.client.post("/truth/layout", json={"page": 2.0, "title": "new"})
    assert visit.client.post("/truth/layout", json={"page": 1.0, "title": "old"}).json() == {"taken": False}
    assert visit.client.get("/truth/layout").json()["title"] == "new"


def test_report_that_is_not_an_object_is_refused(visit: Visit) -> None:
    """Broken input is said, not stored."""
    assert visit.client.post("/truth/layout", content=b"{").status_code == 400


def test_script_is_in_the_pages_and_never_sends_what_was_typed(visit: Visit) -> None:
    """Secrets stay in the field."""
    assert "layout.js" in visit.page("/connexion")
    script = visit.page("/static/layout.js")
    assert "if (element.value) filled.push(name)" in script
    assert script.count(".value") == 1


def test_nothing_is_fetched_from_elsewhere(visit: Visit) -> None:
    """The application works without a network."""
    for path in ("/connexion", "/static/clinic.css", "/static/clinic.js", "/static/layout.js"):
        assert "https://" not in visit.page(path)
