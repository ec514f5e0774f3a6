"""Questions as folders: heal_questions/<question_id>/ with question.json, screen.png and, once answered, answer.json.

The run writes the question, whoever answers the answer; each file by one replacement, and the answer only once.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.models.heal_question import HealAnswer, HealQuestion, QuestionStatus
from rpa_vision.ports.storage import Listing, Unreadable

_QUESTION, _ANSWER, _PICTURE = "question.json", "answer.json", "screen.png"
_FOLDER = "heal_questions"
_KEPT = 200
"""So many questions that are over are kept, for whoever wants to know what was asked."""


class FileHealQuestions:
    """Implements `ports.heal_questions.HealQuestionStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files
        self._lock = threading.Lock()

    def ask(self, question: HealQuestion, picture: bytes | None) -> HealQuestion:
        with self._alone():
            self._forget_old()
        if picture is not None:
            path = self._path(question.question_id, _PICTURE)
            self._files.write(path, picture)
            question = question.model_copy(update={"picture": self._files.paths.relative(path)})
        self._files.write_document(self._path(question.question_id, _QUESTION), question)
        return question

    def end(self, question_id: str, status: QuestionStatus, why: str) -> None:
        with self._alone():
            question = self.load(question_id)
            ended = question.model_copy(update={"status": status, "ended_because": why})
            self._files.write_document(self._path(question_id, _QUESTION), ended)

    def answer(self, answer: HealAnswer) -> None:
        with self._alone():
            question = self.load(answer.question_id)
            if question.status != "open":
                why = f": {question.ended_because}" if question.ended_because else ""
                raise UsageError(
                    f"{answer.question_id} is {question.status}{why}",
                    remedy="`rpa-vision heal questions` lists those that wait.",
                )
            said = self.answer_of(answer.question_id)
            if said is not None:
                raise UsageError(f"{answer.question_id} was answered by {said.who}", remedy="The first answer counts.")
            self._files.write_document(self._path(answer.question_id, _ANSWER), answer)

    def answer_of(self, question_id: str) -> HealAnswer | None:
        path = self._path(question_id, _ANSWER)
        if not self._files.has(path):
            return None
        return self._files.read_document(path, HealAnswer, key="question_id", expected=question_id)

    def load(self, question_id: str) -> HealQuestion:
        path = self._path(question_id, _QUESTION)
        if not self._files.has(path):
            known = self._files.paths.names(_FOLDER)
            raise unknown("question", question_id, known, command="rpa-vision heal questions")
        return self._files.read_document(path, HealQuestion, key="question_id", expected=question_id)

    def list(self) -> Listing[HealQuestion]:
        questions: list[HealQuestion] = []
        unreadable: list[Unreadable] = []
        for name in self._files.paths.names(_FOLDER):
            try:
                if self._files.has(self._path(name, _QUESTION)):
                    questions.append(self.load(name))
            except RpaVisionError as error:
                unreadable.append(Unreadable(name=f"{_FOLDER}/{name}", problem=str(error)))
        questions.sort(key=lambda one: (one.asked_at, one.question_id))
        return Listing(tuple(questions), tuple(unreadable))

    def picture(self, question_id: str) -> bytes | None:
        path = self._path(question_id, _PICTURE)
        return self._files.read(path, limit=MAX_PICTURE_BYTES) if self._files.has(path) else None

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        self._files.claim()
        with self._lock, AppendFile(self._files.paths.heal_question_lock) as lock, lock.alone():
            yield

    def _forget_old(self) -> None:
        over = [one for one in self.list().items if one.status != "open"]
        for question in over[:-_KEPT]:
            document = self._path(question.question_id, _QUESTION)
            with contextlib.suppress(OSError):
                document.unlink(missing_ok=True)
                for path in document.parent.iterdir():
                    path.unlink(missing_ok=True)
                document.parent.rmdir()

    def _path(self, question_id: str, name: str) -> Path:
        return self._files.paths.heal_question_file(question_id, name)
