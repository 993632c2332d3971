"""mutants.py: what can be changed in a C file, one change each.

A kind is a function of (source, function) that yields (token, from, to, replacement): the token that
names the place, and the part of the text that is replaced.
"""
import random
import re
from dataclasses import dataclass

from . import source
from .source import begin_of, end_of

LOGIC = ("&&", "||", "?", ":", ";", ",")
ASSIGN = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
COMPARE = ("<", "<=", ">", ">=", "==", "!=")
SWAPS = {"<": ("lt-le", "<="), "<=": ("le-lt", "<"), ">": ("gt-ge", ">="), ">=": ("ge-gt", ">"),
         "==": ("eq-ne", "!="), "!=": ("ne-eq", "=="), "&&": ("and-or", "||"),
         "||": ("or-and", "&&"), "+=": ("plus-minus", "-="), "-=": ("minus-plus", "+=")}
INTEGER = re.compile(r"^(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)$")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    column: int
    kind: str      # its name, and #2 for the second of that kind on the line
    function: str
    text: str      # of the line
    at: int
    end: int
    new: str

    @property
    def id(self):
        return f"{self.path}:{self.line}:{self.column}:{self.kind}"

    def applied(self, text):
        # A part that spans lines leaves their number as it was.
        lines = text.count("\n", self.at, self.end) - self.new.count("\n")
        return text[:self.at] + self.new + "\n" * lines + text[self.end:]

    def change(self, text):
        old = " ".join(text[self.at:self.end].split())
        return f"{old} -> {self.new}" if self.new else f"{old} -> nothing"


def span(src, first, last):
    """The text of tokens first to last, the last included."""
    return src.tokens[first].at, src.tokens[last].end


def conditions(src, f):
    for i in range(f.first, f.last):
        if not src.is_(i, "if") or not src.is_(i + 1, "("):
            continue
        a, b = span(src, i + 2, src.mate[i + 1] - 1)
        yield "if-not", i, a, b, f"!({src.text[a:b]})"
        yield "if-true", i, a, b, "1"
        yield "if-false", i, a, b, "0"


def loops(src, f):
    for i in range(f.first, f.last):
        if src.is_(i, "while") and src.is_(i + 1, "(") and not src.is_(src.mate[i + 1] + 1, ";"):
            first, end = i + 2, src.mate[i + 1]
        elif src.is_(i, "for"):
            first = end_of(src, i + 2, ";") + 1
            end = end_of(src, first, ";")
        else:
            continue
        if first < end:
            a, b = span(src, first, end - 1)
            yield "loop-none", i, a, b, "0"


def returns(src, f):
    for i in range(f.first, f.last if f.is_predicate else f.first):
        if not src.is_(i, "return") or src.is_(i + 1, ";"):
            continue
        a, b = span(src, i + 1, end_of(src, i + 1, ";") - 1)
        old = src.text[a:b]
        if old not in ("true", "false"):
            yield "return-not", i, a, b, f"!({old})"
        if old != "true":
            yield "return-true", i, a, b, "true"
        if old != "false":
            yield "return-false", i, a, b, "false"


def choices(src, f):
    for i in range(f.first, f.last):
        if not src.is_(i, "?"):
            continue
        first = begin_of(src, i - 1, "?", ":", ";", ",", "return", *ASSIGN) + 1
        a, b = span(src, first, i - 1)
        yield "choice-not", i, a, b, f"!({src.text[a:b]})"


def operands(src, f):
    """A condition of several, one of them dropped."""
    for i in range(f.first, f.last):
        op = src.tokens[i].text
        if op not in ("&&", "||"):
            continue
        name = "and" if op == "&&" else "or"
        stops = LOGIC if op == "&&" else tuple(x for x in LOGIC if x != "&&")
        _, b = span(src, i, end_of(src, i + 1, *stops) - 1)
        yield f"{name}-right", i, src.tokens[i].at, b, ""
        before = begin_of(src, i - 1, *stops, "return", *ASSIGN)
        if not src.is_(before, op):
            yield f"{name}-left", i, src.tokens[before + 1].at, src.tokens[i].end, ""


def swaps(src, f):
    for i in range(f.first, f.last):
        t = src.tokens[i]
        if t.kind == "mark" and t.text in SWAPS:
            kind, new = SWAPS[t.text]
            yield kind, i, t.at, t.end, new


def is_value(src, i):
    """Does a sign after token i join two values?"""
    t = src.tokens[i]
    return (t.kind in ("number", "char") or (t.kind == "name" and t.text not in source.CONTROL)
            or t.text in (")", "]", "++", "--"))


def signs(src, f):
    for i in range(f.first, f.last):
        t = src.tokens[i]
        if t.text not in ("+", "-"):
            continue
        if not is_value(src, i - 1):
            yield "sign", i, t.at, t.end, " "
        elif t.text == "+":
            yield "plus-minus", i, t.at, t.end, "-"
        else:
            yield "minus-plus", i, t.at, t.end, "+"


def nots(src, f):
    for i in range(f.first, f.last):
        if src.is_(i, "!"):
            yield "not", i, src.tokens[i].at, src.tokens[i].end, ""


def bounds(src, f):
    """One less than the bound (one more is the swap of < and <=)."""
    for i in range(f.first, f.last):
        if not src.is_(i, "<", "<=", ">", ">="):
            continue
        last = end_of(src, i + 1, *LOGIC, *COMPARE, "&", "|", "^") - 1
        a, b = span(src, i + 1, last)
        yield "bound-1", i, a, b, f"{src.text[a:b]} - 1"


def whole_number(digits):
    """As C reads it: 0x1f, 0666, 12."""
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    return int(digits, 8 if digits[0] == "0" else 10)


def constants(src, f):
    for i in range(f.first, f.last):
        t = src.tokens[i]
        if t.kind != "number":
            continue
        m = INTEGER.match(t.text)
        if not m:
            yield "const+1", i, t.at, t.end, f"({t.text} + 1)"
            continue
        value = whole_number(m.group(1))
        yield "const+1", i, t.at, t.end, f"{value + 1}{m.group(2)}"
        if value:
            yield "const-1", i, t.at, t.end, f"{value - 1}{m.group(2)}"


def drops(src, f):
    """A call or an assignment that is not done."""
    for i in source.starts_of_statements(src, f):
        if src.is_(i, "{", "}", ";") or src.tokens[i].text in source.CONTROL:
            continue
        if src.is_(i - 1, "(") or source.is_declaration(src, i):
            continue
        end = end_of(src, i, ";")
        first = i
        while first < end:
            stop = end_of(src, first, ";", ",")
            a, b = span(src, first, stop - 1)
            yield "drop", first, a, b, "(void)0"
            first = stop + 1


KINDS = (conditions, loops, returns, choices, operands, swaps, signs, nots, bounds, constants, drops)


def of_function(src, f):
    for kind in KINDS:
        for name, i, at, end, new in kind(src, f):
            if i not in src.fixed:
                yield name, i, at, end, new


def of_text(path, text):
    """All mutants of a file, in its order."""
    src = source.read(path, text)
    out, seen = [], {}
    for f in src.functions:
        for name, i, at, end, new in sorted(of_function(src, f), key=lambda m: (m[1], m[0])):
            line = src.line_of(src.tokens[i].at)
            nth = seen[line, name] = seen.get((line, name), 0) + 1
            out.append(Mutant(path, line, src.column_of(src.tokens[i].at),
                              name if nth == 1 else f"{name}#{nth}", f.name, src.line_text(line),
                              at, end, new))
    return out


GROUPS = {"guard": ("if", "loop", "return", "choice", "and", "or", "not"),
          "bound": ("lt", "le", "gt", "ge", "eq", "ne", "bound"),
          "value": ("plus", "minus", "sign", "const"), "drop": ("drop",)}


def group_of(m):
    first = re.match(r"[a-z]+", m.kind).group()
    return next(g for g, names in GROUPS.items() if first in names)


def in_turn(mutants, rng):
    """Shuffled, with guards, bounds, values and dropped statements in turn."""
    groups = {g: [] for g in GROUPS}
    for m in mutants:
        groups[group_of(m)].append(m)
    for g in groups.values():
        rng.shuffle(g)
    turns = [(k, i, m) for i, g in enumerate(groups.values()) for k, m in enumerate(g)]
    return [m for _, _, m in sorted(turns, key=lambda t: t[:2])]


def order(mutants, seed):
    """Such that the first N are a sample in which every file and every group has its share."""
    files, ranked = {}, []
    for m in mutants:
        files.setdefault(m.path, []).append(m)
    for path in sorted(files):
        rng = random.Random(f"{seed} {path}")
        shift, n = rng.random(), len(files[path])
        ranked += [((k + shift) / n, m.id, m) for k, m in enumerate(in_turn(files[path], rng))]
    return [m for _, _, m in sorted(ranked, key=lambda r: r[:2])]


# ---- those that are known to change nothing that can be seen ----

def same(pattern, value):
    return pattern == "*" or pattern == value


@dataclass
class Equivalent:
    path: str
    function: str
    kind: str
    text: str
    reason: str = ""
    used: bool = False

    def covers(self, m):
        return (self.path == m.path and self.function == m.function and same(self.kind, m.kind)
                and same(self.text, m.text))


def read_equivalents(text):
    """`FILE | FUNCTION | KIND | LINE`, and the reason in lines that begin with a blank."""
    out = []
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            if out:
                out[-1].reason = (out[-1].reason + " " + line.strip()).strip()
            continue
        parts = [p.strip() for p in line.split(" | ", 3)]
        if len(parts) != 4:
            raise ValueError(f"expected 'FILE | FUNCTION | KIND | LINE', found '{line}'")
        out.append(Equivalent(*parts))
    for e in out:
        if not e.reason:
            raise ValueError(f"no reason is given for '{e.path} | {e.function} | {e.kind}'")
    return out
