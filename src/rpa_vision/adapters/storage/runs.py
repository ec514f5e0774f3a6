"""What came of runs, one folder each: report.json, report.html and pictures."""

from __future__ import annotations

from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.execution import RunReport
from rpa_vision.ports.storage import Listing, Unreadable


class FileRunStore:
    """Implements `ports.storage.RunStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def save_picture(self, run_id: str, name: str, picture: bytes) -> str:
        path = self._files.paths.run_picture(run_id, name)
        self._files.write(path, picture)
        return self._files.paths.relative(path)

    def save(self, report: RunReport, html: str) -> str:
        page = self._files.paths.run_file(report.run_id, "report.html")
        self._files.write(page, html.encode("utf-8", errors="replace"))
        self._files.write_document(self._files.paths.run_file(report.run_id, "report.json"), report)
        return str(page)

    def load(self, run_id: str) -> RunReport:
        path = self._files.paths.run_file(run_id, "report.json")
        if not self._files.has(path):
            tells = "tells the last run of each workflow (`run_id`)"
            known = self._files.paths.names("runs")
            raise unknown("run", run_id, known, command="rpa-vision status --json", shows=tells)
        return self._files.read_document(path, RunReport, key="run_id", expected=run_id)

    def picture(self, run_id: str, name: str) -> bytes:
        return self._files.read(self._files.paths.run_picture(run_id, name), limit=MAX_PICTURE_BYTES)

    def list(self) -> Listing[RunReport]:
        reports: list[RunReport] = []
        unreadable: list[Unreadable] = []
        for name in self._files.paths.names("runs"):
            try:
                if self._files.has(self._files.paths.run_file(name, "report.json")):  # else the run is still going on
                    reports.append(self.load(name))
            except RpaVisionError as error:
                unreadable.append(Unreadable(name=f"runs/{name}", problem=str(error)))
        reports.sort(key=lambda report: (report.started_at, report.run_id), reverse=True)
        return Listing(tuple(reports), tuple(unreadable))
