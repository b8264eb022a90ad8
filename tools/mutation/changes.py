"""Changes of single lines of C code, and diffs that describe them."""
import collections
import os
import re
import sys

Mutant = collections.namedtuple("Mutant", "file line old new")


# lines that stay: assertions, sizes, tables, arrays, and what gives memory or files back, because tests count neither
NOT_CHANGED = re.compile(r"ASSERT|\bassert\(|sizeof|\bstatic const\b|^ +(?:const )?[a-z]\w* \**\w+\[\w+\]|^ +\w*(?:free|close|destroy|back)\w*\(")

# kind, pattern of code without comments and strings, texts to put in place of its first group
OPERATORS = [(kind, re.compile(pattern), new) for kind, pattern, new in (
    ("compare", r" (<) ", ("<=", ">")), ("compare", r" (>) ", (">=", "<")), ("compare", r" (<=) ", ("<", ">=")),
    ("compare", r" (>=) ", (">", "<=")), ("compare", r" (==) ", ("!=",)), ("compare", r" (!=) ", ("==",)),
    ("sign", r" (\+)=? ", ("-",)), ("sign", r" (-)=? ", ("+",)), ("sign", r"(?<=[(,=] )(-)(?=[\w(])", ("",)),
    ("product", r" (\*) ", ("/",)), ("product", r" (/) ", ("*",)),
    ("logic", r" (&&) ", ("||",)), ("logic", r" (\|\|) ", ("&&",)), ("logic", r"(?<![\w)] )(!)(?=[\w(])", ("",)),
    ("logic", r"\b(true)\b", ("false",)), ("logic", r"\b(false)\b", ("true",)),
    ("limit", r"\b(fmin)\(", ("fmax",)), ("limit", r"\b(fmax)\(", ("fmin",)),
    ("jump", r"\b(break;)", ("(void)0;",)), ("jump", r"\b(continue;)", ("(void)0;",)),
    ("result", r"\breturn (-1|0|1);", ("!({0})",)), ("result", r"\breturn (status|code);", ("0",)),
    ("number", r"(?<![\w.])(\d+)(?![\w.])", ("({0} + 1)",)), ("number", r"(?<![\w.])(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)(?!\w)", ("1.5 * {0}", "-{0}")),
    ("choice", r"\b(?:if|while) (\(.*\))(?: [^{;]*;| \{)?$", ("(!{0})",)),
    ("removal", r"^ +((?:[a-z]\w*\([^;]*\)|[a-z*][\w.>\[\]-]*(?:\[[^\]]*\])?[\w.>-]* [-+*/|&]?= [^;]*);)$", ("(void)0;",)),
)]


def blank_text(text):
    """The text with comments, strings and characters as blanks or underscores of the same length."""
    def blank(match):
        found = match.group(0)
        if found[0] == "/":
            return re.sub(r"[^\n]", " ", found)
        return found[0] + "_" * (len(found) - 2) + found[0]
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def find_code(blanked):
    """Numbers (from 1) of the lines within bodies of functions, without directives and assertions."""
    depth, inside, head, found = 0, False, "", []
    for number, line in enumerate(blanked.split("\n"), 1):
        if line.startswith("#") or line.endswith("\\"):
            continue
        if depth and inside and line.strip() and not NOT_CHANGED.search(line):
            found.append(number)
        for c in line:
            if c == "{":
                inside = head.rstrip().endswith(")") and "=" not in head if depth == 0 else inside
                depth += 1
            elif c == "}":
                depth -= 1
            head = "" if c in ";}" else head + c if depth == 0 else head
    return found


def list_changes(line, code):
    """[(kind, changed line)] of a line; code is the line without comments and strings."""
    found = []
    for kind, pattern, news in OPERATORS:
        for match in pattern.finditer(code):
            start, end = match.span(1)
            old = line[start:end]
            if kind == "choice" and not is_closed(code[start:end]):
                continue
            for new in news:
                found.append((kind, line[:start] + new.format(old) + line[end:]))
    return found


def is_closed(text):
    """Whether the parenthesis that opens the text closes at its end."""
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def list_sites(name, text, chosen):
    """[(name, line number, line, changes)] of the lines that can be changed; chosen: line numbers, or None for all."""
    lines, blanked, found = text.split("\n"), blank_text(text), []
    codes = blanked.split("\n")
    for number in find_code(blanked):
        if chosen is None or number in chosen:
            changes = list_changes(lines[number - 1], codes[number - 1])
            if changes:
                found.append((name, number, lines[number - 1], changes))
    return found


def draw_mutants(sites, rng):
    """Yields mutants in random order, at most one per line; kinds of change are equally frequent on a line."""
    sites = list(sites)
    rng.shuffle(sites)
    for name, number, old, changes in sites:
        kind = rng.choice(sorted({kind for kind, _ in changes}))
        yield Mutant(name, number, old, rng.choice([new for k, new in changes if k == kind]))


def write_diff(mutant):
    at = f"@@ -{mutant.line} +{mutant.line} @@"
    return f"--- a/{mutant.file}\n+++ b/{mutant.file}\n{at}\n-{mutant.old}\n+{mutant.new}\n"


def read_diffs(path):
    """[(mutant, reason or "")] of a file of diffs."""
    found, name, line, old, new = [], "", 0, None, None
    with open(path) as file:
        for number, text in enumerate(file, 1):
            text = text.rstrip("\n")
            at = re.match(r"@@ -(\d+)", text)
            if text.startswith("+++ b/"):
                name, old = text[6:], None
            elif at:
                line = int(at.group(1))
            elif text.startswith("-") and not text.startswith("--- "):
                old = text[1:]
            elif text.startswith("+") and old is not None:
                found.append((Mutant(name, line, old, text[1:]), ""))
            elif text.startswith("= ") and found:
                found[-1] = found[-1][0], text[2:]
            elif text and not text.startswith(("--- ", "#")):
                sys.exit(f"{path}:{number}: this line is neither part of a diff nor '= reason'")
    return found


def read_judged(path):
    """Mutants of a file of diffs, as (file, old, new), because lines move. Each must have a reason."""
    if not os.path.exists(path):
        return set()
    entries = read_diffs(path)
    for mutant, reason in entries:
        if not reason:
            sys.exit(f"{path}: the mutant of {mutant.file}, line {mutant.line}, has no line '= reason'")
    return {key_of(mutant) for mutant, _ in entries}


def key_of(mutant):
    return mutant.file, mutant.old.strip(), mutant.new.strip()
