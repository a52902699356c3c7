"""Output that cannot be written is an error of every program on the host, and inputs stay whole.

    tests/checks/outputs.py BUILD

The commands come from the programs' own lists: `cpl0-log --help` and the help of each command, the
usage of cpl0-native, the options of cpl0-sim that name a FILE, and the programs and scripts that
are in the tree. Each writes to a full device, to a closed standard output, to a pipe without a
reader, and under a limit of the file size of 0; and each output is one of the inputs. A command or
an option that this test has no value for is a failure, so that a new one is covered.

The exit code must be that of lost output, and the message must name the output. Prints each
failure, a line a program, and `N passed, N failed, N skipped`.
"""
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
LOG, NATIVE, SIM = (f"{BUILD}/cpl0-{name}" for name in ("log", "native", "sim"))
CODE = {LOG: 2, NATIVE: 2, SIM: 3}  # of lost output
FULL, OUT = "/dev/full", "@"
SHORT = ["--cpu", "p5", "--max-instructions", "3000000"]  # far enough for the first records
KERNEL_ARGUMENTS = ["exit=debug", "list", "bench=alu.add_latency"]


class Judge:
    """Counts, and what went wrong."""

    def __init__(self):
        self.passed = self.failed = 0
        self.tests = 0

    def say(self, name, wrong):
        self.passed, self.failed = self.passed + (not wrong), self.failed + bool(wrong)
        if wrong:
            print(f"FAIL {name}: {wrong}")

    def group(self, name):
        print(f"{self.passed + self.failed - self.tests:4d} tests of {name}")
        self.tests = self.passed + self.failed


class Work:
    """A folder with inputs, which every command must leave as they are."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.inputs = {name: self.folder / name for name in (
            "a.log", "b.log", "d.log", "p.log", "kernel.elf", "module.elf", "keys.txt", "letter.txt", "hard.log",
            "link.log")}
        self.restore()

    def restore(self):
        for path in self.folder.iterdir():
            path.unlink()
        for name, path in self.inputs.items():
            if name == "hard.log":
                os.link(self.inputs["a.log"], path)
            elif name == "link.log":
                path.symlink_to(self.inputs["a.log"])
            elif name == "d.log":
                shutil.copy("tests/data/datasheet.log", path)
            elif name == "p.log":
                shutil.copy("tests/data/policy.log", path)
            elif name.endswith(".log"):
                shutil.copy("tests/data/sample.log", path)
            elif name.endswith(".elf"):
                shutil.copy(f"{BUILD}/32/cpl0.elf", path)
            else:
                path.write_text("a letter\n", encoding="ascii")
        self.before = self.state()

    def state(self):
        return {name: path.read_bytes() for name, path in self.inputs.items()}

    def changed(self):
        """Names of inputs that are not as before; puts them back."""
        now = self.state()
        names = [n for n, data in self.before.items() if now[n] != data]
        if names:
            self.restore()
        return names

    def path(self, name):
        return str(self.folder / name)


def no_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def run(argv, out=subprocess.DEVNULL, err=subprocess.PIPE, before=None):
    """Exit code and what came on standard error."""
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False,
                       preexec_fn=before, timeout=1200)  # pylint: disable=W1509
    return p.returncode, (p.stderr or b"").decode("utf-8", "replace")


def verdict(work, ended, name, want=None):
    """What is wrong with a command whose output `name` was lost; want: the exit code, if known."""
    code, text = ended
    wrong = []
    if code == 0 or (want and code != want):
        wrong.append(f"exit code {code}" + (f", must be {want}" if want else ""))
    if name not in text or not text:
        wrong.append(f"no message that names {name}, but {text[-80:]!r}")
    wrong += [f"{name} changed" for name in work.changed()]
    return "; ".join(wrong)


def stdout_lost(judge, work, argv, ways=("full device", "closed", "closed pipe", "size limit")):
    """Standard output is lost, in each of these ways."""
    title = " ".join(shlex.quote(w) for w in argv).replace(str(work.folder) + "/", "")
    ends = {}
    with open(FULL, "wb") as out:
        ends["full device"] = run(argv, out)
    ends["closed"] = run(argv, before=lambda: os.close(1))
    read, write = os.pipe()
    os.close(read)
    ends["closed pipe"] = run(argv, write)
    os.close(write)
    with open(work.path("limited"), "wb") as out:
        ends["size limit"] = run(argv, out, before=no_size)
    os.unlink(work.path("limited"))
    for way in ways:
        judge.say(f"{title}, {way}",
                  verdict(work, ends[way], "standard output", CODE.get(argv[0])))


def with_output(argv, path):
    return [w.replace(OUT, path) for w in argv]


def file_lost(judge, work, argv):
    """A file that is named, for which OUT stands, on a full device and under a limit."""
    title = " ".join(argv).replace(str(work.folder) + "/", "")
    full = with_output(argv, FULL)
    judge.say(f"{title}, full device", verdict(work, run(full), FULL, CODE[argv[0]]))
    path = work.path("limited")
    limited = with_output(argv, path)
    judge.say(f"{title}, size limit",
              verdict(work, run(limited, before=no_size), path, CODE[argv[0]]))
    for left in work.folder.glob("limited*"):
        left.unlink()


def refused(judge, work, argv, taken):
    """An output that is one of the files in `taken`."""
    for name in taken:
        command = with_output(argv, work.path(name))
        judge.say(" ".join(command).replace(str(work.folder) + "/", ""),
                  verdict(work, run(command), work.path(name), CODE.get(argv[0])))


def grown(judge, work, argv, name, want):
    """Standard output goes into the file that is read."""
    with open(work.path(name), "ab") as out:
        ended = run(argv, out)
    judge.say(f"{argv[0]} {name} >>{name}", verdict(work, ended, work.path(name), want))


# --- cpl0-log ------------------------------------------------------------------------------------

ARGUMENTS = {"FILE": "a.log", "A": "a.log", "B": "b.log", "LOG": "a.log", "LOG...": "a.log"}
OUTPUTS = {"PAGE.html", "FILE.sqlite"}
VALUES = {"GLOB": "*", "KIND": "result", "N[,N...]": "1", "WHEN": "never", "PERCENT": "5",
          "NAME": "P54C", "CPU": "skylake", "WORD": "l1d",
          "TABLE": "tests/data/reference.csv", "PAGE.html": OUT}


def word_of(work, command, word):
    """What stands for a word of a synopsis; KeyError: this test has no value for it."""
    if command in ("datasheet", "policy") and word == "FILE":  # the sample has none
        return work.path(f"{command[0]}.log")
    if word.startswith("-"):
        return word
    if word in OUTPUTS:
        return OUT
    return work.path(ARGUMENTS[word])


def synopses(work, command, text):
    """All forms of a command, without and with what may be left out."""
    for form in text.split(" | "):
        if "--reference" in form:  # the sample is of no processor that the table has
            form += " --cpu=P54C"
        may = re.findall(r"\[([^\] ]+?)(?:\.\.\.)?\]", form)
        must = [word_of(work, command, w)
                for w in re.sub(r"\[[^\]]*\]", "", form).split()]
        yield [LOG, command, *must]
        if may:
            yield [LOG, command, *must, *(VALUES[w] for w in may)]


def is_sound(work, argv):
    """Does the command work where nothing is in the way? And does it print, and write a file?"""
    path = work.path("sound")
    with open(work.path("printed"), "wb") as out:
        code, _ = run(with_output(argv, path), out)
    prints = os.path.getsize(work.path("printed")) > 0
    writes = os.path.exists(path)
    for name in ("printed", "sound"):
        if os.path.exists(work.path(name)):
            os.unlink(work.path(name))
    return code in (0, 1), prints, writes  # 1: it differs from the table


def try_command(judge, work, argv):
    """All that can happen to a command; False: it does not work at all."""
    sound, prints, writes = is_sound(work, argv)
    if not sound:
        return False
    if prints:
        stdout_lost(judge, work, with_output(argv, work.path("sound")))
        if os.path.exists(work.path("sound")):
            os.unlink(work.path("sound"))
    if writes:
        file_lost(judge, work, argv)
        refused(judge, work, argv, ("a.log", "hard.log", "link.log", "letter.txt"))
    return prints or writes


def try_log(judge, work):
    names = re.findall(r"^  ([a-z]+) ", help_of([LOG, "--help"]), re.M)
    if not names:
        judge.say("cpl0-log --help", "lists no commands")
    stdout_lost(judge, work, [LOG, "--help"])
    stdout_lost(judge, work, [LOG, "--version"])
    for name in names:
        stdout_lost(judge, work, [LOG, name, "--help"])
        text = help_of([LOG, name, "--help"])
        synopsis = re.match(rf"usage: cpl0-log {name} (.*)", text).group(1)
        options = re.findall(r"^  --(\S+)(?: (\S+))?  ", text, re.M)
        try:
            forms = list(synopses(work, name, synopsis))
            added = [[f"--{o}" + (f"={VALUES[v]}" if v else "")] for o, v in options]
        except KeyError as word:
            judge.say(f"cpl0-log {name}", f"this test has no value for {word}")
            continue
        for form in forms:
            judge.say(" ".join(form), "" if try_command(judge, work, form) else "does not work")
        for option in added:
            worked = [try_command(judge, work, form + option) for form in forms]
            judge.say(f"cpl0-log {name} {option[0]}", "" if any(worked) else "never works")
    grown(judge, work, [LOG, "json", work.path("a.log")], "a.log", 2)
    judge.group("cpl0-log")


def help_of(argv):
    return subprocess.run(argv, capture_output=True, check=True, text=True).stdout


# --- cpl0-native ---------------------------------------------------------------------------------

def try_native(judge, work):
    lines = re.findall(r"^(?:usage:|      ) cpl0-native ?(\S.*?)?(?:   .*)?$",
                       help_of([NATIVE, "--help"]), re.M)
    if len(lines) < 2:
        judge.say("cpl0-native --help", "lists no commands")
    for line in [*lines, "--help", "--version"]:
        if line.startswith("["):
            continue
        words = shlex.split(line.replace("32|64", "32").replace("asm=...", "asm=nop"))
        words = [work.path("module.elf") if w.endswith(".elf") else w for w in words]
        # Under a limit the assembler cannot write its own file.
        ways = ("full device", "closed", "closed pipe")
        stdout_lost(judge, work, [NATIVE, *words], *[ways] if "asm=" in line else ())
    argv = [NATIVE, "--module", work.path("module.elf"), "list"]
    grown(judge, work, argv, "module.elf", 3)
    judge.group("cpl0-native")


# --- cpl0-sim ------------------------------------------------------------------------------------

BESIDE = {"--screenshot": ["--screen", "640x480"]}  # options that another one needs


def simulate(work, *options):
    return [SIM, *SHORT, *options, work.path("kernel.elf"), *KERNEL_ARGUMENTS]


def sim_outputs(judge, work):
    """The options of cpl0-sim whose FILE it writes."""
    text = help_of([SIM, "--help"])
    found = []
    for option in re.findall(r"^  (--[a-z-]+) FILE ", text, re.M):
        path = work.path("new")
        code, said = run(simulate(work, *BESIDE.get(option, []), option, path))
        if os.path.exists(path):
            os.unlink(path)
            found.append(option)
        elif code != 3 or path not in said:
            judge.say(f"cpl0-sim {option}", "neither reads nor writes its FILE")
    return found


def try_sim(judge, work):
    for words in (["--help"], ["--version"], ["--list"], ["--list", "p5"]):
        stdout_lost(judge, work, [SIM, *words])
    stdout_lost(judge, work, simulate(work))
    outputs = sim_outputs(judge, work)
    inputs = ["--module", work.path("module.elf") + "=x", "--input", work.path("keys.txt"),
              "--fw-cfg", "opt/letter=" + work.path("letter.txt")]
    if not {"--log", "--trace", "--screenshot"} <= set(outputs):
        judge.say("cpl0-sim --help", f"only {outputs} are written")
    for option in outputs:
        beside = BESIDE.get(option, [])
        file_lost(judge, work, simulate(work, *beside, option, OUT))
        refused(judge, work, simulate(work, *beside, *inputs, option, OUT),
                ("kernel.elf", "module.elf", "keys.txt", "letter.txt"))
        for other in outputs:
            if other > option:
                both = [*beside, *BESIDE.get(other, []), other, work.path("new"), option, OUT]
                refused(judge, work, simulate(work, *both), ("new",))
    for words in (["--trace", "-", "--trace-count", "10"], ["--stats"]):
        with open(FULL, "wb") as err:
            code, _ = run(simulate(work, *words), err=err)
        judge.say(f"cpl0-sim {words[0]}, full standard error",
                  "" if code == 3 else f"exit code {code}, must be 3")
    own_copy(judge, work)
    judge.group("cpl0-sim")


def own_copy(judge, work):
    """With standard output closed, the copy of the log is no other one."""
    argv = simulate(work, "--log", work.path("copy"))
    run(argv)
    good = pathlib.Path(work.path("copy")).read_bytes()
    code, _ = run(argv, before=lambda: os.close(1))
    same = pathlib.Path(work.path("copy")).read_bytes() == good and good
    judge.say("cpl0-sim --log, closed standard output",
              "" if code == 3 and same else f"exit code {code}, or another log")
    os.unlink(work.path("copy"))


# --- what builds, and scripts --------------------------------------------------------------------

FORMS = [f"bench/instr/forms/{name}.csv" for name in ("general", "sequences")]
BUILDERS = {
    "mkhelp": [["1"], ["bash"], ["zsh"], ["fish"]],
    "mkisa": [[]],
    "instr-tables": [FORMS],
    "pmu-events": [["32", "pmu/events", "pmu/events/p5.csv"]],
}
BUILDERS_LOSE = ("full device", "closed")  # a signal ends them otherwise, and make says so

# Arguments with which a script writes to OUT. What has no arguments writes nothing itself.
SCRIPTS = {
    "boot/media/mkfloppy.sh": ["-b", BUILD, OUT],
    "boot/media/mkiso.sh": ["-b", BUILD, "-m", "module.elf", OUT],
    "boot/media/mknet.sh": ["-b", BUILD, OUT],
    "boot/media/mkusb.sh": ["-b", BUILD, "-m", "module.elf", OUT],
    "boot/media/tree.sh": None,
    "run-qemu.sh": ["--build", BUILD, "--direct", "--bits", "32", "--module", "module.elf",
                    "--log", OUT],
    "tools/kvm-host.sh": None,
    "tools/kvm-check.sh": None,
    "tools/reference-logs.sh": None,  # cpl0-sim writes, cpl0-log checks
    "tools/dist/install.sh": [BUILD, BUILD, OUT],
    "tools/dist/libraries.sh": None,
    "tools/dist/mkdeb.sh": None,      # install.sh and dpkg-deb
    "tools/dist/mkdist.sh": None,     # all of the above
}


def host_programs():
    """What make has built to run here, other than the three and the simulator with sanitizers."""
    for folder in (pathlib.Path(BUILD), *pathlib.Path(BUILD).glob("gen/*")):
        for path in sorted(folder.iterdir()):
            if path.is_file() and os.access(path, os.X_OK) and \
                    str(path).removesuffix("-san") not in CODE:
                yield path


def try_builders(judge, work):
    found = {p.name: p for p in host_programs()}
    for name in sorted(set(found) ^ set(BUILDERS)):
        judge.say(name, "is built, and this test has no arguments for it"
                  if name in found else "is not built")
    for name, commands in BUILDERS.items():
        for words in commands if name in found else []:
            stdout_lost(judge, work, [str(found[name]), *words], BUILDERS_LOSE)
    judge.group("programs that build")


def try_scripts(judge, work):
    found = [str(p) for folder in ("boot", "tools", "tools/dist") for p in
             pathlib.Path(folder).glob("*.sh")] + ["run-qemu.sh"]
    for name in sorted(found):
        if name not in SCRIPTS:
            judge.say(name, "this test has no arguments for it")
        words = SCRIPTS.get(name)
        if not words:
            continue
        argv = ["./" + name, *(work.path(w) if w == "module.elf" else w for w in words)]
        limited = with_output(argv, work.path("limited"))
        judge.say(f"{name}, size limit", verdict(work, run(limited, before=no_size), ""))
        shutil.rmtree(work.path("limited"), ignore_errors=True)
        work.restore()
        if "install" in name or "mknet" in name:
            continue  # their output is a folder
        # A device would be replaced by the file, so the test takes something less dear.
        os.mkfifo(work.path("pipe"))
        refused(judge, work, argv, ("pipe",))
        if "module.elf" in words:
            refused(judge, work, argv, ("module.elf",))
        pathlib.Path(work.path("pipe")).unlink(missing_ok=True)
    judge.group("scripts")


def main():
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        work = Work(folder)
        for part in (try_log, try_native, try_sim, try_builders, try_scripts):
            part(judge, work)
    print(f"{judge.passed} passed, {judge.failed} failed, 0 skipped")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
