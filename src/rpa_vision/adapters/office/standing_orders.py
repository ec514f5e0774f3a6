"""What makes runs by itself, in the queue's database: schedules and watched folders."""

from __future__ import annotations

from datetime import datetime

from rpa_vision.adapters.office.database import OfficeDatabase, text_of, time_of
from rpa_vision.models.queue import Schedule, WatchedFolder


class StandingOrders:
    """The part of `ports.queue.RunQueue` that keeps them."""

    def __init__(self, database: OfficeDatabase) -> None:
        self._database = database

    def schedules(self) -> list[tuple[Schedule, bool, datetime]]:
        with self._database.reading() as database:
            return [
                (Schedule.from_json(row["body"], where="schedule"), bool(row["enabled"]), time_of(row["last_due"]))
                for row in database.execute("SELECT * FROM schedules ORDER BY schedule_id")
            ]

    def save_schedule(self, schedule: Schedule, *, enabled: bool, last_due: datetime) -> None:
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO schedules (schedule_id, body, enabled, last_due) VALUES (?, ?, ?, ?) ON CONFLICT"
                " (schedule_id) DO UPDATE SET body = excluded.body, enabled = excluded.enabled,"
                " last_due = excluded.last_due",
                (schedule.schedule_id, schedule.model_dump_json(), int(enabled), text_of(last_due)),
            )

    def saw_to(self, schedule_id: str, due: datetime) -> None:
        with self._database.changing(durable=True) as database:
            database.execute("UPDATE schedules SET last_due = ? WHERE schedule_id = ?", (text_of(due), schedule_id))

    def delete_schedule(self, schedule_id: str) -> bool:
        with self._database.changing(durable=True) as database:
            return database.execute("DELETE FROM schedules WHERE schedule_id = ?", (schedule_id,)).rowcount == 1

    def folders(self) -> list[tuple[WatchedFolder, bool]]:
        with self._database.reading() as database:
            return [
                (WatchedFolder.from_json(row["body"], where="watched folder"), bool(row["enabled"]))
                for row in database.execute("SELECT * FROM folders ORDER BY folder_id")
            ]

    def save_folder(self, folder: WatchedFolder, *, enabled: bool) -> None:
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO folders (folder_id, body, enabled) VALUES (?, ?, ?) ON CONFLICT (folder_id) DO UPDATE"
                " SET body = excluded.body, enabled = excluded.enabled",
                (folder.folder_id, folder.model_dump_json(), int(enabled)),
            )

    def delete_folder(self, folder_id: str) -> bool:
        with self._database.changing(durable=True) as database:
            return database.execute("DELETE FROM folders WHERE folder_id = ?", (folder_id,)).rowcount == 1
