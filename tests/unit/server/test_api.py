"""The API: what it refuses, what it lets in, and that runs are asked for once."""

from __future__ import annotations

import io
import json
import logging

import pytest
from served import BASE, Served
from starlette.websockets import WebSocketDisconnect

from rpa_vision.models.raw_session import RawSession
from rpa_vision.server.gate import COOKIE, MAX_BODY_BYTES

RUN = {"workflow_id": "WF_factures", "parameters": {"facture": "FAC-2026-0042"}}


def code(answer: object) -> str:
    return str(answer.json()["error"]["code"])  # type: ignore[attr-defined]


def test_a_link_lets_in_once_and_its_session_ends_with_the_sign_out(api: Served) -> None:
    """UX-3"""
    link = api.office.accounts.link_for("operator one", who="test")
    entered = api.client.get(f"/enter?code={link}")
    cookie = entered.headers["set-cookie"]
    assert all(word in cookie for word in (COOKIE, "HttpOnly", "SameSite=strict"))
    session = {"Cookie": cookie.split(";")[0]}
    api.client.cookies.clear()
    assert api.client.get("/api/v1/me", headers=session).json()["account"]["role"] == "operator"
    assert api.client.get(f"/enter?code={link}").status_code == 401
    api.client.post("/leave", headers=session | {"Origin": BASE})
    assert api.client.get("/api/v1/me", headers=session).status_code == 401


def test_another_site_cannot_use_a_browsers_session(api: Served) -> None:
    """UX-3: what changes something needs the own origin or a header other sites cannot send."""
    secret = api.office.accounts.redeem(api.office.accounts.link_for("operator one", who="test"), "test")
    assert secret is not None
    session = {"Cookie": f"{COOKIE}={secret[1]}"}
    pause = {"reason": "x", "workflow_id": "nobody"}
    for headers in ({}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = api.client.post("/api/v1/auto-heal/pause", headers=session | headers, json=pause)
        assert (answer.status_code, code(answer)) == (403, "server.foreign_origin"), headers
    for headers in ({"Origin": BASE}, {"X-RPA-Vision": "1"}):
        assert api.client.post("/api/v1/auto-heal/pause", headers=session | headers, json=pause).status_code == 404


def test_a_name_the_server_does_not_bear_is_refused(api: Served) -> None:
    """UX-3: a page that points its own name at this machine reads nothing."""
    answer = api.client.get("/api/v1/me", headers=api.as_("admin") | {"Host": "evil.example"})
    assert (answer.status_code, code(answer)) == (403, "server.foreign_origin")


def test_secrets_are_kept_as_hashes_and_never_logged(api: Served, caplog: pytest.LogCaptureFixture) -> None:
    """UX-3, L0-7"""
    with caplog.at_level(logging.DEBUG):
        made = api.client.post("/api/v1/tokens", headers=api.as_("viewer"), json={"label": "CI"}).json()
        api.client.get("/api/v1/me", headers={"Authorization": f"Bearer {made['secret']}"})
    secret = made["secret"].split("_")[2]
    for name in ("accounts.db", "accounts.db-wal"):
        path = api.office.data.paths.accounts.with_name(name)
        assert not path.exists() or secret.encode() not in path.read_bytes()
    assert secret not in caplog.text
    assert secret not in api.office.data.paths.audit.read_text(encoding="utf-8")


def test_a_revoked_token_and_a_locked_account_are_out_at_once(api: Served) -> None:
    """UX-3"""
    accounts = api.office.accounts
    account = accounts.create("gone soon", "viewer", who="test")
    token, secret = accounts.issue(account.user_id, "api", "a", who="test")
    bearer = {"Authorization": f"Bearer {secret}"}
    assert api.client.get("/api/v1/me", headers=bearer).status_code == 200
    accounts.revoke(token.token_id, who="test")
    assert api.client.get("/api/v1/me", headers=bearer).status_code == 401
    _, other = accounts.issue(account.user_id, "api", "b", who="test")
    accounts.change(account.user_id, who="test", disabled=True)
    assert api.client.get("/api/v1/me", headers={"Authorization": f"Bearer {other}"}).status_code == 401


@pytest.mark.parametrize(
    "path",
    ["/api/v1/runs/..%2f..%2fetc%2fpasswd", "/api/v1/runs/%2e%2e", "/api/v1/workflows/WF%00x",
     "/api/v1/failures/.hidden", "/api/v1/sessions/a%2Fb/timeline", "/api/v1/runs/" + "x" * 4000],
)  # fmt: skip
def test_an_id_that_is_a_path_is_refused(api: Served, path: str) -> None:
    """UX-3"""
    answer = api.client.get(path, headers=api.as_("admin"))
    assert answer.status_code in (404, 422), answer.text
    assert code(answer) in ("usage", "id.unknown", "id.invalid")


def test_a_body_that_is_too_large_is_refused_before_it_is_read(api: Served) -> None:
    """UX-3"""
    answer = api.client.put("/api/v1/policy", headers=api.as_("admin"), content=b" " * (MAX_BODY_BYTES + 1))
    assert (answer.status_code, code(answer)) == (413, "server.too_large")


def test_every_answer_keeps_browsers_careful(api: Served) -> None:
    """UX-3"""
    for path in ("/api/v1/me", "/health", "/enter"):
        headers = api.client.get(path, headers=api.as_("viewer")).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" in headers
        assert headers["referrer-policy"] == "no-referrer"


def test_a_run_is_asked_for_once_by_its_key_and_says_why_it_waits(api: Served) -> None:
    """UX-3"""
    first = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=RUN | {"key": "order-1"})
    again = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=RUN | {"key": "order-1"})
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json()["run_id"] == again.json()["run_id"]
    assert first.json()["why"] == "nobody works on display :90: start `rpa-vision work --display :90`"
    stopped = api.client.post(f"/api/v1/runs/{first.json()['run_id']}/stop", headers=api.as_("operator"))
    assert stopped.json()["state"] == "cancelled"


def test_a_run_with_a_missing_value_is_refused_when_it_is_asked_for(api: Served) -> None:
    answer = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=RUN | {"parameters": {}})
    assert (answer.status_code, code(answer)) == (422, "run.parameter")


def test_a_file_of_rows_is_one_run_each_and_the_same_file_again_is_none(api: Served) -> None:
    """UX-3"""
    rows = "facture\n" + "\n".join(f"FAC-2026-{number:04d}" for number in range(20))
    url, who = "/api/v1/workflows/WF_factures/rows", api.as_("operator")
    asked = [
        api.client.post(url, headers=who, files={"file": ("rows.csv", io.BytesIO(rows.encode()))}).json() for _ in "ab"
    ]
    assert [(one["rows"], one["skipped"]) for one in asked] == [(20, 0), (0, 20)]
    batch = api.client.get(f"/api/v1/batches/{asked[0]['batch_id']}", headers=who).json()
    assert (len(batch["items"]), batch["counts"]) == (20, {"waiting": 20})
    assert asked[1]["asked_before"] == asked[0]["batch_id"]
    stopped = api.client.post(f"/api/v1/batches/{asked[0]['batch_id']}/stop", headers=who).json()
    assert (stopped["cancelled"], stopped["stopped"]) == (20, 0)
    again = [api.client.post(f"/api/v1/batches/{asked[0]['batch_id']}/again", headers=who) for _ in "ab"]
    assert [one.status_code for one in again] == [202, 202]
    assert [(one.json()["rows"], one.json()["left_out"]) for one in again] == [(20, {}), (0, {"run_again_before": 20})]


def test_nobody_authorises_what_runs_again_and_again(api: Served) -> None:
    """L4-12: a word that lets a young workflow run alone is for one run."""
    young, who = {"authorised_because": "always"}, api.as_("admin")
    rows = {"file": ("young.csv", io.BytesIO(b"facture\nFAC-2026-9001\n"))}
    refused = [
        api.client.post("/api/v1/workflows/WF_factures/rows", headers=who, files=rows, data=young),
        api.client.post("/api/v1/schedules", headers=who, json=RUN | young | {"name": "a", "cron": "@daily"}),
        api.client.post("/api/v1/folders", headers=who, json={"workflow_id": "WF_factures", "folder": "/tmp"} | young),
    ]
    assert [answer.status_code for answer in refused] == [422, 422, 422]
    assert "one run" in refused[0].json()["error"]["message"]


def test_a_policy_is_checked_compared_tried_and_saved(api: Served) -> None:
    """AH-8, UX-2"""
    who, wrong, right = api.as_("admin"), {"min_confidence_normal": 7}, {"mode": "conservative"}
    assert not api.client.post("/api/v1/policy/validate", headers=who, json=wrong).json()["valid"]
    assert api.client.put("/api/v1/policy", headers=who, json=wrong).status_code == 422
    changes = api.client.post("/api/v1/policy/diff", headers=who, json=right).json()["changes"]
    assert {"key": "quarantine_duration_s", "now": 1800, "then": 3600, "direction": "stricter"} in changes
    assert api.client.post("/api/v1/policy/simulate", headers=who, json=right).json()["decisions"] > 0
    assert api.client.put("/api/v1/policy", headers=who, json=right).status_code == 200
    assert api.client.get("/api/v1/policy", headers=who).json()["mode"] == "conservative"


def test_a_rollback_shows_what_it_would_mean_before_it_is_done(api: Served) -> None:
    """UX-2, AH-4"""
    who, url = api.as_("operator"), "/api/v1/workflows/WF_factures/rollback"
    plan = api.client.get(url, headers=who).json()
    assert (plan["from_version"], plan["to_version"]) == ("v003", "v002")
    assert [one["id"] for one in plan["changes"]["steps"]["changed"]] == ["E2", "E3"]
    done = api.client.post(url, headers=who, json={"reason": "worse than before"}).json()
    assert (done["restored"], done["in_use"]) == (True, "v002")


def test_a_run_has_its_report_for_people_and_for_ci(api: Served) -> None:
    """UX-4"""
    listed = api.client.get("/api/v1/runs?limit=5", headers=api.as_("viewer")).json()
    run_id = listed["runs"][0]["run_id"]
    assert listed["count"]["total"] == 12
    suite = api.client.get(f"/api/v1/runs/{run_id}/junit.xml", headers=api.as_("viewer")).text
    assert suite.startswith("<?xml")
    assert "<testcase" in suite
    assert run_id in api.client.get(f"/api/v1/runs/{run_id}/report.html", headers=api.as_("viewer")).text


def test_a_report_is_served_in_the_language_asked_for_or_that_of_the_account(api: Served) -> None:
    """UX-2, UX-4: made anew from what was kept, with its pictures, which are served by the names of their files too."""
    who = api.as_("viewer")
    run_id = api.client.get("/api/v1/runs?limit=1&status=success", headers=who).json()["runs"][0]["run_id"]
    url = f"/api/v1/runs/{run_id}/report.html"
    english, french = api.client.get(f"{url}?lang=en", headers=who), api.client.get(f"{url}?lang=fr", headers=who)
    assert ('<html lang="en">' in english.text, '<html lang="fr">' in french.text) == (True, True)
    assert "steps verified" in english.text
    assert "étapes sont vérifiées" in french.text
    assert "••• (secret, non montré)" in french.text
    assert french.text.count("data:image/jpeg;base64,") == english.text.count("data:image/jpeg;base64,") > 1
    assert '<html lang="en">' in api.client.get(url, headers=who).text
    api.client.patch("/api/v1/me", headers=who, json={"language": "fr"})
    assert '<html lang="fr">' in api.client.get(url, headers=who).text
    assert api.client.get(f"{url}?lang=de", headers=who).status_code == 422
    pictures = f"/api/v1/runs/{run_id}/pictures/step_01_after"
    assert api.client.get(f"{pictures}.jpg", headers=who).content == api.client.get(pictures, headers=who).content


def test_a_recording_is_deleted_by_an_administrator_only(api: Served) -> None:
    """L0-7, UX-3: what was learned from it stays; one that goes on is refused."""
    url = "/api/v1/sessions/sess_office_facture"
    assert api.client.delete(url, headers=api.as_("operator")).status_code == 403
    assert api.client.get(url, headers=api.as_("viewer")).status_code == 200
    told = api.client.delete(f"{url}?reason=asked%20for", headers=api.as_("admin"))
    assert (told.status_code, told.json()["workflows"], told.json()["datasets"]) == (200, ["WF_factures"], [])
    assert "asked for" in (api.office.data.paths.root / "audit/audit.jsonl").read_text("utf-8")
    assert api.client.get(url, headers=api.as_("viewer")).status_code == 404
    assert api.client.delete(url, headers=api.as_("admin")).status_code == 404
    assert api.client.get("/api/v1/workflows/WF_factures/graph", headers=api.as_("viewer")).status_code == 200
    picture = api.client.get("/api/v1/workflows/WF_factures/pictures/N1", headers=api.as_("viewer"))
    assert picture.status_code == 200
    store = api.office.data.sessions
    known = store.load("sess_office_demande")
    raw = RawSession(session_id="sess_now", environment=known.environment, user=known.user, started_at=known.started_at)
    store.begin(raw)
    refused = api.client.delete("/api/v1/sessions/sess_now", headers=api.as_("admin"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "session.being_recorded")


def test_what_happens_is_streamed_from_where_one_left_off(api: Served) -> None:
    """UX-3"""
    asked = api.client.post("/api/v1/runs", headers=api.as_("operator"), json=RUN).json()
    told = api.client.get("/api/v1/events?once=true&after=0", headers=api.as_("viewer")).text
    events = [json.loads(line[6:]) for line in told.splitlines() if line.startswith("data: ")]
    assert asked["run_id"] in {event["run_id"] for event in events}
    last = max(int(line[4:]) for line in told.splitlines() if line.startswith("id: "))
    again = api.client.get(f"/api/v1/events?once=true&after={last}", headers=api.as_("viewer")).text
    assert all(int(line[4:]) > last for line in again.splitlines() if line.startswith("id: ")), "told twice"


def test_the_dashboards_socket_is_behind_the_same_gate(api: Served) -> None:
    """UX-3: neither a stranger nor a page of another site gets a socket."""
    secret = api.office.accounts.redeem(api.office.accounts.link_for("viewer one", who="test"), "test")
    assert secret is not None
    session = {"Cookie": f"{COOKIE}={secret[1]}"}
    for headers in ({}, session | {"Origin": "https://evil.example"}):
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            api.client.websocket_connect("/_nicegui_ws/", headers=headers),
        ):
            pass
        assert refused.value.code == 4401
    assert api.client.get("/_nicegui_ws/socket.io/?EIO=4&transport=polling").status_code == 401


def test_guessing_at_the_entrance_is_slow(api: Served) -> None:
    """UX-3"""
    codes = [api.client.get(f"/enter?code=rpav_{7:016x}_{number}").status_code for number in range(14)]
    assert (codes[0], codes[-1]) == (401, 429)
