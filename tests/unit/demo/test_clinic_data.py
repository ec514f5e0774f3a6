"""The invoices are the same for the same seed, and look like those of a French clinic."""

from __future__ import annotations

from rpa_vision.demo.clinic.data import Status, make_invoices, validatable


def test_same_seed_gives_the_same_invoices() -> None:
    """Determinism: two machines show the same office."""
    assert make_invoices(7) == make_invoices(7)


def test_other_seed_gives_other_invoices() -> None:
    """The seed matters."""
    assert make_invoices(7) != make_invoices(8)


def test_there_are_at_least_34_with_unique_numbers_and_patients() -> None:
    """Enough for paging, and each can be found alone by number or by patient."""
    invoices = make_invoices(7)
    assert len(invoices) >= 34
    assert len({i.number for i in invoices}) == len({i.patient for i in invoices}) == len(invoices)
    assert all(i.number.startswith("FAC-2026-") and len(i.number) == 14 for i in invoices)


def test_patients_have_accents() -> None:
    """French names must survive reading and typing."""
    assert any(not i.patient.isascii() for i in make_invoices(7))


def test_some_are_validated_some_are_wrong_and_most_can_be_validated() -> None:
    """A demonstration needs invoices of every kind."""
    for seed in range(20):
        invoices = make_invoices(seed)
        assert any(i.status is Status.VALIDATED for i in invoices)
        assert any(i.amount_is_wrong and i.status is Status.TO_VALIDATE for i in invoices)
        assert len(validatable(invoices)) >= 30


def test_amount_is_the_sum_of_the_acts() -> None:
    """What a person checks before validating adds up."""
    assert all(i.amount_cents == sum(a.amount_cents for a in i.acts) > 0 for i in make_invoices(7))
