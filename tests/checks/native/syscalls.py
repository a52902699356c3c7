"""Own code that makes system calls leaves no process and no file behind, and the log has its end.

    tests/checks/native/syscalls.py BUILD SEED COUNT

A seeded draw makes COUNT strings of machine code: system calls by SYSCALL, INT 80h, SYSENTER, the
x32 numbers and the vsyscall page, with arguments that would start processes, remove, write and
rename files, send signals, or take the filter away. A third has random bytes between. Each string
is a snippet of a boot module that cpl0-native runs, in an empty directory beside a file that the
strings name. The strings that a process did not reach, because one before it damaged the process,
run in another process. Checked for each process: the log ends with `done`, its group of processes
is empty behind it, and the files are as before. The first strings of each module have a known end.
Prints each string whose process breaks a rule, and `N passed, N failed, N skipped`.
"""
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

BATCH = 100  # snippets of a module, which may hold 256
CALLS = {"fork": 57, "vfork": 58, "clone": 56, "clone3": 435, "execve": 59, "execveat": 322,
         "open": 2, "openat": 257, "creat": 85, "unlink": 87, "unlinkat": 263, "rename": 82,
         "truncate": 76, "mkdir": 83, "rmdir": 84, "link": 86, "symlink": 88, "chmod": 90,
         "write": 1, "pwrite64": 18, "sendfile": 40, "kill": 62, "tkill": 200, "tgkill": 234,
         "ptrace": 101, "prctl": 157, "seccomp": 317, "socket": 41, "setrlimit": 160,
         "mmap": 9, "mprotect": 10, "mremap": 25, "munmap": 11, "exit": 60, "exit_group": 231,
         "rt_sigaction": 13, "rt_sigreturn": 15, "pause": 34, "nanosleep": 35, "setsid": 112,
         "unshare": 272, "mount": 165, "reboot": 169, "io_uring_setup": 425, "personality": 135,
         "process_vm_writev": 311, "userfaultfd": 323, "memfd_create": 319, "bpf": 321}
FORK = bytes.fromhex("b8390000000f05")
PAUSE_IN_CHILD = FORK + bytes.fromhex("85c07507b8220000000f05")
UNLINK = bytes.fromhex("6a0048b8") + b"./victim" + bytes.fromhex("50545fb8570000000f05")
INT80 = bytes.fromhex("b802000000cd80")
KNOWN = {FORK: "system call 57", PAUSE_IN_CHILD: "system call 57", UNLINK: "system call 87",
         INT80: "system call 2 by INT 80h", bytes.fromhex("b8390000400f05"): "system call 1073741881"}
VICTIM = b"./victim\0"


def u32(value):
    return struct.pack("<I", value & 0xFFFFFFFF)


def value(r):
    return r.choice([0, 1, 2, 3, 9, 0x11, 0x100, 0x1000, 0x4111, 0x10F00, 0x80000241, 0xFFFFFFFF,
                     0xFFFFFF9C, 0x602, r.getrandbits(31)])


def argument(r):
    """Code that puts something into an argument register."""
    register = r.choice([b"\xbf", b"\xbe", b"\xba", b"\x41\xba", b"\x41\xb8", b"\x41\xb9"])
    kind = r.randrange(5)
    if kind == 0:  # the name of a file that exists, on the stack
        low, high = struct.unpack("<QQ", VICTIM.ljust(16, b"\0"))
        return (b"\x48\xb8" + struct.pack("<Q", high) + b"\x50\x48\xb8" +
                struct.pack("<Q", low) + b"\x50" + r.choice([b"\x54\x5f", b"\x54\x5e"]))
    if kind == 1:  # a pointer to the stack
        return r.choice([b"\x54\x5f", b"\x54\x5e", b"\x54\x5a"])
    if kind == 2:  # a full register of ones
        return r.choice([b"\x48\x83\xcf\xff", b"\x48\x83\xce\xff", b"\x48\x83\xca\xff"])
    return register + u32(value(r))


def call(r):
    number = r.choice(list(CALLS.values())) if r.random() < 0.8 else r.randrange(462)
    if r.random() < 0.1:
        number |= 0x40000000  # x32
    load = b"\xb8" + u32(number)
    kind = r.randrange(10)
    if kind < 6:
        return load + b"\x0f\x05"
    if kind < 8:
        return load + b"\xcd\x80"
    if kind == 8:
        return load + b"\x0f\x34"
    return b"\x48\xc7\xc0" + u32(0xFF600000 + 0x400 * r.randrange(4)) + b"\xff\xd0"  # vsyscall


def draw(r):
    """A string of one to three calls, some with random bytes between."""
    noise = r.random() < 0.33
    s = b""
    for _ in range(r.randint(1, 3)):
        for _ in range(r.randrange(4)):
            s += argument(r)
        if noise:
            s += r.randbytes(r.randrange(6))
        s += call(r)
    return s


def module(build, at, numbered):
    """A module with one snippet for each (number, string)."""
    text = '#include "bench/snippet.inc"\n'
    for number, s in numbered:
        text += ('\tSNIPPET\tcall.%d, "a system call"\n\tINSNS\t1\n\tBODY\n\t.byte %s\n\tEND\n'
                 % (number, ",".join(str(b) for b in s)))
    source = at / "calls.S"
    source.write_text(text, encoding="ascii")
    subprocess.run(["make", "-s", f"B={build}", "snippet", f"FILE={source}"], check=True,
                   stdout=subprocess.DEVNULL)
    return shutil.move(build / "snippets" / "calls.64.elf", at / "calls.elf")


def unprivileged():
    """The child: a group of processes of its own, and no rights where the test has them."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        resource.setrlimit(resource.RLIMIT_NPROC, (256, 256))


def members(group):
    """Processes of a group that still run."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def contents(directory):
    return {p.name: (p.stat().st_mode, p.read_bytes() if p.is_file() else None)
            for p in sorted(directory.iterdir())}


def ends(log, numbers):
    """{number: its end} of the strings that the process reached."""
    found = {}
    why = None
    for line in log.splitlines():
        m = re.search(r"\b(?:bench|snippet|culprit)=call[.](\d+)\b", line)
        w = re.search(r'why="(system call \d+[^"]*)"', line)
        if w:
            why = w.group(1)
        if m and int(m.group(1)) in numbers:
            kind = line.split()[0]
            found.setdefault(int(m.group(1)), why if kind == "error" and why else kind)
            why = None
    return found


def run(native, elf, work, log, numbers):
    """One process: what it broke, and the strings that it reached."""
    before = contents(work)
    with open(log, "wb") as out:
        p = subprocess.Popen([native, "--module", elf, "bench=call.*", "runs=1", "warmup=1",
                              "mode=total", "unroll=1", "loop=1"],
                             cwd=work, stdout=out, stderr=subprocess.DEVNULL,
                             stdin=subprocess.DEVNULL, start_new_session=True,
                             preexec_fn=unprivileged)
        try:
            p.wait(120)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            return ["no end within two minutes"], {}
    broken = []
    left = members(p.pid)
    if left:
        os.killpg(p.pid, signal.SIGKILL)
        broken.append(f"{len(left)} processes are left")
    if contents(work) != before:
        broken.append("files are not as before")
    text = log.read_text(encoding="utf-8", errors="replace")
    if not re.search(r"^done ", text, re.M):
        broken.append("the log has no done")
    return broken, ends(text, numbers)


def judge(build, native, elf, work, log, numbered):
    """Runs all strings of a module; yields what went wrong."""
    todo = dict(numbered)
    while todo:
        broken, found = run(native, elf, work, log, todo)
        for why in broken:
            yield f"strings {min(todo)} to {max(todo)}: {why}"
        if broken or not found:
            # The first that was not reached ended the process, or nothing ran at all.
            found = {min(todo): "lost"}
        for number, end in found.items():
            s = todo.pop(number)
            want = KNOWN.get(s, end)
            if end != want:
                yield f"string {number} ({s.hex()}): {end}, not {want}"
        if todo:
            elf = module(build, log.parent, list(todo.items()))


def main(build, seed, count):
    r = random.Random(seed)
    failed = 0
    if subprocess.run([build / "tests/int80"], check=False).returncode:
        KNOWN[INT80] = "trap"  # this Linux has no gate behind INT 80h
    with tempfile.TemporaryDirectory() as there:
        at = pathlib.Path(there)
        at.chmod(0o755)
        work = at / "work"
        work.mkdir()
        work.chmod(0o777)
        (work / "victim").write_bytes(b"as before\n")
        (work / "victim").chmod(0o666)
        native = shutil.copy(build / "cpl0-native", at / "cpl0-native")
        for start in range(0, count, BATCH):
            n = min(BATCH, count - start)
            strings = (list(KNOWN) + [draw(r) for _ in range(n)])[:n]
            numbered = list(zip(range(start, start + n), strings))
            elf = module(build, at, numbered)
            bad = list(judge(build, native, elf, work, at / "log", numbered))
            for why in bad:
                print(f"FAIL {why} (seed {seed})", flush=True)
            failed += len(bad)
    print(f"{max(count - failed, 0)} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
