"""Rows of one name, and rows of which nobody has shown whether they are meant: neither is done or passed over."""

from __future__ import annotations

from typing import Any

import pytest
from list_office import DONE, TO_DO, Invoice, ListOffice, click_on, invoices, list_items, rounds, run, validating

from rpa_vision.models.branch_rule import BranchRule, Doubt, Support
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Loop, Workflow
from rpa_vision.testing.screens import AnyItem


class NamedOffice(ListOffice):
    """A list by names, of which several may be the same; it says which page it shows."""

    keeps_done = True

    def _shown(self) -> list[Invoice]:
        rows = [one for one in self.rows if self.keeps_done or one.status != DONE]
        return rows[self.page * self.page_size : (self.page + 1) * self.page_size]

    def _list(self) -> Any:
        pages = max(1, -(-sum(self.keeps_done or one.status != DONE for one in self.rows) // self.page_size))
        items: list[AnyItem] = list_items(self._shown(), more=self.page + 1 < pages)
        items.append(("label", "data_display", f"Page {self.page + 1} sur {pages}", (400, 540, 560, 564)))
        return self._draw("list", items, "Factures")


def named(*names: str, **fields: Any) -> NamedOffice:
    rows = [Invoice(name, f"Service {n}", f"{10 * (n + 1)},00") for n, name in enumerate(names)]
    return NamedOffice(rows, page_size=2, paged=True, **fields)


def by_name(office: ListOffice, rule: str | None) -> Workflow:
    made = validating(loop=rounds(rule=rule, last_edge="E2", next_page=click_on("Suivant")), office=office)
    name = Variable(type="string", source=VariableSource(method="ui_element_extraction"))
    return made.model_copy(update={"variables": {**made.variables, "numero": name}})


@pytest.mark.parametrize("rule", [f"statut == '{TO_DO}'", None])
@pytest.mark.parametrize("returns_to", [0, None])
@pytest.mark.parametrize("keeps_done", [True, False])
def test_rows_of_one_name_on_two_pages_are_not_passed_over(
    rule: str | None, returns_to: int | None, keeps_done: bool
) -> None:
    """L4-5, EX-7: two patients « Dupont », both to be done"""
    office = named("Dupont", "Martin", "Dupont", "Simon", returns_to=returns_to)
    office.keeps_done = keeps_done
    done = run(office, by_name(office, rule))
    assert done.outcome.status == "halted", office.validated
    assert "« Dupont »" in done.outcome.reason
    assert office.validated.count("Dupont") == 1


def test_a_row_that_its_round_changes_is_the_same_row() -> None:
    """L4-5: without a filter, only its status is another afterwards"""
    office = named("Dupont", "Martin", "Berger", "Simon")
    done = run(office, by_name(office, None))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["Dupont", "Martin", "Berger", "Simon"]


def test_a_row_that_was_done_and_is_still_to_be_done_stops_the_run_also_if_it_says_something_else() -> None:
    """L4-5, EX-7: its round changed something, but not what the filter asks for"""
    office = named("Dupont", "Martin")
    office.deaf = frozenset({"Dupont"})
    real = office._on_detail

    def noted(at: tuple[int, int], one: Invoice) -> str | None:
        one.amount = "0,00"
        return real(at, one)

    office._on_detail = noted  # type: ignore[method-assign]
    done = run(office, by_name(office, f"statut == '{TO_DO}'"))
    assert done.outcome.status == "halted"
    assert "was done, and one of that name that says something else is still to be done" in done.outcome.reason
    assert office.validated == ["Dupont"]


def with_rule(office: ListOffice, rule: str, kept: str, *, stays: bool = True) -> Workflow:
    """Rows by their amount, learned from some below 200 and some from 5000 on."""
    binding = {"numero": "row.N° facture", "amount": "row.Montant", "statut": "row.Statut"}
    loop = Loop(
        type="for_each", iterator="row", filter=rule, max_iterations=20, last_edge="E2", variable_binding=binding
    )
    made = validating(loop=loop, office=office)
    learned = BranchRule(
        expression=kept,
        on_true="done",
        on_false="left out",
        support=Support(demonstrations=10, holds=5, fails=5, chance=0.01),
        doubts=(Doubt(variable="amount", above="200.0", up_to="5000.0", chosen="3000"),),
    )
    first = made.edges[0].model_copy(update={"metadata": {"rule": learned.to_json(), "rows_stay": stays}})
    return made.model_copy(update={"edges": (first, *made.edges[1:])})


@pytest.mark.parametrize("amount", ["2900,00", "3100,00"])
@pytest.mark.parametrize(
    ("rule", "kept"), [("amount < 3000", "amount < 3000"), ("not (amount >= 3000)", "amount >= 3000")]
)
def test_a_row_in_the_doubt_of_its_rule_is_asked_about(rule: str, kept: str, amount: str) -> None:
    """L4-5, EX-7: nobody has shown what is done between 200 and 5000"""
    office = ListOffice(invoices(amount, "100,00", "6000,00"))
    done = run(office, with_rule(office, rule, kept))
    assert done.outcome.status == "blocked"
    assert "lies between 200.0 and 5000.0" in done.outcome.reason
    assert "rpa-vision workflows answer WF_by_hand E1 RULE" in done.outcome.reason
    assert office.validated == []


def test_rows_outside_the_doubt_are_done_and_left_out() -> None:
    """L4-5"""
    office = ListOffice(invoices("100,00", "6000,00", "200,00"))
    done = run(office, with_rule(office, "amount < 3000", "amount < 3000"))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00003"]


def test_a_row_that_is_left_out_whatever_its_amount_is_in_no_doubt() -> None:
    """L4-5: it was validated before"""
    office = ListOffice(invoices("2900,00", "100,00"))
    office.rows[0].status = DONE
    rule = f"statut == '{TO_DO}' and amount < 3000"
    done = run(office, with_rule(office, rule, rule, stays=False))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00002"]


def test_a_rule_that_a_person_wrote_leaves_nothing_open() -> None:
    """L4-5: what learning doubted is of another rule"""
    office = ListOffice(invoices("2900,00", "6000,00"))
    done = run(office, with_rule(office, "amount < 4000", "amount < 3000"))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001"]
