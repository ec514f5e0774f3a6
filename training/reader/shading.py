"""The same text on other paper: shaded title bars, glossy buttons, letters with a shadow, grey of what is disabled.

Files of lines hold text on even paper. How much of each pixel is ink can be told there, so the text can be laid on
paper that is darker below than above, ruled at an edge, or rough, with the shadow that titles have.
"""

from __future__ import annotations

import random

import cv2
import numpy as np

EVEN = 6
"""Levels within which paper is even."""
LEAST_CONTRAST = 34
SHADOWS = ((1, 1), (1, 1), (1, 1), (0, 1), (0, 1), (1, 0), (0, -1), (-1, -1), (2, 2))


def shaded(picture: np.ndarray, chance: random.Random) -> np.ndarray:
    """The text on shaded paper; the picture as it is where ink and paper cannot be told apart."""
    ink = _coverage(picture)
    if ink is None:
        return picture
    rows, columns = picture.shape
    base = chance.uniform(20, 235)
    paper = np.full((rows, columns), base, np.float32)
    steep = chance.choice((-1, 1)) * chance.uniform(6, 60)
    paper += _fall(rows, steep, chance)[:, None]
    if chance.random() < 0.12:
        paper += np.linspace(0, chance.uniform(-40, 40), columns, dtype=np.float32)[None]
    if chance.random() < 0.1:
        paper += _roughness(rows, columns, chance)
    if chance.random() < 0.3:
        edge = chance.choice((0, -1))
        paper[edge] += chance.choice((-1, 1)) * chance.uniform(15, 90)
    faint = chance.random() < 0.2
    away = chance.uniform(LEAST_CONTRAST, 70) if faint else chance.uniform(70, 235)
    middle = float(paper.mean())
    lighter = middle + away <= 255 and (middle - away < 0 or chance.random() < 0.6)
    level = middle + away if lighter else max(0.0, middle - away)
    if chance.random() < 0.55:
        paper = _with_shadow(paper, ink, lighter, chance)
    return np.clip(paper * (1 - ink) + level * ink, 0, 255).astype(np.uint8)


def _coverage(picture: np.ndarray) -> np.ndarray | None:
    """How much of each pixel is ink, where all paper is one level and all ink lies to one side of it."""
    rows, columns = picture.shape
    if rows < 8 or columns < 8:
        return None
    border = np.concatenate((picture[0], picture[-1], picture[:, 0], picture[:, -1])).astype(np.float32)
    paper = float(np.median(border))
    if np.mean(np.abs(border - paper) <= EVEN) < 0.9:
        return None
    away = picture.astype(np.float32) - paper
    low, high = float(np.percentile(away, 1.5)), float(np.percentile(away, 98.5))
    if max(-low, high) < LEAST_CONTRAST or min(-low, high) > EVEN:
        return None
    return np.clip(away / (high if high > -low else low), 0, 1)


def _fall(rows: int, steep: float, chance: random.Random) -> np.ndarray:
    """How the level falls from top to bottom: evenly, in a bend, or with the break of a glossy bar."""
    down = np.linspace(-0.5, 0.5, rows, dtype=np.float32)
    kind = chance.random()
    if kind < 0.6:
        return steep * down
    if kind < 0.8:
        return np.asarray(steep * np.sign(down) * (2 * np.abs(down)) ** chance.choice((0.5, 2.0)) / 2, np.float32)
    at = chance.uniform(-0.3, 0.3)
    return np.asarray(steep * down * 0.5 + np.where(down > at, steep * 0.5, 0), np.float32)


def _roughness(rows: int, columns: int, chance: random.Random) -> np.ndarray:
    noise = np.random.default_rng(chance.getrandbits(32)).normal(0, chance.uniform(1, 6), (rows, columns))
    return cv2.GaussianBlur(noise.astype(np.float32), (0, 0), chance.choice((0.6, 1.0, 2.0))) * 2


def _with_shadow(paper: np.ndarray, ink: np.ndarray, lighter: bool, chance: random.Random) -> np.ndarray:
    """What letters throw on the paper: dark below light ones, light below dark ones, as titles have it."""
    along, down = chance.choice(SHADOWS)
    move = np.array([[1, 0, along], [0, 1, down]], np.float32)
    thrown = cv2.warpAffine(ink, move, (ink.shape[1], ink.shape[0]))
    if chance.random() < 0.3:
        thrown = cv2.GaussianBlur(thrown, (3, 3), 0.8)
    thrown *= chance.uniform(0.15, 0.8)
    return paper * (1 - thrown) + (0.0 if lighter else 255.0) * thrown
