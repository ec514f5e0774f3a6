"""Make docs/images/first-light.png from a real demonstration: watched, learned, done alone.

Usage: python scripts/make_picture.py [DATA]   (DATA: the data directory of an earlier `rpa-vision demo`)
"""

from __future__ import annotations

import base64
import html
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from rpa_vision.app import wiring
from rpa_vision.app.sentences import step_sentence
from rpa_vision.execution.execution_loop import in_order
from rpa_vision.imaging.codec import decode, encode_png
from rpa_vision.models.frame import Pixels

OUT = Path(__file__).resolve().parent.parent / "docs" / "images" / "first-light.png"
SIZE = (1280, 420)
CROP = (860, 600)
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 22px; width: {width}px; box-sizing: border-box; background: #f2f3f7; color: #1c2430;
  font: 15px/1.45 'Liberation Sans', sans-serif; }}
main {{ display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 18px; }}
section {{ background: #fff; border: 1px solid #dfe3e8; border-radius: 12px; padding: 16px; height: 376px;
  box-sizing: border-box; overflow: hidden; }}
h2 {{ margin: 0 0 4px; font-size: 18px; }} p {{ margin: 0 0 12px; color: #5b6675; }}
img {{ width: 100%; height: 250px; object-fit: cover; border: 1px solid #dfe3e8; border-radius: 6px; }}
ol {{ margin: 0; padding-left: 20px; }} li {{ margin-bottom: 7px; }} b {{ color: #1a7f4b; }}
</style><main>
<section><h2>1 · It watches</h2><p>A person validates five invoices. Pixels and input, nothing else.</p>
<img src="{watched}"></section>
<section><h2>2 · It learns</h2><p>What repeats becomes the workflow, what differs becomes a variable.</p>
<ol>{procedure}</ol></section>
<section><h2>3 · It does it alone</h2><p>Each target found on the live screen, each step <b>verified</b>.</p>
<img src="{done}"></section>
</main>"""


def main() -> None:
    """Run the demonstration where none is given, and draw the picture."""
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        subprocess.run([sys.executable, "-m", "rpa_vision", "demo", "--virtual", "--data", str(data)], check=True)
        draw(data)


def draw(data: Path) -> None:
    """Compose the three panels and render them."""
    store = wiring.data_directory(data)
    workflow = store.workflows.list().items[0]
    session = store.sessions.load(store.sessions.list().items[0].session_id)
    click = [event for event in session.events if event.type == "mouse_click" and event.screenshot_id][5]
    assert click.screenshot_id is not None
    assert click.pos is not None
    screen = decode(store.sessions.screenshot(session, click.screenshot_id)).copy()
    cv2.circle(screen, click.pos, 26, (40, 40, 230, 255), 4)
    run = store.runs.list().items[0]
    step = next(step for step in run.steps if step.chosen is not None and step.chosen.type == "button")
    assert step.screenshot_before is not None
    assert step.point is not None
    assert run.screen_resolution is not None
    picture = decode((data / step.screenshot_before).read_bytes())
    scale = picture.shape[1] / run.screen_resolution[0]
    place = (round(step.point[0] * scale), round(step.point[1] * scale))
    page = PAGE.format(
        width=SIZE[0],
        watched=_uri(_cropped(screen, click.pos, 1.0)),
        procedure="".join(f"<li>{html.escape(step_sentence(edge))}</li>" for edge in in_order(workflow)),
        done=_uri(_cropped(picture, place, scale)),
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "picture.html"
        source.write_text(page, encoding="utf-8")
        OUT.parent.mkdir(parents=True, exist_ok=True)
        command = [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-background-networking",
            f"--user-data-dir={folder}/profile", f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={OUT}",
            source.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)


def _cropped(pixels: Pixels, around: tuple[int, int], scale: float) -> Pixels:
    """The part of a screen around a point, the point in its upper right."""
    width, height = round(CROP[0] * scale), round(CROP[1] * scale)
    left = min(max(0, around[0] - round(0.75 * width)), pixels.shape[1] - width)
    top = min(max(0, around[1] - height // 3), pixels.shape[0] - height)
    return pixels[top : top + height, left : left + width]


def _uri(pixels: Pixels) -> str:
    return "data:image/png;base64," + base64.b64encode(encode_png(pixels)).decode("ascii")


if __name__ == "__main__":
    main()
