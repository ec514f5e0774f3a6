"""The shortest rule over visible variables that explains all demonstrations, or the question to ask instead.

One brick first (`amount < 1000`), then a list of values (`status in ["a", "b"]`), then two bricks joined by `and`, each
only where nothing shorter does. A rule must explain every demonstration, and not by accident: n demonstrations of which
k went one way could have gone in C(n, k) ways; if the rules as short as this one explain more than one in twenty of
these, it means nothing that one of them explains what happened, and the person is asked. So they are where two
variables explain the same, where demonstrations that look alike went apart, where nothing explains them, and where a
day explains them that is about the day on which they were shown: next week it may be another. Nothing is ever guessed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from rpa_vision.graph.rule_literals import Literal, literals_of
from rpa_vision.graph.shared_thresholds import with_shared_thresholds
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule, Doubt, Support
from rpa_vision.models.expression import All, Comparison, Constant, Expression, Not, Operator, parse, to_text
from rpa_vision.models.wording import squeezed

MIN_EACH_WAY = 2
MAX_CHANCE = 0.05
_MAX_PAIRED = 700
"""More bricks than this are not all joined by twos, so that nobody knows what else would explain as much."""
_ABOUT_NOW = timedelta(days=10)
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Observation:
    """One demonstration at the fork: which way it went, and what was visible then."""

    way: str
    values: Mapping[str, Constant]


@dataclass(frozen=True, slots=True)
class _Rule:
    literals: tuple[Literal, ...]
    is_first_way: bool

    def expression(self) -> Expression:
        parts = tuple(literal.comparison() for literal in self.literals)
        return parts[0] if len(parts) == 1 else All(parts)


def induce_rule(
    observations: Sequence[Observation], *, naming: Collection[str] = (), today: str | None = None
) -> BranchRule | BranchQuestion:
    """Explain which of two ways was gone when; `induce_rules` takes more than two.

    The variables in `naming` only say which case it is; `today` is the one that holds the day of each demonstration.
    """
    ways = tuple(dict.fromkeys(observation.way for observation in observations))
    if len(ways) != 2:
        return _question("too_few" if len(ways) < 2 else "unexplained", ways)
    first = sum(1 << at for at, observation in enumerate(observations) if observation.way == ways[0])
    count = first.bit_count()
    if min(count, len(observations) - count) < MIN_EACH_WAY:
        missing = MIN_EACH_WAY - min(count, len(observations) - count)
        return _question("too_few", ways, missing=missing)
    apart = _contradiction(observations)
    if apart:
        return _question("contradiction", ways, contradicting=apart)
    literals = literals_of([observation.values for observation in observations], naming=naming, today=today)
    days = [day for one in observations if today is not None and isinstance(day := one.values.get(today), date)]
    for fitting, reachable in _stages(literals, first, (1 << len(observations)) - 1):
        if fitting:
            return _judged(fitting, reachable, observations, ways, first, days, len(literals))
    return _question("unexplained", ways)


def induce_rules(
    observations: Sequence[Observation], *, naming: Collection[str] = (), today: str | None = None
) -> list[BranchRule] | BranchQuestion:
    """Explain several ways by a list of rules, asked one after the other; the last one's `on_false` is what is left.

    One way at a time is told from all others; if that cannot be done for any, it is a question. Thresholds that may be
    one are one number in all of the rules.
    """

    def induced(seen: Sequence[Observation]) -> BranchRule | BranchQuestion:
        return induce_rule(seen, naming=naming, today=today)

    rules: list[BranchRule] = []
    left = list(observations)
    while len(ways := tuple(dict.fromkeys(observation.way for observation in left))) > 2:
        answers = {way: induced([_against(observation, way) for observation in left]) for way in ways}
        peeled = next((way for way, answer in answers.items() if _takes(answer, way)), None)
        if peeled is None:
            return next((a for a in answers.values() if isinstance(a, BranchQuestion)), _question("unexplained", ways))
        rules.append(_oriented(answers[peeled], peeled))
        left = [observation for observation in left if observation.way != peeled]
    last = induced(left)
    return last if isinstance(last, BranchQuestion) else with_shared_thresholds([*rules, last])


OTHERWISE = "otherwise"
_OPPOSITES: Mapping[Operator, Operator] = {"<": ">=", ">=": "<", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}


def opposite(expression: Expression) -> Expression:
    """What holds where an expression does not, as people would say it."""
    if isinstance(expression, Comparison) and expression.operator in _OPPOSITES:
        return Comparison(_OPPOSITES[expression.operator], expression.left, expression.right)
    return expression.inner if isinstance(expression, Not) else Not(expression)


def _against(observation: Observation, way: str) -> Observation:
    return observation if observation.way == way else Observation(OTHERWISE, observation.values)


def _takes(answer: BranchRule | BranchQuestion, way: str) -> bool:
    return isinstance(answer, BranchRule) and way in (answer.on_true, answer.on_false)


def _oriented(answer: BranchRule | BranchQuestion, way: str) -> BranchRule:
    """The rule so that it holds for the way it tells from the others."""
    assert isinstance(answer, BranchRule)
    if answer.on_true == way:
        return answer
    support = answer.support
    return answer.model_copy(
        update={
            "expression": to_text(opposite(parse(answer.expression))),
            "on_true": way,
            "on_false": answer.on_true,
            "support": support.model_copy(update={"holds": support.fails, "fails": support.holds}),
        }
    )


def _judged(
    fitting: list[_Rule],
    reachable: int,
    observations: Sequence[Observation],
    ways: tuple[str, ...],
    first: int,
    days: Sequence[date],
    looked_at: int,
) -> BranchRule | BranchQuestion:
    total, count = len(observations), first.bit_count()
    chance = min(1.0, reachable / math.comb(total, count))
    texts = tuple(dict.fromkeys(to_text(rule.expression()) for rule in fitting))
    about = {tuple(sorted(name for literal in rule.literals for name in literal.variables)) for rule in fitting}
    if len(about) > 1:
        return _question("several_rules", ways, candidates=texts)
    if chance > MAX_CHANCE:
        return _question("by_chance", ways, candidates=texts, missing=_more_needed(total, count, reachable))
    rule = min(fitting, key=_plainness)
    is_one_of_many = len(rule.literals) > 1 and looked_at > _MAX_PAIRED
    if is_one_of_many or any(_is_about_now(literal, days) for literal in rule.literals):
        return _question("by_chance", ways, candidates=texts)
    on_true, on_false = ways if rule.is_first_way else ways[::-1]
    holds = count if rule.is_first_way else total - count
    return BranchRule(
        expression=to_text(rule.expression()),
        on_true=on_true,
        on_false=on_false,
        support=Support(demonstrations=total, holds=holds, fails=total - holds, chance=round(chance, 6)),
        doubts=tuple(_doubt(literal) for literal in rule.literals if literal.low is not None),
    )


def _plainness(rule: _Rule) -> tuple[int, int, int, str]:
    """Smaller-than before not-smaller, one value before a list, the first way before the second."""
    lists = sum(len(literal.texts) for literal in rule.literals)
    negative = sum(literal.kind in ("not_below", "above") for literal in rule.literals)
    return (lists, negative, int(not rule.is_first_way), to_text(rule.expression()))


def _is_about_now(literal: Literal, days: Sequence[date]) -> bool:
    """Whether a day that decides lies about the days on which it was shown."""
    low, high = literal.low, literal.high
    if not isinstance(low, date) or not isinstance(high, date):
        return False
    return any(low - _ABOUT_NOW <= day <= high + _ABOUT_NOW for day in days)


def _stages(literals: Sequence[Literal], first: int, everything: int) -> Iterator[tuple[list[_Rule], int]]:
    """From short rules to longer ones: one value or threshold, a list of values, two of them joined."""
    yield _single([literal for literal in literals if literal.kind != "one_of"], first, everything)
    yield _single(literals, first, everything)
    yield _double(literals[:_MAX_PAIRED], first, everything)


def _single(literals: Sequence[Literal], first: int, everything: int) -> tuple[list[_Rule], int]:
    """Single bricks that explain everything, and how many outcomes with as many on one side bricks can explain."""
    fitting = [
        _Rule((literal,), literal.mask == first) for literal in literals if _fits(literal.mask, first, everything)
    ]
    size = first.bit_count()
    masks = {literal.mask for literal in literals} | {everything & ~literal.mask for literal in literals}
    return fitting, sum(mask.bit_count() == size for mask in masks)


def _double(literals: Sequence[Literal], first: int, everything: int) -> tuple[list[_Rule], int]:
    """Pairs of bricks over two variables, thresholds that say the same put together."""
    size = first.bit_count()
    outcomes: set[int] = set()
    found: dict[tuple[object, ...], list[tuple[Literal, Literal]]] = defaultdict(list)
    for at, one in enumerate(literals):
        for other in literals[at + 1 :]:
            if one.variable == other.variable:
                continue
            mask = one.mask & other.mask
            if mask.bit_count() == size:
                outcomes.add(mask)
            rest = everything & ~mask
            if rest.bit_count() == size:
                outcomes.add(rest)
            if mask in (first, everything & ~first) and mask not in (one.mask, other.mask):
                said = (one.variables, one.kind, other.variables, other.kind, one.texts + other.texts)
                found[*said, mask == first].append((one, other))
    rules = [_Rule(_merged(pairs), key[-1] is True) for key, pairs in found.items()]
    return rules, len(outcomes)


def _merged(pairs: Sequence[tuple[Literal, Literal]]) -> tuple[Literal, Literal]:
    """The widest thresholds that explain the same; only those that go together with all of the other side count."""
    ones = {(pair[0].low, pair[0].high) for pair in pairs}
    others = {(pair[1].low, pair[1].high) for pair in pairs}
    if len(pairs) != len(ones) * len(others):
        return pairs[0]
    return _widest([pair[0] for pair in pairs]), _widest([pair[1] for pair in pairs])


def _widest(literals: Sequence[Literal]) -> Literal:
    if literals[0].low is None:
        return literals[0]
    low = min(literal.low for literal in literals)  # type: ignore[type-var]
    high = max(literal.high for literal in literals)  # type: ignore[type-var]
    return replace(literals[0], low=low, high=high)


def _fits(mask: int, first: int, everything: int) -> bool:
    return mask in (first, everything & ~first)


def _contradiction(observations: Sequence[Observation]) -> tuple[int, ...]:
    """Demonstrations that look alike in everything visible and went different ways."""
    alike: dict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for at, observation in enumerate(observations):
        alike[tuple(sorted((name, squeezed(str(value))) for name, value in observation.values.items()))].append(at)
    for group in alike.values():
        if len({observations[at].way for at in group}) > 1:
            return tuple(group)
    return ()


def _more_needed(total: int, count: int, reachable: int) -> int:
    """How many more demonstrations, shared between both ways, would make an accident unlikely enough."""
    for more in range(1, 50):
        if reachable <= MAX_CHANCE * math.comb(total + more, min(count + more // 2, total + more - 1)):
            return more
    return 50


def _doubt(literal: Literal) -> Doubt:
    return Doubt(
        variable=literal.variable,
        above=str(literal.low),
        up_to=str(literal.high),
        chosen=str(literal.threshold()),
    )


_WORDING = {
    "too_few": "It was shown too few times both ways. What decides between {ways}?",
    "contradiction": "The same was visible each time, and yet it went differently. What decides between {ways}?",
    "unexplained": "Nothing visible explains it. What decides between {ways}?",
    "several_rules": "Several rules explain what was shown. Which one decides between {ways}?",
    "by_chance": "A rule explains what was shown, but that may be an accident. Does it decide between {ways}?",
}


def _question(
    reason: str,
    ways: tuple[str, ...],
    *,
    candidates: tuple[str, ...] = (),
    contradicting: tuple[int, ...] = (),
    missing: int = 0,
) -> BranchQuestion:
    named = " and ".join(f"« {way} »" for way in ways)
    return BranchQuestion(
        reason=reason,  # type: ignore[arg-type]
        question=_WORDING[reason].format(ways=named),
        ways=ways,
        candidates=candidates[:_MAX_SHOWN],
        contradicting=contradicting,
        missing_demonstrations=missing,
    )
