"""Does a test fail when the code is wrong?

    tests/mutants/mutants.py BUILD SEED COUNT [--only A-B] [FILE...]

Draws COUNT changes of one token from kernel/, pmu/, bench/, boot/, native/ and tools/, or from
FILEs. Each goes into a copy of the tree; then the tests that reach the file run until one of them
fails. Prints a line for each change, with its number:

    killed    by the test that is named
    survived  every test passes
    same      the compiler makes the same code of it, or same.csv says why it is the same program
    (a change that the compiler refuses is drawn anew)

The exit status is 1 if a change survived. The tests are those that the build names: unit tests by
their dependency files, and behind them the suites and rows of suites.csv by path. What a test needs
is built just before it.

A change depends on SEED and on its line alone, so that an edit elsewhere keeps the others and their
order. --only runs the numbers A to B. BUILD/mutants keeps the copy of the tree for the next run,
and record.json: how long each test takes, and what killed changes of each file. A test that is
likely to kill in little time runs first, and that of the last run before all others. No verdict is
taken from there.
"""
import argparse
import csv
import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
ROOTS = ("kernel", "pmu", "bench", "boot", "native", "tools")
PROGRAMS = ("build/32/cpl0.elf", "build/64/cpl0.elf", "build/cpl0-log", "build/cpl0-native",
            "build/cpl0-sim")
JUDGES = ("build/cpl0-log", "build/tests/expect")  # of a row's log
SECONDS = 400  # of a test, a build or a row; a change may make a loop endless
NO_PROGRAM = ("mutants", "machines", "clang", "portable", "san", "lies", "policies")
FEW = 8  # so many objects at most are made before the first test, to see whether they are the same
UNTIMED = 30  # s, of a test that no run has timed

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


def end(process):
    """Ends all that the process started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def failures(process, failed):
    """Ends a test at its first failure: what follows may take minutes."""
    for line in process.stdout:
        if line.startswith(b"FAIL "):
            failed.append(line)
            end(process)


def run(command, cwd, seconds=SECONDS):
    """The exit status, or None after some time or the first line that says FAIL."""
    failed = []
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, start_new_session=True) as p:
        watch = threading.Thread(target=failures, args=(p, failed))
        watch.start()
        try:
            p.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end(p)
            watch.join()
    return None if failed else p.returncode


class Record:
    """What earlier runs tell about tests: which to try first, and when one hangs."""

    def __init__(self, path):
        self.path = path
        self.all = {"seconds": {}, "kills": {}, "last": {}}
        if path.exists():
            self.all = json.loads(path.read_text(encoding="utf-8"))

    def seconds(self, test):
        return self.all["seconds"].get(test, UNTIMED)

    def limit(self, test):
        known = self.all["seconds"].get(test)
        return SECONDS if known is None else min(SECONDS, 30 + 3 * known)

    def passed(self, test, seconds):
        self.all["seconds"][test] = max(seconds, self.all["seconds"].get(test, 0))

    def killed(self, name, change, test):
        for place in name, name.rpartition("/")[0]:
            kills = self.all["kills"].setdefault(place, {})
            kills[test] = kills.get(test, 0) + 1
        self.all["last"][change] = test

    def save(self):
        self.path.write_text(json.dumps(self.all, indent=0, sort_keys=True), encoding="utf-8")

    def rank(self, name, change, test):
        """Less for a test that kills sooner."""
        if self.all["last"].get(change) == test:
            return float("-inf")
        kills = [self.all["kills"].get(place, {}).get(test, 0)
                 for place in (name, name.rpartition("/")[0])]
        return -(3 * kills[0] + kills[1] + 0.3) / (self.seconds(test) + 0.5)


def update(old, new):
    """Makes file `new` the same as `old`; its time says whether it changed just now."""
    if not new.exists() and not new.is_symlink():
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(old, new, follow_symlinks=False)
    elif not old.is_symlink() and new.read_bytes() != old.read_bytes():
        shutil.copyfile(old, new)
        shutil.copymode(old, new)


def times(folder):
    """{path below a folder: (time, size)} of every file."""
    found = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f not in NO_PROGRAM]
        for f in files:
            path = os.path.join(at, f)
            stat = os.lstat(path)
            found[os.path.relpath(path, folder)] = stat.st_mtime_ns, stat.st_size
    return found


def copy_changed(old, new):
    """Makes folder `new` the same as `old`; programs that are the same in both are not touched."""
    before, after = times(old), times(new)
    for path in after.keys() - before.keys():
        (new / path).unlink()
    for path, stat in before.items():
        if after.get(path) != stat:
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).unlink(missing_ok=True)
            shutil.copy2(old / path, new / path, follow_symlinks=False)


class Tree:
    """A copy of the tree with its build directory, in which one file at a time is changed.

    Beside it is a copy of what was built without a change, from which undo() restores.
    """

    def __init__(self, build, place):
        self.place, self.plain = place, place.parent / "plain"
        self.env = dict(os.environ, GIT_CEILING_DIRECTORIES=str(place.parent),
                        SOURCE_DATE_EPOCH="1700000000", PYTHONUNBUFFERED="1")
        # The release alone is the version: a commit meanwhile changes no program.
        os.environ.update(self.env)
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others",
                                "--exclude-standard"], capture_output=True, check=True).stdout
        self.files = [n for n in names.decode().split("\0")[:-1] if os.path.exists(n)]
        if not (place / "build").exists():
            shutil.copytree(build, place / "build", symlinks=True,
                            ignore=shutil.ignore_patterns(*NO_PROGRAM))
        if self.plain.exists():
            self.undo()  # of a run that was stopped
        for name in self.files:
            update(pathlib.Path(name), place / name)
        for path in set(times(place)) - set(self.files):
            if path.split("/")[0] not in ("build", ".git"):
                (place / path).unlink()
        if not self.make("all", "floppy", "pxe-images", "unit-build"):
            sys.exit("mutants: the tree does not build as it is")
        copy_changed(place / "build", self.plain)
        self.unit, self.objects = self.unit_tests(), self.made_of()
        self.hashes = {}
        self.proven = set()  # names of tests that pass without a change

    def make(self, *targets):
        jobs = f"-j{len(os.sched_getaffinity(0))}"
        return run(["make", "-s", jobs, "B=build", *targets], self.place, 4 * SECONDS) == 0

    def undo(self):
        copy_changed(self.plain, self.place / "build")

    def unit_tests(self):
        """The unit tests that are built of each file."""
        tests = {}
        said = subprocess.run(["make", "-s", "B=build", "unit-objects"], cwd=self.place,
                              check=True, capture_output=True, text=True).stdout
        for name, *objects in map(str.split, said.splitlines()):
            for made in objects:
                rule = (self.place / made).with_suffix(".d")
                for word in rule.read_text(encoding="utf-8").split():
                    tests.setdefault(word, set()).add(name)
        return {name: sorted(t) for name, t in tests.items()}

    def made_of(self):
        """The objects of the programs that are built of each file."""
        objects = {}
        for folder in "32", "64", "tools", "native", "sim":
            for rule in (self.place / "build" / folder).glob("**/*.d"):
                made = str(rule.relative_to(self.place).with_suffix(".o"))
                for word in rule.read_text(encoding="utf-8").split():
                    if (self.place / made).exists() and not word.endswith(":"):
                        objects.setdefault(word, set()).add(made)
        return {name: sorted(o) for name, o in objects.items()}

    def code(self, made):
        """What the compiler made, without words for a debugger."""
        bare, digest = self.place.parent / "bare", hashlib.sha256()
        for one in made:
            subprocess.run(["strip", "-g", "-o", bare, one], check=True, cwd=self.place)
            digest.update(bare.read_bytes())
        return digest.digest()

    def plain_code(self, made):
        """The same of the tree as it is, which this must be."""
        key = tuple(made)
        if key not in self.hashes:
            self.hashes[key] = self.code(made)
        return self.hashes[key]


def suites_of(name):
    with open(HERE / "suites.csv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            if fnmatch.fnmatch(name, row["path"]):
                yield row["runs"].split()


def rows_of(tree, glob):
    """(name, targets that it boots) of each row of machines."""
    said = subprocess.run(["tests/machines/run.sh", "--all", "--list", glob], cwd=tree.place,
                          capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        name, runner, bits, _, _, _, _, how = line.split("|")[:8]
        kernel = f"build/{bits}/cpl0.elf"
        if runner == "sim":
            yield name, [*JUDGES, "build/cpl0-sim", kernel]
        elif runner == "native":
            yield name, [*JUDGES, "build/cpl0-native"]
        elif runner == "qemu" and "direct" in how.split():
            yield name, [*JUDGES, kernel]
        else:
            yield name, ["all", "floppy", "pxe-images"]


def tests_of(tree, name):
    """{name: commands} of each test that reaches a file."""
    found, make = {}, ["make", "-s", "B=build"]
    for test in tree.unit.get(name, []):
        program = f"build/tests/test_{test}"
        found[f"unit test {test}"] = [[*make, program], [program]]
    for what, *names in suites_of(name):
        for one in names:
            if what == "make":
                found[f"make {one}"] = [[*make, *one.split(",")]]
                continue
            for row, targets in rows_of(tree, one):
                found[f"row {row}"] = [[*make, *targets],
                                       ["tests/machines/run.sh", "--all", row]]
    return found


def fails(tree, record, test, commands):
    begin = time.monotonic()
    for command in commands:
        limit = SECONDS if command[0] == "make" and len(commands) > 1 else record.limit(test)
        if run(command, tree.place, limit) != 0:
            return True
    record.passed(test, time.monotonic() - begin)
    return False


def reason(name, line, old, new):
    """Why same.csv says that a change makes the same program."""
    with open(HERE / "same.csv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(x for x in f if not x.startswith("#")):
            if [row[k].strip() for k in ("file", "line", "old", "new")] == [name, line, old, new]:
                return row["why"]
    return None


class Change:
    """A change of one token of a file: what is replaced, by what, and in which line."""

    def __init__(self, name, text, change, nth):
        self.name, self.text = name, text
        self.start, self.end, self.new = change
        self.old = text[self.start:self.end]
        self.line = text[text.rfind("\n", 0, self.start) + 1:text.index("\n", self.start)].strip()
        self.key = "\t".join((name, self.line, self.old, self.new, str(nth)))

    def changed(self):
        return self.text[:self.start] + self.new + self.text[self.end:]

    def __str__(self):
        number = self.text.count("\n", 0, self.start) + 1
        return (f"{self.name}:{number}: {' '.join(self.old.split())} -> "
                f"{' '.join(self.new.split())}")


def drawn(tree, seed, names):
    """Every change of the files, in the order of a seed."""
    every = []
    for name in names:
        text = (tree.place / name).read_text(encoding="utf-8")
        seen = {}
        for change in changes(text):
            first = Change(name, text, change, 0).key
            seen[first] = seen.get(first, -1) + 1
            every.append(Change(name, text, change, seen[first]))
    every.sort(key=lambda c: hashlib.sha256(f"{seed}\t{c.key}".encode()).digest())
    return every


def verdict_of(tree, record, change, tests):
    """The verdict on a change that is in the tree; None if it does not build."""
    made = tree.objects.get(change.name) or list(PROGRAMS)
    plain = tree.plain_code(made)
    (tree.place / change.name).write_text(change.changed(), encoding="utf-8")
    few = len(made) <= FEW
    if not tree.make(*(made if few else made[:1])):
        return None
    if few and tree.code(made) == plain:
        return "same", "the same code"
    units = [t for t in tests if t.startswith("unit test ")]
    for test in tests:
        if not few and test not in units:
            if not tree.make(*made):
                return None
            few = True
            if tree.code(made) == plain:
                return "same", "the same code"
        if fails(tree, record, test, tests[test]):
            return "killed", test
    return "survived", ""


def judge(tree, record, change):
    """The verdict on a change, which is undone; None if it does not build."""
    why = reason(change.name, change.line, change.old, change.new)
    if why:
        return "same", " ".join(why.split())
    tests = tests_of(tree, change.name)
    order = sorted(tests, key=lambda t: record.rank(change.name, change.key, t))
    tests = {t: tests[t] for t in order}
    stat = os.stat(tree.place / change.name)
    try:
        verdict = verdict_of(tree, record, change, tests)
    finally:
        path = tree.place / change.name
        path.write_text(change.text, encoding="utf-8")
        os.utime(path, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
        tree.undo()
    if verdict and verdict[0] == "killed":
        by = verdict[1]
        if by not in tree.proven and fails(tree, record, by, tests[by]):
            sys.exit(f"mutants: {by} fails on the tree as it is")
        tree.proven.add(by)
        record.killed(change.name, change.key, by)
    record.save()
    return verdict


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seed")
    parser.add_argument("count", type=int)
    parser.add_argument("--only", metavar="A-B")
    parser.add_argument("files", nargs="*")
    return parser.parse_args()


def main():
    given = arguments()
    place = given.build.resolve() / "mutants"
    place.mkdir(parents=True, exist_ok=True)
    tree, record = Tree(given.build, place / "tree"), Record(place / "record.json")
    names = given.files or [n for n in tree.files
                            if n.split("/")[0] in ROOTS and n.endswith((".c", ".h"))]
    every = drawn(tree, given.seed, names)
    first, _, last = (given.only or f"1-{len(every)}").partition("-")
    sums = {"killed": 0, "survived": 0, "same": 0}
    print(f"{len(every)} changes of {len(names)} files, seed {given.seed}", flush=True)
    for number in range(int(first), min(int(last or first), len(every)) + 1):
        if not given.only and sum(sums.values()) == given.count:
            break
        begin, change = time.monotonic(), every[number - 1]
        verdict = judge(tree, record, change)
        if verdict:
            sums[verdict[0]] += 1
            print(f"{number} {verdict[0]:8} {change}: {verdict[1]} "
                  f"({time.monotonic() - begin:.0f} s)", flush=True)
    judged = sums["killed"] + sums["survived"]
    print(f"{sums['killed']} of {judged} killed, {sums['survived']} survived, "
          f"{sums['same']} the same program")
    return 1 if sums["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
