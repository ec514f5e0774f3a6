"""What the supervisor does with a workflow, in words."""

from __future__ import annotations

from typing import Any

from rpa_vision.cli.times import minute


def standing_words(now: Any, *, is_news: bool) -> str:
    """What the supervisor does with the workflow, by whom and why, until when, and how a person changes it."""
    subject = "everything" if now.everything else "the workflow"
    until = f" until {minute(now.until)}" if now.until else ""
    since = f" since {minute(now.since)}" if now.since and not is_news else ""
    by = f", by {now.who}" if now.who and now.who != "auto_heal" else ""
    why = f": {now.reason}" if now.reason else ""
    remedy = f"\n  do: {now.remedy}" if now.remedy else ""
    return f"{subject} is {'now ' if is_news else ''}{now.state}{until}{since}{by}{why}{remedy}"
