"""Random crops of screens with their truth, drawn from a pool that is refreshed slowly.

Decoding a picture costs more than cutting a crop, so each decoded screen gives several crops before it makes room.
New screens in the folders are taken up while training runs.
"""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from detector.photos import Photos
from detector.targets import TYPE_INDEX, Maps, Truth, maps_of, truth_of

SHAPES = (((512, 512), 4), ((512, 512), 4), ((512, 512), 4), ((768, 640), 2), ((1024, 512), 2), ((1920, 544), 1))
"""Width, height and number of crops in a batch; wide ones teach how far a row can reach."""
SHARES = {"web": 0.15, "board": 0.28, "demo": 0.36, "qt": 0.12, "gtk": 0.09}
CROPS_EACH = 6
MARKS = [TYPE_INDEX[name] for name in ("checkbox", "radio", "toggle")]
AROUND_MARKS = 0.3
"""How often a crop is laid around a mark where there is one: their states are the hardest to tell."""
PHOTO_BESIDE, PHOTO_UNDER = 0.12, 0.04
"""How often a crop gets a photograph in a free place, and for its ground."""


class CropSource:
    """Batches for ever, made by a thread of their own."""

    def __init__(
        self,
        folders: list[Path],
        seed: int,
        pool: int = 220,
        fixed: list[Path] | None = None,
        photos: Sequence[Path] = (),
    ) -> None:
        self._folders, self._fixed = folders, fixed
        self._rng = random.Random(seed)
        self._photos = Photos(photos, self._rng)
        self._pool: list[tuple[np.ndarray, Truth]] = []
        self._room = pool
        self._known: dict[str, list[Path]] = {}
        self._scanned = 0.0
        self._queue: queue.Queue[tuple[torch.Tensor, list[torch.Tensor]]] = queue.Queue(4)
        self._scan()
        threading.Thread(target=self._work, daemon=True).start()

    @property
    def screens(self) -> int:
        return sum(len(paths) for paths in self._known.values())

    def __iter__(self) -> Iterator[tuple[torch.Tensor, list[torch.Tensor]]]:
        while True:
            yield self._queue.get()

    def _scan(self) -> None:
        paths = (
            self._fixed
            if self._fixed is not None
            else [path for folder in self._folders for path in sorted(folder.glob("*.json"))]
        )
        known: dict[str, list[Path]] = {}
        for path in paths:
            known.setdefault(path.name.split("-")[0], []).append(path)
        self._known, self._scanned = known, time.monotonic()

    def _work(self) -> None:
        while True:
            if time.monotonic() - self._scanned > 60:
                self._scan()
            (width, height), count = self._rng.choice(SHAPES)
            pictures, maps = [], []
            for _ in range(count):
                picture, truth = crop(*self._screen(), width, height, self._rng, photos=self._photos)
                pictures.append(picture)
                maps.append(maps_of(truth, width, height))
            self._queue.put((torch.from_numpy(np.stack(pictures)), stack(maps)))

    def _screen(self) -> tuple[np.ndarray, Truth]:
        if len(self._pool) < min(self._room, 24) or self._rng.random() < 1 / CROPS_EACH:
            screen = self._load()
            if len(self._pool) < self._room:
                self._pool.append(screen)
            else:
                self._pool[self._rng.randrange(len(self._pool))] = screen
        return self._rng.choice(self._pool)

    def _load(self) -> tuple[np.ndarray, Truth]:
        groups = sorted(self._known)
        group = self._rng.choices(groups, [SHARES.get(name, 0.1) for name in groups])[0]
        path = self._rng.choice(self._known[group])
        while not path.exists():  # taken away since the folders were looked through
            self._scan()
            path = self._rng.choice(self._known[group])
        document = json.loads(path.read_text(encoding="utf-8"))
        picture = cv2.imread(str(path.with_suffix(".png")))
        if picture is None:
            raise ValueError(f"no picture for {path}")
        return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), truth_of(document)


def stack(maps: list[Maps]) -> list[torch.Tensor]:
    """The targets of a batch, in the order of the fields."""
    return [torch.from_numpy(np.stack([getattr(one, name) for one in maps])) for name in Maps.__dataclass_fields__]


def crop(
    picture: np.ndarray,
    truth: Truth,
    width: int,
    height: int,
    rng: random.Random,
    *,
    change: bool = True,
    photos: Photos | None = None,
) -> tuple[np.ndarray, Truth]:
    """A piece of the screen, now and then scaled, with changed colours; boxes mostly outside it are left out."""
    rows, columns = picture.shape[:2]
    scale = rng.uniform(0.7, 1.4) if change and rng.random() < 0.3 else 1.0
    cut_w, cut_h = int(width / scale), int(height / scale)
    x, y = rng.randint(0, max(0, columns - cut_w)), rng.randint(0, max(0, rows - cut_h))
    wanted = np.flatnonzero(truth.group == 0)
    if len(wanted) and rng.random() < 0.85:
        pick = wanted[rng.randrange(len(wanted))]
        for _ in range(2):  # rarer kinds more often: buttons, links and menu entries are everywhere
            if truth.kind[pick] in (0, 1, 9, 10):
                pick = wanted[rng.randrange(len(wanted))]
        marks = wanted[np.isin(truth.kind[wanted], MARKS)]
        if len(marks) and rng.random() < AROUND_MARKS:
            pick = marks[rng.randrange(len(marks))]
        x1, y1, x2, y2 = truth.boxes[pick]
        x = int(np.clip((x1 + x2) / 2 - cut_w * rng.uniform(0.15, 0.85), 0, max(0, columns - cut_w)))
        y = int(np.clip((y1 + y2) / 2 - cut_h * rng.uniform(0.15, 0.85), 0, max(0, rows - cut_h)))
    piece = picture[y : y + cut_h, x : x + cut_w]
    if piece.shape[:2] != (cut_h, cut_w):
        piece = cv2.copyMakeBorder(piece, 0, cut_h - piece.shape[0], 0, cut_w - piece.shape[1], cv2.BORDER_REPLICATE)
    if (cut_h, cut_w) != (height, width):
        piece = cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    boxes = (truth.boxes - np.array([x, y, x, y], np.float32)) * np.array(
        [width / cut_w, height / cut_h] * 2, np.float32
    )
    whole = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1)
    clipped = boxes.copy()
    clipped[:, 0::2] = clipped[:, 0::2].clip(0, width)
    clipped[:, 1::2] = clipped[:, 1::2].clip(0, height)
    w, h = clipped[:, 2] - clipped[:, 0], clipped[:, 3] - clipped[:, 1]
    seen = (w >= 4) & (h >= 4)
    most = (
        (w * h / whole > 0.4)
        | ((w > 150) & (h > (boxes[:, 3] - boxes[:, 1]) * 0.6))
        | ((truth.group == 2) & (w * h / whole > 0.15))
    )
    ignore = truth.ignore | ~most
    made = Truth(clipped[seen], truth.group[seen], truth.kind[seen], truth.on[seen], truth.enabled[seen], ignore[seen])
    if photos and rng.random() < PHOTO_BESIDE:
        piece, made = photos.beside(piece, made, rng)
    elif photos and rng.random() < PHOTO_UNDER:
        piece = photos.under(piece, rng)
    if change:
        piece = recolour(piece, rng)
    return np.ascontiguousarray(piece.transpose(2, 0, 1)), made


def recolour(piece: np.ndarray, rng: random.Random) -> np.ndarray:
    """Other colours, contrast and sharpness; what a thing is does not depend on them."""
    if rng.random() < 0.15:
        piece = piece[..., rng.sample([0, 1, 2], 3)]
    if rng.random() < 0.1:
        piece = 255 - piece
    if rng.random() < 0.1:
        piece = np.repeat(cv2.cvtColor(np.ascontiguousarray(piece), cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
    if rng.random() < 0.35:
        table = np.clip(
            (np.arange(256) - 127.5) * rng.uniform(0.6, 1.25) + 127.5 + rng.uniform(-28, 28), 0, 255
        ).astype(np.uint8)
        piece = table[piece]
    if rng.random() < 0.08:
        piece = cv2.GaussianBlur(np.ascontiguousarray(piece), (3, 3), rng.uniform(0.3, 0.8))
    if rng.random() < 0.08:
        _, coded = cv2.imencode(".jpg", np.ascontiguousarray(piece), [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 90)])
        piece = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return piece
