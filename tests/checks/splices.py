"""No mixture of two runs of equal shape is an intact log.

    tests/checks/splices.py BUILD SEED COUNT

Two runs have the same kinds and keys of records, from a log of tests/data or docs/machines; their
numbers differ, and their run_id. A seeded draw splices them, exchanges records or stretches, loses
or doubles a stretch, or mixes sectors of their CPL0.LOG. `cpl0-log check` must find damage in each
draw that differs from both, and none in the two. Prints each draw that it takes for intact, and
`N passed, N failed, N skipped`.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zlib

SOURCES = ["tests/data/sample.log", "docs/machines/simulated/p5-32.log"]
SECTOR, TAG = 512, 16
RECORDS = 120  # of a run, at most: the shape matters, not the length
TAIL = re.compile(r" #(\d+):[0-9a-f]{4,8}$")
NUMBER = re.compile(r"(?<==)(\d+)(?=[ .]|$)")


def bodies(path):
    """The records of a log without their tails."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    found = [TAIL.sub("", line) for line in text.splitlines() if TAIL.search(line)]
    first = next(i for i, b in enumerate(found) if b.startswith("cpl0 "))
    found = found[first:]
    last = next(i for i, b in enumerate(found) if b.startswith("done "))
    return found[:min(last, RECORDS - 1)] + [found[last]]


def run_of(kept, r):
    """The lines of a run like that of which `kept` are the bodies, with other numbers."""
    def other(m):
        if m.group() in ("0", "1"):  # it may be a key that has no other values
            return m.group()
        return "".join(r.choice("123456789") for _ in m.group())

    lines, check = [], 0
    for seq, body in enumerate(kept):
        kind = body.split(" ", 1)[0]
        if kind == "cpl0":
            body = re.sub(r" run_id=\S+", "", re.sub(r"schema=\d+", "schema=2", body))
            body += f" run_id={r.randrange(1 << 32):#x}"
        elif kind == "done":
            body = re.sub(r"records=\d+", f"records={seq + 1}", body)
        elif '"' not in body and r.random() < 0.5:
            body = NUMBER.sub(other, body)
        text = f"{body} #{seq}"
        check = zlib.crc32(text.encode(), check)
        lines.append(f"{text}:{check:08x}\n".encode())
    return lines


def sectors(runs, number):
    """CPL0.LOG with these runs, the first of them of this number, and some free sectors."""
    made = []
    for number, lines in enumerate(runs, number):
        room = []
        for line in lines:
            if room and sum(map(len, room)) + len(line) > SECTOR - TAG:
                made.append((b" ", number, b"".join(room)))
                room = []
            if len(line) > SECTOR - TAG:  # goes on in the next sectors
                for at in range(0, len(line), SECTOR - TAG):
                    part = line[at:at + SECTOR - TAG]
                    if at + SECTOR - TAG < len(line) or at:
                        made.append((b"+" if at else b" ", number, part))
                continue
            room.append(line)
        made.append((b" ", number, b"".join(room)))
    made += [(b"-", 0, b"")] * 3
    image = []
    for i, (kind, number, text) in enumerate(made):
        tag = b"~cpl0" + kind + b"%03d %05d\n" % (number, i)
        pad = SECTOR - TAG - len(text)
        image.append(tag + text + (b" " * (pad - 1) + b"\n" if pad else b""))
    return image


def two(r, n):
    """Two places in order, apart."""
    return sorted(r.sample(range(n + 1), 2))


def splice(r, a, b):
    at = r.randrange(1, len(a))
    return a[:at] + b[at:]


def insert(r, a, b):
    """A stretch of b in the place of that of a."""
    i, j = two(r, len(a))
    return a[:i] + b[i:j] + a[j:]


def exchange(r, a, _):
    i, j = two(r, len(a) - 1)
    return a[:i] + [a[j]] + a[i + 1:j] + [a[i]] + a[j + 1:]


def exchange_stretches(r, a, _):
    i, j, k = sorted(r.sample(range(len(a) + 1), 3))
    return a[:i] + a[j:k] + a[i:j] + a[k:]


def lose(r, a, _):
    i, j = two(r, len(a))
    return a[:i] + a[j:]


def double(r, a, _):
    i, j = two(r, len(a))
    return a[:j] + a[i:]


def append(r, a, b):
    """The end of a run behind the whole of another."""
    return a + b[r.randrange(1, len(b)):]


def mix(r, a, b):
    """Each piece from one or the other."""
    return [r.choice(pair) for pair in zip(a, b)]


DRAWS = (splice, insert, exchange, exchange_stretches, lose, double, append, mix)


def is_intact(tool, path, text):
    path.write_bytes(text)
    p = subprocess.run([tool, "check", path], stdout=subprocess.DEVNULL, check=False)
    if p.returncode not in (0, 1):
        sys.exit(f"splices: cpl0-log check ends with {p.returncode}")
    return p.returncode == 0


def drawn(r, kept):
    """(name, text, the texts that are intact) of a draw."""
    runs = [run_of(kept, r), run_of(kept, r)]
    change = r.choice(DRAWS)
    if r.random() < 0.5:
        pieces, kind = runs, "log"
    else:
        # Files of one run each, or of two, in the second of which the runs have changed places.
        own = [[runs[0]], [runs[1]]] if r.random() < 0.5 else [runs, runs[::-1]]
        number = r.randrange(1, 900)
        pieces = [sectors(own[0], number),
                  sectors(own[1], r.choice((number, r.randrange(1, 900))))]
        kind = "CPL0.LOG"
    while len(pieces[0]) > len(pieces[1]):
        pieces.reverse()
    whole = [b"".join(p) for p in pieces]
    return f"{kind} {change.__name__}", b"".join(change(r, *pieces)), whole


def runs_of(image):
    """The runs of an image, as the sectors that have their number."""
    runs = {}
    for i in range(0, len(image), SECTOR):
        if image[i:i + 6] != b"~cpl0-":
            runs.setdefault(image[i + 6:i + 9], []).append(image[i:i + SECTOR])
    return {b"".join(r) for r in runs.values()}


def harmless(kind, text, whole):
    """A draw that left the runs alone, or none of them, or whole ones in their places."""
    if kind == "CPL0.LOG":
        return runs_of(text) <= runs_of(whole[0]) | runs_of(whole[1])
    return text in whole or not text


def main():
    build, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    tool, passed, failed = build + "/cpl0-log", 0, 0
    kept = [bodies(s) for s in SOURCES]
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "log"
        while passed + failed < count:
            draw = f"{seed}.{passed + failed}"
            r = random.Random(draw)
            name, text, whole = drawn(r, r.choice(kept))
            while harmless(name.split()[0], text, whole):
                name, text, whole = drawn(r, r.choice(kept))
            wrong = "is intact" if is_intact(tool, path, text) else None
            if not wrong and not all(is_intact(tool, path, w) for w in whole):
                wrong = "is of runs that are not intact"
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAIL draw {draw}: {name} {wrong}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
