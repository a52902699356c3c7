"""What the figures of a log are, worked out from docs/log-format.md and docs/results.md alone.

Nothing here is shared with tools/: this is the second opinion that every reader is held against.
"""
import re

TAIL = re.compile(r" #(\d+):([0-9a-f]{8}|[0-9a-f]{4})$")
FIELD = re.compile(r' ([^ ="#]+)=("(?:[^"\\]|\\.)*"|[^ "]+)')
NUMBER = re.compile(r"-?\d+(\.\d{1,3})?$")
NOT_QUANTITIES = set(
    "bench mode group part cpl copies loop runs warmup ops bytes insns what needs exact truncated"
    " guarded interrupted nominal exits cold repeated cpus code code_bytes form kind".split())
SUFFIXES = (".min", ".low", ".high", ".max", ".below", ".bound", ".derived", ".moved")


class Record:
    def __init__(self, line, number):
        tail = TAIL.search(line)
        body = line[:tail.start()]
        self.line, self.seq, self.kind = number, int(tail.group(1)), body.split(" ", 1)[0]
        self.fields = [(k, unquoted(v)) for k, v in FIELD.findall(body)]
        self.value = dict(self.fields)

    def number(self, key, otherwise=None):
        text = self.value.get(key, "")
        return float(text) if NUMBER.match(text) else otherwise

    def at_least(self, key, least):
        n = self.number(key, least)
        return n if n else least


def unquoted(text):
    if not text.startswith('"'):
        return text
    return re.sub(r'\\(x([0-9a-f]{2})|.)',
                  lambda m: chr(int(m.group(2), 16)) if m.group(2) else m.group(1), text[1:-1])


def runs_of(text):
    """The records of each run."""
    runs = []
    for number, line in enumerate(text.replace("\r", "").split("\n"), 1):
        start = line.find("cpl0 schema=")
        if start > 0:
            line = line[start:]
        if not TAIL.search(line):
            continue
        record = Record(line, number)
        if record.seq == 0:
            runs.append([])
        runs[-1].append(record)
    return runs


class Machine:
    def __init__(self, records):
        self.tsc_hz, self.core_per_tsc, self.scoreboard = 0, 0, False
        self.withdrawn = [(int(r.value["from"]), int(r.value["to"])) for r in records
                          if r.kind == "withdrawn"]
        for r in records:
            if r.kind == "cpu":
                self.scoreboard = "clocks_good" in r.value
            if r.kind == "clock":
                self.tsc_hz = r.number("tsc_hz", self.tsc_hz)
                ratio = r.number("core_per_tsc", 0)
                if not self.core_per_tsc and 0 < ratio < 100:
                    self.core_per_tsc = ratio

    def way(self, record, key):
        """Of a `pair`, in the unit of the machine."""
        ticks = record.number(key, record.number("tsc", 0))
        return ticks * 1e9 / self.tsc_hz if self.tsc_hz else ticks


class Figure:
    def __init__(self, value, low, high, lowest, highest, below=False):
        self.value, self.low, self.high, self.withdrawn = value, low, high, False
        self.min, self.max, self.below = lowest, highest, below

    def times(self, factor):
        return Figure(*(v * factor for v in (self.value, self.low, self.high, self.min,
                                             self.max)), self.below)


class Row:
    """A benchmark: its records, from the first group of events to the last."""

    def __init__(self, run, record, machine):
        self.run, self.line, self.machine = run, record.line, machine
        self.bench, self.mode, self.cpl, self.form, self.kind = (
            record.value.get(k, "") for k in ("bench", "mode", "cpl", "form", "kind"))
        self.ops = record.at_least("ops", 1)
        self.copies = 1
        if self.mode == "total":
            self.copies = record.at_least("copies", 1) * record.at_least("loop", 1)
        self.bytes, self.insns = record.number("bytes", 0), record.number("insns", 0)
        self.interrupted = self.nominal = self.hosted = False
        self.place = (-1, -1)
        self.quantity = {}
        self.add(record)

    def goes_on(self, record):
        same = all(record.value.get(k, "") == getattr(self, k) for k in ("bench", "mode", "cpl"))
        return same and (record.number("group", 0), record.number("part", 0)) > self.place

    def add(self, record):
        self.place = (record.number("group", 0), record.number("part", 0))
        self.interrupted |= record.value.get("interrupted") == "1"
        self.nominal |= record.value.get("nominal") == "1"
        self.hosted |= record.value.get("exits") == "1" or "cold" in record.value
        for key, text in record.fields:
            if not (key in NOT_QUANTITIES or key.endswith(SUFFIXES) or
                    key.startswith("dropped.")) and NUMBER.match(text):
                self.quantity.setdefault(key, record)

    def of(self, key):
        """A quantity per operation."""
        if key not in self.quantity:
            return None
        r = self.quantity[key]
        value, off = r.number(key), r.number(key + ".bound", 0)
        below = r.number(key + ".below")
        if below is not None:
            f = Figure(value, 0, below, 0, below, True)
        else:
            f = Figure(value, *(r.number(key + "." + s, value) + sign * off for s, sign in
                                (("low", -1), ("high", 1), ("min", -1), ("max", 1))))
        f = f.times(1 / self.ops / self.copies)
        f.withdrawn = key not in ("tsc", "core") and any(
            first <= r.seq <= last for first, last in self.machine.withdrawn)
        return f

    def clocks(self):
        if "core" in self.quantity:
            return self.of("core")
        ticks = self.of("tsc")
        return ticks.times(self.machine.core_per_tsc) if ticks and self.machine.core_per_tsc else None

    def ns(self):
        ticks = self.of("tsc")
        return ticks.times(1e9 / self.machine.tsc_hz) if ticks and self.machine.tsc_hz else None

    def rate(self, time):
        if not time or time.below or time.low <= 0 or not self.bytes:
            return None
        low, high = self.bytes / time.high, self.bytes / time.low
        return Figure(self.bytes / time.value, low, high, low, high)

    def instructions(self):
        each = self.insns / self.ops / self.copies
        return Figure(each, each, each, each, each) if self.insns else None

    def clocks_per_insn(self):
        clocks, insns = self.clocks(), self.instructions()
        return clocks.times(1 / insns.value) if clocks and insns else None

    def figures(self):
        """Name -> Figure or None, under the names of docs/results.md."""
        return {"clocks": self.clocks(), "ns": self.ns(), "tsc": self.of("tsc"),
                "bytes_per_clock": self.rate(self.clocks()), "gb_per_s": self.rate(self.ns()),
                "insns": self.instructions(), "clocks_per_insn": self.clocks_per_insn()}

    def events(self):
        return {k: self.of(k) for k in self.quantity if k not in ("tsc", "core")}

    def time(self):
        return self.clocks() or self.of("tsc")

    def marks(self):
        time = self.time()
        nominal = "s" if self.machine.scoreboard else "m"
        return (("i" if self.interrupted else "") + ("h" if self.hosted else "") +
                (nominal if self.nominal else "") +
                ("<" if time and time.below else "") +
                ("w" if any(f.withdrawn for f in self.events().values()) else ""))

    def spread(self):
        """As `show` prints it."""
        f = self.time()
        if not f or f.below:
            return "-"
        if f.min == f.max:
            return "exact"
        return (f.high - f.low) * 100 / f.value if f.value > 0 else "-"


def rows_of(runs):
    rows = []
    for number, records in enumerate(runs, 1):
        machine, last = Machine(records), None
        for record in records:
            if record.kind != "result":
                continue
            if last and last.goes_on(record):
                last.add(record)
                continue
            last = Row(number, record, machine)
            rows.append(last)
    return rows


def ports_of(runs):
    """{(run, form): the record `ports` that stands in the row of the form in that run}.

    The last of the run, else the last of another run of the same machine.
    """
    found = {}
    for number, records in enumerate(runs, 1):
        for other, theirs in enumerate(runs, 1):
            if other != number and identity(theirs) != identity(records):
                continue
            for r in theirs:
                form = r.kind == "ports" and r.value.get("form")
                old = form and found.get((number, form))
                if form and (other == number or not old or old[0] != number):
                    found[number, form] = other, r
    return found


def identity(records):
    """Which machine a run was on: its name, signature, what emulates it, and whose guest it is."""
    cpu = next((r.value for r in records if r.kind == "cpu"), {})
    boot = next((r.value for r in records if r.kind == "boot"), {})
    name = cpu.get("brand") or [cpu.get(k) for k in ("vendor", "family", "model", "stepping")]
    return (name, cpu.get("signature"), cpu.get("hypervisor"), boot.get("loader") == "cpl0-sim")


def ports_text(record, other):
    v = record.value
    text = v.get("ports", "-") + (f" left {v['left']}" if "left" in v else "")
    text += " by time" if v.get("by") == "time" else ""
    text += f", clocks {float(v['clocks']):.3f}" if "clocks" in v else ""
    return text + (f" (run {other})" if other else "")
