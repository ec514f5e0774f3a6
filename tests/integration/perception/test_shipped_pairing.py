"""The net that pairs two screens, as it ships, and what happens when its files are damaged."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.perception.pairing_net import PairingNet
from rpa_vision.app.wiring_reading import screen_pairer
from rpa_vision.errors import ModelMissingError, PluginError
from rpa_vision.execution.locating.pairing.features import OF_A_PAIR, OF_EACH, OF_TWO
from rpa_vision.execution.locating.pairing.told import tell
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

SHIPPED = Path(str(resources.files("rpa_vision") / "resources" / "pairing"))
CARD = Path(__file__).parents[3] / "docs" / "models" / "pairing.md"


@pytest.fixture(scope="module")
def net() -> PairingNet:
    return PairingNet.shipped()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "pairing"))


def test_the_net_is_the_one_described_and_small() -> None:
    about = json.loads((SHIPPED / "pairs.json").read_text(encoding="utf-8"))
    model = (SHIPPED / "pairs.onnx").read_bytes()
    assert hashlib.sha256(model).hexdigest() == about["sha256"]
    assert len(model) < 2_000_000
    assert about["told"] == [OF_EACH, OF_TWO, OF_A_PAIR], "features changed: train it again"
    assert about["sha256"][:8] in CARD.read_text(encoding="utf-8")


def test_the_same_input_gives_the_same_answer(net: PairingNet) -> None:
    """P003-7"""
    draw = np.random.default_rng(3)
    shapes = ((9, OF_EACH), (7, OF_EACH), (9, 9, OF_TWO), (7, 7, OF_TWO), (9, 7, OF_A_PAIR))
    given = [draw.random(shape, dtype=np.float32) for shape in shapes]
    first = net.pair(*given)
    assert first.shape == (9, 8)
    assert np.isfinite(first).all()
    assert np.array_equal(first, net.pair(*given))


def test_each_thing_of_a_page_is_itself_on_the_same_page(net: PairingNet) -> None:
    """EX-4: the least that can be asked of it"""
    names = ("Patient", "Praticien", "Motif", "Facture", "Montant", "Remise", "Valider", "Annuler")
    items: list[AnyItem] = []
    for number, name in enumerate(names):
        x, y = 60 + 300 * (number % 3), 60 + 80 * (number // 3)
        items.append(("button", "validate", name, (x, y, x + 140, y + 36)))
    screen = ScreenBook().draw("then", items)
    for _, _, _, box in items:
        told = tell(net, screen, Box(*box), screen)
        assert told is not None
        assert told.box == Box(*box)
        assert min(told.share, told.back) > 0.5


def test_damaged_files_are_errors_with_a_remedy(copy: Path) -> None:
    model = bytearray((copy / "pairs.onnx").read_bytes())
    model[1000] ^= 0xFF
    (copy / "pairs.onnx").write_bytes(bytes(model))
    with pytest.raises(ModelMissingError, match="checksum") as told:
        PairingNet(copy / "pairs.json")
    assert told.value.remedy
    (copy / "pairs.onnx").unlink()
    with pytest.raises(ModelMissingError, match="missing"):
        screen_pairer({"RPA_VISION_MODELS": str(copy.parent)})


def test_a_net_for_other_features_is_refused_before_it_says_anything(copy: Path) -> None:
    about = json.loads((copy / "pairs.json").read_text(encoding="utf-8"))
    (copy / "pairs.json").write_text(json.dumps(about | {"told": [1, 2, 3]}), encoding="utf-8")
    net = PairingNet(copy / "pairs.json")
    one = np.zeros((1, OF_EACH), np.float32)
    with pytest.raises(ModelMissingError, match="told"):
        net.pair(one, one, np.zeros((1, 1, OF_TWO), np.float32), np.zeros((1, 1, OF_TWO), np.float32),
                 np.zeros((1, 1, OF_A_PAIR), np.float32))  # fmt: skip


def test_it_can_be_switched_off_and_a_wrong_name_is_told() -> None:
    """L2-7"""
    assert screen_pairer({"RPA_VISION_PAIRER": "off"}) is None
    with pytest.raises(PluginError, match="RPA_VISION_PAIRER"):
        screen_pairer({"RPA_VISION_PAIRER": "guess"})
