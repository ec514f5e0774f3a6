"""Conditions as people write them: `variables.amount < 1000.0 and status in ["À valider", "En attente"]`.

A small language of its own, read by a small parser and never handed to Python: variables, numbers, texts, days, lists,
six comparisons, `in`, `contains`, `and`, `or`, `not`, parentheses. There is nothing to call and nothing to reach into.
Length and depth are bounded. `parse(to_text(e)) == e` for every expression e.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal, get_args

from rpa_vision.errors import ExpressionError

MAX_LENGTH: Final = 2000
MAX_DEPTH: Final = 40
MAX_ITEMS: Final = 200

Operator = Literal["<", "<=", ">", ">=", "==", "!=", "in", "not in", "contains"]
Constant = str | float | int | bool | date

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<date>\d{4}-\d{2}-\d{2}(?![\w.-]))
    | (?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?(?![\w.]))
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    | (?P<sign><=|>=|==|!=|<|>|\(|\)|\[|\]|,)
    )""",
    re.VERBOSE,
)
_WORDS = frozenset({"and", "or", "not", "in", "contains", "true", "false"})
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PREFIX = "variables."


@dataclass(frozen=True, slots=True)
class Value:
    """A number, a text, a day, true or false, as written."""

    value: Constant
    position: int = field(default=0, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a variable; `variables.amount` and `amount` are the same."""

    name: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Values:
    """A list, behind `in`."""

    items: tuple[Value, ...]
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands and what is said of them."""

    operator: Operator
    left: Value | Variable
    right: Value | Variable | Values
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    inner: Expression
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class All:
    """All parts hold: `and`."""

    parts: tuple[Expression, ...]
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds: `or`."""

    parts: tuple[Expression, ...]
    position: int = field(default=0, compare=False)


Expression = Value | Variable | Comparison | Not | All | Any


def parse(text: str) -> Expression:
    """Read an expression, or say where it is wrong: an ExpressionError and nothing else."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters", MAX_LENGTH)
    parser = _Parser(_tokens(text), len(text))
    found = parser.either(0)
    parser.expect_end()
    return found


def variables_of(expression: Expression) -> frozenset[str]:
    """The variables an expression asks for."""
    if isinstance(expression, Variable):
        return frozenset({expression.name})
    if isinstance(expression, Comparison):
        return frozenset(side.name for side in (expression.left, expression.right) if isinstance(side, Variable))
    if isinstance(expression, Not):
        return variables_of(expression.inner)
    if isinstance(expression, (All, Any)):
        return frozenset().union(*map(variables_of, expression.parts))
    return frozenset()


def to_text(expression: Expression) -> str:
    """The expression as text; reading that gives the same expression."""
    if isinstance(expression, Not):
        return f"not {_wrapped(expression.inner, _is_joined(expression.inner))}"
    if isinstance(expression, All):
        return " and ".join(_wrapped(part, _is_joined(part)) for part in expression.parts)
    if isinstance(expression, Any):
        return " or ".join(_wrapped(part, isinstance(part, Any)) for part in expression.parts)
    if isinstance(expression, Comparison):
        return f"{_operand(expression.left)} {expression.operator} {_operand(expression.right)}"
    return _operand(expression)


def _is_joined(expression: Expression) -> bool:
    return isinstance(expression, (All, Any))


def _wrapped(expression: Expression, needed: bool) -> str:
    return f"({to_text(expression)})" if needed else to_text(expression)


def _operand(operand: Value | Variable | Values) -> str:
    if isinstance(operand, Variable):
        return f"{_PREFIX}{operand.name}"
    if isinstance(operand, Values):
        return f"[{', '.join(map(_operand, operand.items))}]"
    value = operand.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + re.sub(r'[\\"]', r"\\\g<0>", value).replace("\n", "\\n").replace("\t", "\\t") + '"'
    return value.isoformat() if isinstance(value, date) else repr(value)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while position < len(text.rstrip()):
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise ExpressionError(f"{text[start : start + 12]!r} means nothing here", start)
        kind = found.lastgroup
        said = found[kind]
        if kind == "name" and said in _WORDS:
            kind = "word"
        tokens.append(_Token(kind, said, found.start(found.lastgroup)))
        position = found.end()
    return tokens


class _Parser:
    """One function per line of the grammar, each knowing how deep it is."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens = tokens
        self._end = end
        self._at = 0

    def either(self, depth: int) -> Expression:
        """both ("or" both)*"""
        parts = [self.both(depth + 1)]
        while self._take("word", "or"):
            parts.append(self.both(depth + 1))
        return parts[0] if len(parts) == 1 else Any(tuple(parts), parts[0].position)

    def both(self, depth: int) -> Expression:
        """single ("and" single)*"""
        parts = [self.single(depth)]
        while self._take("word", "and"):
            parts.append(self.single(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts), parts[0].position)

    def single(self, depth: int) -> Expression:
        """ "not" single | "(" either ")" | comparison"""
        if depth > MAX_DEPTH:
            raise ExpressionError(f"nested deeper than {MAX_DEPTH}", self._position)
        position = self._position
        if self._take("word", "not"):
            return Not(self.single(depth + 1), position)
        if self._take("sign", "("):
            inner = self.either(depth + 1)
            if not self._take("sign", ")"):
                raise ExpressionError("a closing parenthesis is missing", self._position)
            return inner
        return self._comparison()

    def expect_end(self) -> None:
        """Nothing may follow."""
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            raise ExpressionError(f"{token.text[:20]!r} is not expected here", token.position)

    def _comparison(self) -> Expression:
        left = self._single_operand()
        operator = self._operator()
        if operator is None:
            return left
        right: Value | Variable | Values
        if operator in ("in", "not in"):
            right = self._list() if self._peek("sign", "[") else self._single_operand()
        else:
            right = self._single_operand()
        position = self._position
        if self._operator() is not None:
            raise ExpressionError("comparisons are not chained; join two with `and`", position)
        return Comparison(operator, left, right, left.position)

    def _operator(self) -> Operator | None:
        for operator in get_args(Operator):
            if operator != "not in" and (self._take("sign", operator) or self._take("word", operator)):
                return operator  # type: ignore[no-any-return]
        if self._peek("word", "not") and self._peek("word", "in", ahead=1):
            self._at += 2
            return "not in"
        return None

    def _list(self) -> Values:
        position = self._position
        self._take("sign", "[")
        items: list[Value] = []
        while not self._take("sign", "]"):
            if items and not self._take("sign", ","):
                raise ExpressionError("a comma or a closing bracket is missing", self._position)
            item = self._single_operand()
            if not isinstance(item, Value):
                raise ExpressionError("a list holds values, not variables", item.position)
            items.append(item)
            if len(items) > MAX_ITEMS:
                raise ExpressionError(f"a list of more than {MAX_ITEMS}", position)
        return Values(tuple(items), position)

    def _single_operand(self) -> Value | Variable:
        if self._at >= len(self._tokens):
            raise ExpressionError("something is missing at the end", self._end)
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "word" and token.text in ("true", "false"):
            return Value(token.text == "true", token.position)
        if token.kind == "number":
            return Value(_number(token), token.position)
        if token.kind == "text":
            return Value(_unquoted(token), token.position)
        if token.kind == "date":
            return Value(_day(token), token.position)
        if token.kind == "name":
            return Variable(_name(token), token.position)
        raise ExpressionError(f"a value or a variable was expected, not {token.text!r}", token.position)

    @property
    def _position(self) -> int:
        return self._tokens[self._at].position if self._at < len(self._tokens) else self._end

    def _peek(self, kind: str, text: str, *, ahead: int = 0) -> bool:
        at = self._at + ahead
        return at < len(self._tokens) and (self._tokens[at].kind, self._tokens[at].text) == (kind, text)

    def _take(self, kind: str, text: str) -> bool:
        found = self._peek(kind, text)
        self._at += found
        return found


def _number(token: _Token) -> int | float:
    if re.fullmatch(r"-?\d{1,18}", token.text):
        return int(token.text)
    number = float(token.text)
    if number in (float("inf"), float("-inf")):
        raise ExpressionError("too large a number", token.position)
    return number


def _unquoted(token: _Token) -> str:
    def unescaped(found: re.Match[str]) -> str:
        plain = _ESCAPES.get(found[1])
        if plain is None:
            raise ExpressionError(f"\\{found[1]} stands for nothing", token.position + 1 + found.start())
        return plain

    return re.sub(r"\\(.)", unescaped, token.text[1:-1], flags=re.DOTALL)


def _day(token: _Token) -> date:
    try:
        return date.fromisoformat(token.text)
    except ValueError:
        raise ExpressionError(f"{token.text} is no day of the calendar", token.position) from None


def _name(token: _Token) -> str:
    name = token.text.removeprefix(_PREFIX)
    if not _NAME.fullmatch(name) or name in _WORDS or name == _PREFIX[:-1]:
        raise ExpressionError(f"{token.text[:40]!r} is not the name of a variable", token.position)
    return name
