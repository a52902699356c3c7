"""Logs that nobody measured: every kind of record with figures, with all that may stand in one.

`log(seed)` is the text of an intact log of schema 2. The same seed gives the same log.
"""
import random
import zlib

import kinds

EVENTS = ("INST_RETIRED.ANY", "UOPS.ALL", "L1D_MISSES", "BR_MISP", "CYCLES:u", "DTLB.WALK")
BENCHES = ("alu.add", "fp.mul", "p5.pair", "latency.64m", "branch.btb.16", "x87.fsqrt")
LEVELS = ("l1", "l2", "memory")


def milli(thousandths):
    sign, v = "-" if thousandths < 0 else "", abs(thousandths)
    whole, part = divmod(v, 1000)
    return sign + str(whole) + ("." + f"{part:03d}".rstrip("0") if part else "")


class Log:
    def __init__(self, seed):
        self.random, self.lines, self.seq, self.check = random.Random(seed), [], 0, 0

    def write(self, kind, **fields):
        self.write_fields(kind, list(fields.items()))

    def write_fields(self, kind, fields):
        body = kind + "".join(f" {k}={self.spelled(v)}" for k, v in fields)
        text = f"{body} #{self.seq}"
        self.check = zlib.crc32(text.encode(), self.check)
        self.lines.append(f"{text}:{self.check:08x}")
        self.seq += 1

    @staticmethod
    def spelled(value):
        text = str(value)
        if text and not any(c in text for c in ' "#=\\'):
            return text
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def often(self, part):
        return self.random.random() < part

    def number(self, most=40000):
        """Thousandths: small, round or large."""
        r = self.random
        return r.choice((r.randrange(1, 2000), 1000 * r.randrange(1, 300), r.randrange(1, most),
                         r.randrange(10**6, 10**7)))

    def quantity(self, name, value=None, noisy=0.6, bound=False):
        """Fields of one quantity, with what may stand beside it."""
        v, r = self.number() if value is None else value, self.random
        if self.often(0.08):
            return [(name, 0), (name + ".below", milli(r.randrange(1, 5000)))]
        fields = [(name, milli(v))]
        if self.often(noisy):
            low, high = v - r.randrange(0, v // 9 + 1), v + r.randrange(0, v // 9 + 2)
            fields += [(name + ".min", milli(max(0, low - r.randrange(0, 9)))),
                       (name + ".low", milli(low)), (name + ".high", milli(high)),
                       (name + ".max", milli(high + r.randrange(1, 9999)))]
        if bound and self.often(0.2):
            fields.append((name + ".bound", milli(r.randrange(2, 40))))
        return fields


def head(log):
    simulated = log.often(0.3)
    log.write("cpl0", schema=2, version="0.3.0", bits=log.random.choice((32, 64)),
              run_id=hex(log.random.getrandbits(32)))
    log.write("boot", protocol="multiboot2", loader="cpl0-sim" if simulated else "GRUB 2.06")
    log.write("cmdline", text="bench=* runs=9")
    drawn(log, kinds.HEAD, 1, 1)
    cpu = [("cpuid", 1), ("vendor", "GenuineIntel"), ("family", 6), ("model", 94),
           ("stepping", 3), ("signature", "0x506e3")]
    if simulated:
        cpu += [("emulator", "cpl0-sim"),
                ("clocks", log.random.choice(("nominal", "modelled")))]
        cpu += [("clocks_good", 944)] if log.often(0.5) else []
    elif log.often(0.4):
        cpu.append(("hypervisor", log.random.choice(("TCGTCGTCGTCG", "KVMKVMKVM"))))
    log.write_fields("cpu", cpu)
    log.simulated = simulated
    clocks(log)
    log.write("pmu", pmu="arch", model="Skylake", counters=4, usable=4)
    log.write_fields("cost", [("name", "bracket")] + log.quantity("tsc"))


def clocks(log):
    hz = log.random.choice((0, 100000000, 2593906000, 33333333))
    if log.often(0.6):
        log.write("clock", source="core", core_per_tsc=milli(log.random.randrange(500, 3000)),
                  adds=1000, adds_per_clock=1, tsc=1000)
    if hz:
        log.write("clock", source="chosen", tsc_hz=hz, invariant=1, **{"from": "hpet"})
    log.write("plan", benches=9, groups=2, counters="arch")


def names(log):
    """Benchmarks of a log: (name, form, kind, bytes)."""
    found = []
    for _ in range(log.random.randrange(2, 9)):
        name = log.random.choice(BENCHES) + str(log.random.randrange(9))
        found.append((name, "", "", 0))
    for _ in range(log.random.randrange(0, 4)):
        found.append((f"bandwidth.read_sse.{log.random.choice(LEVELS)}", "", "",
                      log.random.choice((64, 32, 8))))
    for i in range(log.random.randrange(0, 5)):
        lat = (f"instr.lat.add_r{i}", f"ADD r{i}, r{i}", "latency", 0)
        tp = (f"instr.tp.add_r{i}", f"ADD r{i}, r{i}", "throughput", 0)
        found += log.random.choice(([lat, tp], [tp, lat], [lat], [tp]))
    if log.often(0.3):
        log.random.shuffle(found)
    return list({bench[0]: bench for bench in found}.values())


def result(log, bench):
    name, form, kind, size = bench
    r, mode = log.random, log.random.choice(("rate", "rate", "total"))
    mode = "rate" if form and log.often(0.9) else mode
    start = [("bench", name)] + ([("form", form), ("kind", kind)] if form else [])
    start.append(("mode", mode))
    cpl = [("cpl", 3)] if log.often(0.02 if form else 0.2) else []
    rest = [("copies", r.choice((1, 4, 32))), ("loop", r.choice((1, 8, 125))), ("runs", 9)]
    rest += [("warmup", 2)] if log.often(0.5) else []
    rest += [("dropped.smi", 1)] if log.often(0.1) else []
    rest += [("interrupted", 1)] if log.often(0.1) else []
    rest += [("exits", 1)] if log.often(0.05) else []
    rest += [("cold", "host")] if log.often(0.1) else []
    rest += [("nominal", 1)] if log.simulated or log.often(0.05) else []
    rest += [("ops", r.choice((3, 10, 6006)))] if log.often(0.6) else []
    rest += [("bytes", size)] if size else []
    rest += [("insns", r.randrange(1, 500))] if log.often(0.5) else []
    value = log.number() * r.choice((1, 10))
    core = log.often(0.4)
    for group in range(r.randrange(1, 4)):
        for part in range(r.choice((1, 1, 2))):
            fields = start + ([("group", group)] if group else []) + \
                ([("part", part)] if part else []) + cpl + rest
            if not part:
                fields += log.quantity("tsc", value, bound=True)
            for event in r.sample(EVENTS, r.randrange(0, 3)):
                fields += log.quantity(event, r.choice((0, None)), 0.3)
            if core and not part:
                fields += log.quantity("core", log.number(), bound=True)
            log.write_fields("result", fields + [("exact", int(log.often(0.5)))])
    if log.often(0.3):
        verdicts(log, name)


def verdicts(log, name):
    r = log.random
    log.write("expect", bench=name, quantity="tsc", got=milli(log.number()), low=1, high=2,
              verdict=r.choice(("match", "differs")), source="somebody, 1996")
    log.write("check", event="instructions", counts="INST_RETIRED.ANY", body="nops", cpl=0,
              filter="all", expected=100, got=100, verdict=r.choice(("exact", "off by 3")))
    log.write("chain", body="alu.add_latency", counts="CYCLES", tsc="1.5", expected=1, got=1,
              verdict=r.choice(("agrees", "off")))


def ports(log, benches):
    """Ports of some forms, with results in this run or without, some of them twice."""
    r = log.random
    forms = sorted({(form, name) for name, form, _, _ in benches if form})
    forms += [(f"ADD r{i}, r{i}", f"instr.{r.choice(('lat', 'tp'))}.add_r{i}") for i in (7, 8)]
    for form, name in r.sample(forms, r.randrange(0, len(forms) + 1)) * r.choice((1, 1, 2)):
        time = log.often(0.3)
        keys = {"by": "time", "clocks": milli(log.number())} if time else {"uops": r.randrange(9)}
        if log.often(0.3):
            keys["left"] = r.choice(("FADD FMUL", "2"))
        log.write("ports", bench=name, form=form, **keys,
                  ports=r.choice(("1*p0156", "1*p06+2*p23", "0")))


def others(log):
    r = log.random
    if log.often(0.5):
        told = r.choice(({}, {"least_of": 5}, {"cold": 0},
                         {"least_of": 5, "exits": 1}))
        log.write("series", bench="cold", runs=3, **told, **{"tsc.1": milli(log.number()),
                                                     "tsc.2": 0, "tsc.3": 17, "tsc.below": 4})
    if log.often(0.5):
        log.write("geometry", bench="geometry.l1", load="4.012", fits=32768, over=34816, ways=8,
                  line=64, size=32768, verdict="match")
        log.write("datasheet", bench="datasheet.rob", what="rob", value=224, low=224, high=224,
                  unit="entries", by="time", verdict="sharp", filler="mix")
        log.write("sequence", bench="datasheet.policy.l1d", level=1, set=18, ways=2,
                  flush="wbinvd", seq="A? B? C? A?", hits="0000", repeats=8, agree=8)
        log.write("ports", bench="alu.add0", uops=1, ports="1*p0156")
    if log.often(0.5):
        log.write("sample", bench="alu.add0", event="BR_MISP", method="pebs", offset=2,
                  count=10, share="62.5", code="01c801c8")
    for a in range(r.choice((0, 3, 4))):
        for b in range(a):
            log.write_fields("pair", [("a", b), ("b", a), ("runs", 9)] +
                             log.quantity("tsc", r.randrange(1000, 900000), 1))
    if log.often(0.5):
        threads(log)


def threads(log):
    for run in ("alone", "together"):
        for cpu in (0, 1):
            log.write_fields("thread", [("bench", "fp.add"), ("cpu", cpu), ("run", run),
                                        ("group", 0), ("copies", 32), ("loop", 5), ("runs", 8)] +
                             log.quantity("tsc", log.random.randrange(1, 99999), 0.5))
        more = [("skew", 7), ("busy", "0.95"), ("speedup", "1.9")] if run == "together" else []
        log.write_fields("threads", [("mode", "core"), ("bench", "fp.add"), ("cpus", 2),
                                     ("group", 0), ("run", run)] + more +
                         [("ops", milli(log.random.randrange(1, 9999)))])


def drawn(log, names_of_kinds, least, most):
    """`least` to `most` records of each of these kinds."""
    for kind in names_of_kinds:
        for _ in range(log.random.randrange(least, most + 1)):
            log.write_fields(kind, kinds.record(log.random, kind))


def listing(log, which):
    """What the argument `list` makes: benchmarks, or events and arguments; no results."""
    head(log)
    drawn(log, which, 2, 9)
    log.write("done", status="ok", records=log.seq + 1)


def log(seed):
    """One run, or two."""
    made = Log(seed)
    if seed % 8 < 2:
        listing(made, (("bench", "known"), ("listed",))[seed % 8])
    for _ in range(made.random.choice((1, 1, 1, 2))):
        made.seq = made.check = 0
        head(made)
        good = made.seq
        benches = names(made)
        for bench in benches:
            result(made, bench)
            if made.often(0.1):
                made.write("withdrawn", **{"from": good, "to": made.seq - 1})
            good = made.seq if made.often(0.2) else good
        if made.often(0.5):
            ports(made, benches)
        others(made)
        drawn(made, kinds.DRAWN, seed % 8 == 0, 3)
        made.write("done", status="ok", records=made.seq + 1)
    return "".join(line + "\n" for line in made.lines)
