"""source.py: a C file as tokens, and the functions and statements that mutants are made in.

Comments, strings, preprocessor lines, tables and what stands outside of functions are left alone.
"""
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<char>'(?:\\.|[^'\\])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S)
DIRECTIVE = re.compile(r"(?:^|(?<=\n))[ \t]*#(?:\\\n|[^\n])*")
PAIRS = {"(": ")", "[": "]", "{": "}"}
CONTROL = {"return", "if", "for", "while", "switch", "do", "else", "goto", "break", "continue",
           "case", "default", "sizeof"}
TYPES = {"static", "const", "struct", "enum", "union", "unsigned", "signed", "int", "long", "short",
         "char", "bool", "float", "double", "void", "size_t", "ssize_t", "FILE", "volatile"}


@dataclass
class Token:
    kind: str
    text: str
    at: int  # offset in the file

    @property
    def end(self):
        return self.at + len(self.text)


@dataclass
class Function:
    name: str
    is_predicate: bool  # returns bool
    first: int          # tokens of its body, braces included
    last: int


@dataclass
class Source:
    path: str
    text: str
    tokens: list = field(default_factory=list)
    mate: dict = field(default_factory=dict)   # index of a bracket -> index of its partner
    functions: list = field(default_factory=list)
    fixed: set = field(default_factory=set)    # tokens that no mutant touches

    def line_of(self, at):
        return self.text.count("\n", 0, at) + 1

    def column_of(self, at):
        return at - self.text.rfind("\n", 0, at)

    def line_text(self, line):
        return self.text.split("\n")[line - 1].strip()

    def is_(self, i, *texts):
        return 0 <= i < len(self.tokens) and self.tokens[i].text in texts


def split(text):
    """The tokens, without blanks, comments and preprocessor lines."""
    directives = {m.start(): m.end() for m in DIRECTIVE.finditer(text)}
    out, at = [], 0
    while at < len(text):
        if at in directives:
            at = directives[at]
            continue
        m = TOKEN.match(text, at)
        if m.lastgroup not in ("space", "comment"):
            out.append(Token(m.lastgroup, m.group(), at))
        at = m.end()
        # Blanks may have run into the line of a directive.
        if m.lastgroup == "space":
            starts = [d for d in directives if m.start() < d < at]
            at = min(starts) if starts else at
    return out


def pair(tokens):
    mate, stack = {}, []
    for i, t in enumerate(tokens):
        if t.kind != "mark":
            continue
        if t.text in PAIRS:
            stack.append(i)
        elif stack and t.text == PAIRS.get(tokens[stack[-1]].text):
            mate[i] = stack[-1]
            mate[stack.pop()] = i
    return mate


def name_of(src, close):
    """The name before the parameters that end at `close`, attributes passed over."""
    i = close
    while src.is_(i, ")"):
        i = src.mate[i] - 1
        if not src.is_(i, "__attribute__"):
            return i
        i -= 1
    return i


def find_functions(src):
    i = begin = 0
    while i < len(src.tokens):
        t = src.tokens[i]
        if t.kind == "mark" and t.text in PAIRS and i in src.mate:
            if t.text == "{" and src.is_(i - 1, ")"):
                n = name_of(src, i - 1)
                head = [x.text for x in src.tokens[begin:n]]
                src.functions.append(Function(src.tokens[n].text, "bool" in head and "*" not in head,
                                              i, src.mate[i]))
                begin = src.mate[i] + 1
            i = src.mate[i]
        elif t.text == ";":
            begin = i + 1
        i += 1


def is_declaration(src, i):
    t = src.tokens[i]
    if t.kind != "name" or t.text in CONTROL:
        return False
    if t.text in TYPES:
        return True
    k = i + 1
    while src.is_(k, "*", "const"):
        k += 1
    return (src.tokens[k].kind == "name" and (k == i + 1 or src.is_(k + 1, "=", ";", ",", "[")))


def end_of(src, i, *stops):
    """The first token from i on, outside of brackets, that is one of `stops` or closes a bracket."""
    while i < len(src.tokens) and not src.is_(i, *stops, ")", "]", "}"):
        i = src.mate.get(i, i) + 1 if src.tokens[i].text in PAIRS else i + 1
    return i


def begin_of(src, i, *stops):
    """The last token before i, outside of brackets, that is one of `stops` or opens a bracket."""
    while i >= 0 and not src.is_(i, *stops, "(", "[", "{"):
        i = src.mate.get(i, i) - 1 if src.is_(i, ")", "]", "}") else i - 1
    return i


def heads_of_loops(src, f):
    """Tokens between the parentheses of `for`."""
    out = set()
    for i in range(f.first, f.last):
        if src.is_(i, "for") and src.is_(i + 1, "("):
            out.update(range(i + 3, src.mate[i + 1]))
    return out


def starts_of_statements(src, f):
    """Indices of first tokens of statements, and of what loops begin with."""
    out, heads = [], heads_of_loops(src, f)
    for i in range(f.first + 1, f.last):
        if i in heads:
            continue
        if src.is_(i - 1, ";", "{", "}", "else", "do"):
            out.append(i)
        elif src.is_(i - 1, "(") and src.is_(i - 2, "for"):
            out.append(i)
        elif src.is_(i - 1, ")") and src.is_(src.mate[i - 1] - 1, "if", "for", "while", "switch"):
            out.append(i)
        elif src.is_(i - 1, ":") and src.is_(begin_of(src, i - 2, ";", "}", ":") + 1, "case", "default"):
            out.append(i)
    return out


def fix(src, first, last):
    src.fixed.update(range(first, last))


def fix_sizes(src, i, end):
    """The sizes of the arrays that a declaration declares: more room is no fault."""
    value = False
    while i < end:
        value = src.is_(i, "=") or (value and not src.is_(i, ","))
        if src.is_(i, "[") and not value:
            fix(src, i, src.mate[i])
        i = src.mate[i] + 1 if src.tokens[i].text in PAIRS else i + 1


def find_fixed(src):
    for f in src.functions:
        for i in starts_of_statements(src, f):
            end = end_of(src, i, ";")
            if src.is_(i, "static"):
                fix(src, i, end)
            elif is_declaration(src, i):
                fix_sizes(src, i, end)
        for i in range(f.first, f.last):
            if src.is_(i, "IK_ASSERT", "sizeof") and src.is_(i + 1, "("):
                fix(src, i, src.mate[i + 1])


def read(path, text):
    src = Source(path, text)
    src.tokens = split(text)
    src.mate = pair(src.tokens)
    find_functions(src)
    find_fixed(src)
    return src
