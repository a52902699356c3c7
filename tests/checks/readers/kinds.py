"""Records of generated logs without a figure per operation: all keys of tools/log/records.csv.

`TABLE` is {kind: {key: type}}, without the keys that stand for many. A value is drawn by the type
of its key; WORDS has words and texts, by `KIND.KEY` or else by `KEY`.
"""
import csv

LEFT_OUT = 0.25  # how often a key other than the first ones is absent
# Which kinds a log has: before its results, behind them, and in those of the argument `list`.
HEAD = ("note", "date", "board", "guest")
DRAWN = ("usb", "module", "cpu_fault", "proofs", "checked", "progress", "sampler", "sampling",
         "blocker", "tracing", "trace", "still", "zero", "trap", "timeout", "skid", "address",
         "branch")
LISTED = ("bench", "known", "listed")
EVENT = ("BR_MISP", "UOPS.ALL")
WORDS = {
    "bench": ("alu.add0", "branch.btb.16"), "known.bench": ("alu.add",), "snippet": ("alu.add0",),
    "bench.name": ("alu.add", "instr.lat.mul", "x87.fsin"), "bench.width": ("32", "64"),
    "bench.form": ("MUL r32", "FSIN"), "bench.kind": ("latency", "throughput"),
    "needs": ("sse2", "sse2 avx"), "skip": ("needs avx",), "family": ("p5,p5mmx", "*"),
    "quantity": ("tsc",), "known.source": ("somebody, 1996",), "what": ("adds, one by one", "x"),
    "argument": ("runs", "bench"), "values": ("1 to 5", "a, b"),
    "absent": ("none", "the default set"), "alias": ("clocks", "branches"), "listed.name": EVENT,
    "event": EVENT, "after": EVENT, "checked.event": ("instructions", "branches"),
    "events": ("BR_MISP", "BR_MISP DTLB.WALK"), "sampling.events": (),
    "tracing.events": (), "method": ("iebs", "pebs", "ibs-op"), "why": ("no PEBS", "guest"),
    "delivery": ("vector", "nmi"), "sampling.ip": ("eventing", "stepped", "next"),
    "blocker.ports": ("p06", "p1"), "inside": ("p06,p0156", "p1"),
    "text": ("a host", "perf_event_paranoid=2"),
    "rtc": ("2026-05-01 12:00:00", "1970-01-01 00:00:01"),
    "hypervisor": ("KVMKVMKVM", "Microsoft Hv"), "also": ("KVMKVMKVM",), "when": ("end",),
    "vpmu": ("none", "perf", "mediated"), "fence": ("lfence", "cpuid"),
    "wbinvd": ("empties", "nop"), "flush": ("wbinvd", "clflush", "none"),
    "usb.kind": ("uhci", "xhci"), "handoff": ("done", "refused"),
    "module.name": ("own.elf a=1", "x"),
    "end": ("trap", "timeout"), "state": ("ready", "lost"), "frame": ("lost",),
    "trap.name": ("page fault", "escape"), "trap.code": ("90 90", "cc"),
}
REST = {"skid": ("distance",), "address": ("address",), "branch": ("from", "to")}
TOGETHER = {"min", "max", "from", "to", "count", "share", "bench", "event", "method", "name"}


def table(path="tools/log/records.csv"):
    found = {}
    with open(path, encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if line[0] != "#"):
            keys = found.setdefault(row["kind"], {})
            if "{" not in row["key"]:
                keys[row["key"]] = row["type"]
    return found


TABLE = table()


def number(r):
    return r.choice((0, r.randrange(1, 20), r.randrange(20, 10**7)))


def thousandths(r):
    whole, part = r.randrange(0, 200), r.choice((0, 500, r.randrange(1000)))
    return str(whole) + (f".{part:03d}".rstrip("0") if part else "")


def address(r):
    return hex(r.getrandbits(r.choice((4, 16, 32))))


def code(r):
    return r.choice(("01c801c8", "90", "0fafc101c8f390", "c3"))


SORTS = {"decimal": number, "fraction": thousandths, "hex": address, "hex digits": code,
         "word": lambda r: r.choice(("word", "x-1")),
         "text": lambda r: r.choice(("ACME, Inc.", "?"))}


def value(r, kind, key):
    words = WORDS.get(f"{kind}.{key}", WORDS.get(key))
    if words:
        return r.choice(words)
    sort = r.choice(TABLE[kind][key].split("|"))
    return SORTS[sort](r) if sort in SORTS else sort.strip("`")


def record(r, kind):
    """Fields of a record; those of REST may be others taken together."""
    rest = kind in REST and r.random() < 0.2
    keys = [key for key in TABLE[kind] if kind not in REST or key != "rest"]
    fields = []
    for key in keys:
        if rest and key in REST[kind]:
            if key != "to":
                fields.append(("rest", 1))
        elif key in TOGETHER or r.random() >= LEFT_OUT:
            fields.append((key, value(r, kind, key)))
    return fields or [(key, value(r, kind, key)) for key in keys]
