"""Records of generated logs without a figure per operation, with all keys of docs/log-format.md.

`HEAD`, `DRAWN` and `LISTED` hold for each kind its keys and how a value of each
is drawn: a tuple of words to choose from, or `number`, `thousandths`, `address` and `code`.
"""
import re

LEFT_OUT = 0.25  # how often a key other than the first ones is absent


def number(r):
    return r.choice((0, r.randrange(1, 20), r.randrange(20, 10**7)))


def thousandths(r):
    whole, part = r.randrange(0, 200), r.choice((0, 500, r.randrange(1000)))
    return str(whole) + (f".{part:03d}".rstrip("0") if part else "")


def address(r):
    return hex(r.getrandbits(r.choice((4, 16, 32))))


def code(r):
    return r.choice(("01c801c8", "90", "0fafc101c8f390", "c3"))


SWITCH, BENCH, EVENT = ("0", "1"), ("alu.add0", "branch.btb.16"), ("BR_MISP", "UOPS.ALL")
METHOD = ("iebs", "pebs", "ibs-op")
PLACE = {"bench": BENCH, "event": EVENT, "method": METHOD}
SHARE = {"count": number, "share": thousandths}
HEAD = {
    "note": {"text": ("a host", "perf_event_paranoid=2")},
    "date": {"rtc": ("2026-05-01 12:00:00", "1970-01-01 00:00:01"), "implausible": SWITCH},
    "board": {key: ("ACME, Inc.", "X-1", "?", "07/08/2011") for key in (
        "system_maker", "system", "system_version", "board_maker", "board", "board_version",
        "bios_maker", "bios", "bios_date")},
    "guest": {"when": ("end",), "hypervisor": ("KVMKVMKVM", "Microsoft Hv"),
              "also": ("KVMKVMKVM",), "max": address, "tsc_khz": number, "rdpmc": number,
              "cpuid": number, "msr": number, "vpmu": ("none", "perf", "mediated"),
              "fence": ("lfence", "cpuid"), "wbinvd": ("empties", "nop"),
              "flush": ("wbinvd", "clflush", "none"), "ignores_msrs": SWITCH, "steal": SWITCH,
              "stolen_us": number},
}
DRAWN = {
    "usb": {"kind": ("uhci", "xhci"), "device": address, "handoff": ("done", "refused")},
    "module": {"name": ("own.elf a=1", "x"), "bytes": number, "snippets": number},
    "cpu_fault": {"cpu": number, "what": ("fp.add", "a probe"), "end": ("trap", "timeout"),
                  "vector": number, "error": address, "ip": address, "cr2": address,
                  "state": ("ready", "lost")},
    "proofs": dict.fromkeys(("made", "boot", "checks", "ticks", "of"), number),
    "checked": {"event": ("instructions", "branches"), "results": number, "exact": number,
                "off": number},
    "progress": {"bench": BENCH, "done": number, "total": number},
    "sampler": {"method": METHOD, "available": SWITCH, "why": ("no PEBS", "guest"),
                "event": EVENT},
    "sampling": {**PLACE, "period": number, "after": EVENT, "after_count": number,
                 "cpl": ("0", "3"), "delivery": ("vector", "nmi"), **dict.fromkeys((
                     "copies", "loop", "samples", "eventing"), number),
                 "ip": ("eventing", "stepped", "next"), **dict.fromkeys((
                     "lost", "spurious", "late", "lag", "events", "control", "whole", "around", "outside",
                     "elsewhere", "addressed", "decoded", "differ", "branches"), number)},
    "blocker": {"by": ("time",), "ports": ("p06", "p1"), "count": number,
                "inside": ("p06,p0156", "p1"), "code": code},
    "tracing": {"bench": BENCH, "event": EVENT, "cpl": ("0", "3"), "delivery": ("nmi",),
                "freeze": SWITCH, "copies": number, "loop": number, "at": address,
                **dict.fromkeys(("clocks", "events", "runs", "stops", "beyond"), number)},
    "trace": {"bench": BENCH, "event": EVENT, "clock": number, "rest": number, "stops": number,
              "min": number, "mean": thousandths, "max": number},
    "still": {"events": ("BR_MISP", "BR_MISP DTLB.WALK")},
    "zero": {"bench": BENCH, "events": ("BR_MISP", "BR_MISP DTLB.WALK")},
    "trap": {"snippet": BENCH, "vector": number, "name": ("page fault", "escape"),
             "error": address, "cr2": address, "dr6": address, "cpu": number, "frame": ("lost",),
             "code": ("90 90", "cc"), "bench": BENCH, "address": address, "ip": address},
    "timeout": {"bench": BENCH, "ms": number, "ip": address},
    "skid": {**PLACE, "distance": number, **SHARE, "copy": number, "copy_count": number,
             "code": code},
    "address": {**PLACE, "address": address, **SHARE, "latency": number, "source": address},
    "branch": {**PLACE, "from": ("0", "12", "around"), "to": ("0", "8", "around"), **SHARE,
               "missed": number, "min": number, "mean": thousandths, "max": number},
}
# Only in logs of the argument `list`.
LISTED = {
    "bench": {"name": ("alu.add", "instr.lat.mul", "x87.fsin"), "what": ("adds, one by one", "x"),
              "form": ("MUL r32", "FSIN"), "kind": ("latency", "throughput"), "default": SWITCH,
              "needs": ("sse2", "sse2 avx"), "width": ("32", "64"), "privileged": SWITCH,
              "ops": number, "insns": number, "skip": ("needs avx",)},
    "known": {"bench": ("alu.add",), "family": ("p5,p5mmx", "*"), "quantity": ("tsc",),
              "low": thousandths, "high": thousandths, "source": ("somebody, 1996",)},
    "listed": {"argument": ("runs", "bench"), "alias": ("clocks", "branches"), "name": EVENT,
               "what": ("how many samples", "x"), "select": address},
}
REST = {"skid": ("distance",), "address": ("address",), "branch": ("from", "to")}
TOGETHER = {"min", "max", "from", "to", "count", "share", "bench", "event", "method", "name"}


def record(r, kind, keys):
    """Fields of a record; those of REST may be others taken together."""
    rest = kind in REST and r.random() < 0.2
    fields = []
    for key, drawn in keys.items():
        if rest and key in REST[kind]:
            if key != "to":
                fields.append(("rest", 1))
        elif key in TOGETHER or r.random() >= LEFT_OUT:
            fields.append((key, r.choice(drawn) if isinstance(drawn, tuple) else drawn(r)))
    return fields or [(key, r.choice(d) if isinstance(d, tuple) else d(r))
                      for key, d in keys.items()]


def documented(path="docs/log-format.md"):
    """{kind: [key]} of the tables; keys in italics, which stand for many, are left out."""
    with open(path, encoding="utf-8") as text:
        records = text.read().split("\n## Records\n")[1]
    return {part.split("\n")[0]: re.findall(r"^\| `([^`]+)` \|", part, re.M)
            for part in re.split(r"^### ", records, flags=re.M)[1:]}
