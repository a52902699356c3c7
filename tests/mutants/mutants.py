"""Does a test fail when the code is wrong?

    tests/mutants/mutants.py BUILD SEED COUNT [FILE...]

Draws COUNT changes of one token from kernel/, pmu/, bench/, boot/, native/ and tools/, or from
FILEs. Each goes into a copy of the tree, which is built; then the tests that reach the file run
until one of them fails. Prints a line for each change:

    killed    by the test that is named
    survived  every test passes
    same      the compiler makes the same code of it, or same.csv says why it is the same program
    (a change that the compiler refuses is drawn anew)

The exit status is 1 if a change survived. The tests are those that the build names: unit tests by
their dependency files, and behind them the suites and rows of suites.csv by path.
"""
import csv
import fnmatch
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ROOTS = ("kernel", "pmu", "bench", "boot", "native", "tools")
PROGRAMS = ("build/32/cpl0.elf", "build/64/cpl0.elf", "build/cpl0-log", "build/cpl0-native",
            "build/cpl0-sim")
SECONDS = 400  # of a test, a build or a row; a change may make a loop endless

TOKEN = re.compile(r"""
    (?P<skip>   //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'
              | ^[ \t]*\#[ \t]*(?!define)\w+(?:\\\n|[^\n])* | \s+ )
  | (?P<number> 0[xX][0-9a-fA-F]+[uUlL]* | [0-9]+[uUlL]*(?![\w.]) )
  | (?P<word>   \#?[A-Za-z_]\w* )
  | (?P<mark>   <<= | >>= | [-+*/%&|^=!<>]= | && | \|\| | << | >> | \+\+ | -- | -> | . )
""", re.X | re.S | re.M)

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
         "||": "&&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
         "++": "--", "--": "++", "/": "*", "%": "*"}
BINARY = {"+": "-", "-": "+", "|": "&", "&": "|"}  # after an operand


def tokens(text):
    """(kind, token, where), without comments, strings and directives but #define."""
    for m in TOKEN.finditer(text):
        if m.lastgroup != "skip":
            yield m.lastgroup, m.group(), m.start()


def closing(all_tokens, i):
    """Index of the parenthesis that closes that at i, or None."""
    depth = 0
    for j in range(i, len(all_tokens)):
        depth += {"(": 1, ")": -1}.get(all_tokens[j][1], 0)
        if not depth:
            return j
    return None


def rooms(all_tokens, text):
    """For each token, is it code of a function, of an enum or of a #define?"""
    stack, before, enum = [], "", False
    for _, t, at in all_tokens:
        line = text.rfind("\n", 0, at) + 1
        if t == "{":
            inner = stack[-1] if stack else None
            stack.append("enum" if enum else inner or ("code" if before == ")" else "data"))
            enum = False
        elif t == "}" and stack:
            stack.pop()
        elif t == "enum":
            enum = True
        elif t in ";)=":
            enum = False
        before = t
        yield bool(stack) and stack[-1] != "data" or text.startswith("#define", line)


def changes(text):
    """(start, end, new text) of every change of a file."""
    every = list(tokens(text))
    inside = list(rooms(every, text))
    for i, (kind, t, at) in enumerate(every):
        if not inside[i]:
            continue
        end = at + len(t)
        operand = i and (every[i - 1][0] in ("number", "word") or every[i - 1][1] in ")]")
        if kind == "number":
            digits = t.rstrip("uUlL")
            base = 16 if digits[:2] in ("0x", "0X") else 10
            value = int(digits, base) + 1
            yield at, end, (hex(value) if base == 16 else str(value)) + t[len(digits):]
        elif t in OTHER or operand and t in BINARY and every[i - 1][1] != "return":
            yield at, end, OTHER.get(t) or BINARY[t]
        elif t in ("true", "false"):
            yield at, end, "false" if t == "true" else "true"
        elif t in ("if", "while") and every[i + 1][1] == "(":
            j = closing(every, i + 1)
            if j:
                first, last = every[i + 1][2], every[j][2] + 1
                yield first, last, f"(!{text[first:last]})"
        elif t == "return" and every[i + 1][1] != ";":
            first = every[i + 1][2]
            last = text.index(";", first)
            if text[first:last] not in ("true", "false"):
                yield first, last, f"!({text[first:last]})"


def run(command, cwd):
    """The exit status, or None after SECONDS, with all that the command started ended."""
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, start_new_session=True) as p:
        try:
            return p.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            return None


class Tree:
    """A copy of the tree with its build directory, in which one file at a time is changed."""

    def __init__(self, build, place):
        self.place = place
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        names = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True).stdout
        self.files = names.decode().split("\0")[:-1]
        for name in self.files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, place / name, follow_symlinks=False)
        keep = shutil.ignore_patterns("mutants", "machines", "log")
        shutil.copytree(build, place / "build", symlinks=True, ignore=keep)
        self.unit = self.unit_tests()
        self.proven = set()  # names of tests that pass without a change

    def make(self, *targets):
        return run(["make", "-s", "-j2", "B=build", *targets], self.place) == 0

    def unit_tests(self):
        """The unit tests that are built of each file."""
        tests = {}
        if not self.make(*PROGRAMS, "unit-build"):
            sys.exit("mutants: the tree does not build as it is")
        at = self.place / "build" / "tests"
        for rule in at.glob("*/**/*.d"):
            name = rule.relative_to(at).parts[0]
            for word in rule.read_text(encoding="utf-8").split():
                if word in self.files:
                    tests.setdefault(word, set()).add(name)
        return {name: sorted(t) for name, t in tests.items()}

    def code(self):
        """What the compiler made of the programs, without words for a debugger."""
        made = []
        bare = self.place / "bare"
        for program in PROGRAMS:
            subprocess.run(["strip", "-o", bare, self.place / program], check=True)
            made.append(bare.read_bytes())
        return made


def suites_of(name):
    with open(HERE / "suites.csv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            if fnmatch.fnmatch(name, row["path"]):
                yield row["runs"].split()


def tests_of(tree, name):
    """(name, commands) of each test that reaches a file, in the order in which they run."""
    for test in tree.unit.get(name, []):
        program = f"build/tests/test_{test}"
        yield f"unit test {test}", [["make", "-s", "-j2", "B=build", program], [program]]
    for what, *names in suites_of(name):
        for one in names:
            if what == "make":
                command = ["make", "-s", "B=build", *one.split(",")]
            else:
                command = ["tests/machines/run.sh", "--all", one]
            yield f"{what} {one}", [command]


def fails(tree, commands):
    return any(run(c, tree.place) != 0 for c in commands)


def killer(tree, name):
    """(name, commands) of the first test that fails, or None."""
    return next((t for t in tests_of(tree, name) if fails(tree, t[1])), None)


def reason(name, line, old, new):
    """Why same.csv says that a change makes the same program."""
    with open(HERE / "same.csv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(x for x in f if not x.startswith("#")):
            if (row["file"], row["line"], row["old"], row["new"]) == (name, line, old, new):
                return row["why"]
    return None


def judge(tree, plain, name, change):
    """The verdict on one change, which is undone; None if it does not build."""
    by = None
    path = tree.place / name
    text = path.read_text(encoding="utf-8")
    start, end, new = change
    line = text[text.rfind("\n", 0, start) + 1:text.index("\n", start)].strip()
    why = reason(name, line, text[start:end], new)
    if why:
        return "same", why
    path.write_text(text[:start] + new + text[end:], encoding="utf-8")
    try:
        if not tree.make(*PROGRAMS):
            return None
        if tree.code() == plain:
            return "same", "the same code"
        by = killer(tree, name)
    finally:
        path.write_text(text, encoding="utf-8")
    if by and by[0] not in tree.proven:
        if not tree.make(*PROGRAMS) or fails(tree, by[1]):
            sys.exit(f"mutants: {by[0]} fails on the tree as it is")
        tree.proven.add(by[0])
    return ("killed", by[0]) if by else ("survived", "")


def main():
    build, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    tree = Tree(build, pathlib.Path(build).resolve() / "mutants" / "tree")
    plain = tree.code()
    names = sys.argv[4:] or [n for n in tree.files
                             if n.split("/")[0] in ROOTS and n.endswith((".c", ".h"))]
    every = []
    for name in names:
        text = (tree.place / name).read_text(encoding="utf-8")
        every += [(name, c) for c in changes(text)]
    draw, sums = random.Random(seed), {"killed": 0, "survived": 0, "same": 0}
    print(f"{len(every)} changes of {len(names)} files, seed {seed}", flush=True)
    draw.shuffle(every)
    while every and sum(sums.values()) < count:
        name, change = every.pop()
        text = (tree.place / name).read_text(encoding="utf-8")
        start, end, new = change
        verdict = judge(tree, plain, name, change)
        if not verdict:
            continue
        sums[verdict[0]] += 1
        where = f"{name}:{text.count(chr(10), 0, start) + 1}"
        old = " ".join(text[start:end].split())
        print(f"{verdict[0]:8} {where}: {old} -> {' '.join(new.split())}: {verdict[1]}", flush=True)
    judged = sums["killed"] + sums["survived"]
    print(f"{sums['killed']} of {judged} killed, {sums['survived']} survived, "
          f"{sums['same']} the same program")
    return 1 if sums["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
