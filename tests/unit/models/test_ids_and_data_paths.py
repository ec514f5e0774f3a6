"""What may become part of a path."""

from __future__ import annotations

import pytest

from rpa_vision.errors import DocumentError, InvalidIdError
from rpa_vision.models.document import Document
from rpa_vision.models.ids import Id, checked_id, slug
from rpa_vision.models.vector_ref import DataPath, inside_data


class HasId(Document):
    id: Id


class HasPath(Document):
    path: DataPath


@pytest.mark.parametrize(
    "text", ["a", "WF_validation_facture", "screen_2025-11-21T10-15-32.123Z", "N1.2-x_", "0", "a" * 128]
)
def test_ids_of_the_seeds_are_ids(text: str):
    assert checked_id(text) == text
    assert HasId.from_json({"id": text}).id == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        ".hidden",
        "-x",
        "_x",
        "a/b",
        "a\\b",
        "a b",
        "a\n",
        "a\0",
        "é",
        "a..b",
        "a.",
        "../x",
        "a" * 129,
        "a:b",
    ],
    ids=repr,
)
def test_what_could_be_something_else_is_no_id_anywhere(text: str):
    """HOUSE: ids are validated where they enter"""
    with pytest.raises(InvalidIdError):
        checked_id(text)
    with pytest.raises(DocumentError, match="id"):
        HasId.from_json({"id": text})


@pytest.mark.parametrize(
    ("path", "below"),
    [
        ("data/embeddings/states/state_..._primary.npy", "embeddings/states/state_..._primary.npy"),
        ("embeddings/x.npy", "embeddings/x.npy"),
        ("data/data/x.npy", "data/x.npy"),
        ("écrans/à.png", "écrans/à.png"),
    ],
)
def test_a_leading_data_is_allowed_and_means_the_data_directory(path: str, below: str):
    """SPEC Settled: vector_id"""
    assert inside_data(HasPath.from_json({"path": path}).path).as_posix() == below


@pytest.mark.parametrize(
    "path",
    ["", ".", "/", "/x", "..", "../x", "a/../../x", "data/../x", "a\\b", "c:/x", "a\0b", "a\nb", "//x"],
    ids=repr,
)
def test_a_path_that_leaves_the_data_directory_is_refused(path: str):
    """SPEC Settled: vector_id"""
    with pytest.raises(DocumentError, match="path"):
        HasPath.from_json({"path": path})
    with pytest.raises(ValueError, match="inside the data directory"):
        inside_data(path)


def test_a_human_word_becomes_an_id():
    assert slug("N° facture") == "n_facture"
    assert slug("Cœur à vérifier") == "coeur_a_verifier"
    assert checked_id(slug("…", fallback="item")) == "item"
