"""One boot of a row: the machine, its medium, and what came out of it by each way."""
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import screen

STICKS = ("xhci", "ehci", "sata", "nvme", "virtio")
TIMEOUT = 900  # seconds; a busy machine is slow, not wrong
PARTITION = 1048576  # where it begins on the stick, bytes
RUN = {
    "default": "runs=2",
    "threads": "threads=all bench=sprunt.fp_add_latency runs=2",
    "sample": "bench=alu.add_latency sample=instructions,1000 samples=50",
    "ports": "ports=alu.add_latency",
    "trace": "bench=alu.add_latency trace=instructions runs=1",
    "code": "bench=code code=0fafc0 runs=2",
    "module": "bench=ways.* runs=2",
    "litmus": "bench=litmus.mp,litmus.sb loop=100 runs=2",
    "geometry": "bench=geometry.* runs=2",
    "events": "bench=alu.add_latency events=all runs=2",
}
QUESTION = b"y or n"


def big(row):
    return int(row["memory"]) > 3000


def saves(row):
    """Does the log go into CPL0.LOG on the medium?"""
    if row["save"] == "off" or row["medium"] not in STICKS + ("floppy",):
        return False
    return row["firmware"] in ("seabios", "bochs") or \
        (row["firmware"], row["width"]) in (("ovmf", "64"), ("ovmf32", "32"))


def by_screen_alone(row):
    return row["console"] == "none" and not saves(row)


def arguments(row):
    words = [RUN[row["run"]]]
    if row["emulator"] == "qemu":
        words.append("timeout=60000")  # of a benchmark: a busy host is slow
    if row["save"] != "default":
        words.append("save=" + row["save"])
    if row["console"] == "none":
        words.append("console=none")
    if "exit" in row:
        words += [] if row["exit"] == "keys" else ["exit=" + row["exit"]]
    else:
        words.append("exit=halt" if by_screen_alone(row) and row["emulator"] == "qemu"
                     else "exit=debug")
    return " ".join(words).split()


class Boot:
    def __init__(self, name, row, build, folder):
        self.name, self.row, self.build = name, row, build
        self.work = Path(folder) / name
        self.serial = self.work / "serial.log"
        self.said = []  # what is wrong so far
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    # --- machines ------------------------------------------------------------

    def cpu(self):
        row = self.row
        if "cpu" in row:
            return row["cpu"]
        if row["memory"] == "307200":
            return "max,phys-bits=40"
        if row["width"] == "64" or big(row) or row["firmware"] in ("ovmf", "ovmf32") or \
                row["cpus"] == "64":
            return "max"
        return "pentium3"

    def bits(self):
        """The menu chooses the best kernel by itself, so it is asked for another one only."""
        return (self.row["width"] == "32" or self.row["firmware"] == "ovmf32") and \
            self.cpu() != "pentium3" and self.row["medium"] != "floppy"

    def machine(self):
        base = "q35" if self.row["firmware"] in ("ovmf", "ovmf32") else "pc"
        return {"pc": "pc", "q35": "q35", "microvm": "microvm", "nopit": base + ",pit=off",
                "nohpet": base + ",hpet=off", "nops2": base + ",i8042=off"}[self.row["machine"]]

    def devices(self):
        row = self.row
        words = ["-machine", self.machine(), "-qmp", f"unix:{self.work}/qmp,server=on,wait=off"]
        if big(row):
            words += ["-object", f"memory-backend-ram,id=m,size={row['memory']}M,reserve=off",
                      "-machine", "memory-backend=m"]
        if row["machine"] == "nops2":
            words += ["-device", "qemu-xhci,id=keys", "-device", "usb-kbd,bus=keys.0"]
        if row["screen"] == "4k":
            words += ["-vga", "none", "-device", "VGA,vgamem_mb=64,xres=3840,yres=2160"]
        if row["screen"] == "none" and row["machine"] != "microvm":
            words += ["-vga", "none"]
        return words

    def qemu(self):
        row = self.row
        words = ["./run-qemu.sh", "--accel", "tcg", "--quiet", "--build", self.build,
                 "--work", str(self.work), "--log", str(self.serial), "--timeout", str(TIMEOUT),
                 "--cpu", self.cpu(), "--smp", row["cpus"], "--mem", row["memory"],
                 "--firmware", {"seabios": "bios", "ovmf": "uefi", "ovmf32": "uefi32"}
                 [row["firmware"]], "--qemu", " ".join(self.devices())]
        words += ["--direct"] if row["medium"] == "kernel" else ["--media", row["medium"]]
        if self.bits() or row["medium"] == "kernel":
            words += ["--bits", row["width"]]
        if row["screen"] in ("1024x768", "4k"):
            words += ["--screen", {"4k": "3840x2160"}.get(row["screen"], row["screen"])]
        words += {"com1": [], "none": ["--console", "none"], "pci": ["--console", "pci"],
                  "debug": ["--debugcon"]}[row["console"]]
        words += ["--stay"] if row.get("exit") == "keys" else []
        for module in self.modules():
            words += ["--module", module]
        return words + ["--"] + arguments(row)

    def modules(self):
        if self.row["run"] != "module":
            return []
        return [f"{self.build}/snippets/ways.{bits}.elf" for bits in ("32", "64")]

    def sim(self):
        row = self.row
        words = [f"{self.build}/cpl0-sim", "--cpu", "p3" if row["width"] == "32" else "skylake",
                 "--smp", row["cpus"], "--mem", row["memory"], "--log", str(self.serial),
                 "--multiboot", "2"]
        words += ["--hpet"] if row["machine"] == "pc" else []
        size = {"1024x768": "1024x768", "4k": "3840x2160", "high": "3840x2160@0x4000000000"}
        if row["screen"] in size:
            words += ["--screen", size[row["screen"]], "--screenshot", f"{self.work}/screen.ppm"]
        for module in self.modules():
            words += ["--module", module]
        return words + [f"{self.build}/{row['width']}/cpl0.elf"] + arguments(row)

    def bochs(self):
        """Makes the medium and the files of Bochs."""
        row = self.row
        drive = "cdrom" if row["medium"] in ("cd", "isolinux") else "disk"
        image = self.bochs_medium()
        cpu = "corei7_sandy_bridge_2600k"
        if row["width"] == "32" and row["cpus"] == "1":
            cpu = "pentium"
        lines = ["plugin_ctrl: unmapped=1, biosdev=1, speaker=0, e1000=0, parallel=0, serial=1",
                 "config_interface: textconfig", 'display_library: rfb, options="timeout=0"',
                 f"megs: {row['memory']}",
                 f"cpu: model={cpu}, count={row['cpus']}, ips=50000000, reset_on_triple_fault=0",
                 "cpu: ignore_bad_msrs=0", "romimage: file=/usr/share/bochs/BIOS-bochs-latest",
                 "vgaromimage: file=/usr/share/vgabios/vgabios-stdvga.bin",
                 f"log: {self.work}/bochs.txt", "panic: action=fatal", "error: action=report",
                 "clock: sync=none, time0=946681200"]
        if row["medium"] == "floppy":
            lines += [f"floppya: 1_44={image}, status=inserted", "boot: floppy"]
        else:
            how = f"type={drive}, path={image}"
            how += ", status=inserted" if drive == "cdrom" else ", mode=flat, cylinders=0"
            lines += ["ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14",
                      f"ata0-master: {how}", f"boot: {drive}"]
        if row["console"] == "com1":
            lines.append(f"com1: enabled=1, mode=file, dev={self.serial}")
        (self.work / "rc").write_text("\n".join(lines) + "\n")
        (self.work / "debugger").write_text("c\n")
        return ["bochs", "-q", "-f", f"{self.work}/rc", "-rc", f"{self.work}/debugger"]

    def bochs_medium(self):
        """run-qemu.sh makes the same media for Bochs, and starts nothing."""
        row = self.row
        words = ["./run-qemu.sh", "--dry-run", "--accel", "tcg", "--build", self.build,
                 "--work", str(self.work), "--media", row["medium"]]
        if row["medium"] != "floppy":
            words += ["--bits", row["width"]]
        if row["screen"] == "1024x768":
            words += ["--screen", "1024x768"]
        for module in self.modules():
            words += ["--module", module]
        subprocess.run(words + ["--"] + arguments(row), check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return self.work / {"sata": "stick.img", "floppy": "floppy.img",
                            "isolinux": "isolinux.iso"}.get(row["medium"], "cpl0.iso")

    # --- the run -------------------------------------------------------------

    def run(self):
        """Boots, and waits for the end. `command` is for people who want to repeat it."""
        command = {"qemu": self.qemu, "sim": self.sim, "bochs": self.bochs}[self.row["emulator"]]()
        (self.work / "command").write_text(shlex.join(command) + "\n")
        with open(self.work / "said", "wb") as said:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=subprocess.STDOUT, start_new_session=True)
        try:
            self.attend(process)
            process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.said.append(f"no end after {TIMEOUT} s")
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        return process.returncode

    def attend(self, process):
        """What somebody at the machine does: answers, looks at the screen, presses keys."""
        if self.row["emulator"] != "qemu":
            return
        if self.row["save"] == "ask" and saves(self.row):
            self.answer(process)
        if by_screen_alone(self.row):
            self.look(process)

    def answer(self, process):
        """Presses y where the question has been asked, or all the time if nothing tells."""
        if self.row["console"] != "none":
            while process.poll() is None and QUESTION not in self.serial_bytes():
                if self.ended():
                    return
                time.sleep(0.2)
        with Monitor(self.work / "qmp", process) as monitor:
            while process.poll() is None and b"save to=" not in self.serial_bytes() and \
                    not self.ended():
                monitor.key("y")
                time.sleep(1)

    def serial_bytes(self):
        return self.serial.read_bytes() if self.serial.exists() else b""

    def ended(self):
        return b"\ndone status=" in self.serial_bytes()

    def look(self, process):
        """Waits until the screen says that the run has ended, and keeps what is on it."""
        deadline = time.monotonic() + TIMEOUT
        with Monitor(self.work / "qmp", process) as monitor:
            while process.poll() is None and time.monotonic() < deadline:
                rows = monitor.text(self.work) if self.row["screen"] == "text" \
                    else monitor.picture(self.work)
                (self.work / "screen.txt").write_text("\n".join(rows) + "\n")
                if any(re.match(r"done, status ", row) for row in rows):
                    break
                time.sleep(2)
            monitor.do("quit")

    # --- what came out -------------------------------------------------------

    def medium_log(self):
        """CPL0.LOG, as a file of its own; None if it cannot be read."""
        image = self.work / ("floppy.img" if self.row["medium"] == "floppy" else "stick.img")
        at = str(image) if self.row["medium"] == "floppy" else f"{image}@@{PARTITION}"
        log = self.work / "medium.log"
        code = subprocess.run(["mcopy", "-n", "-o", "-i", at, "::CPL0.LOG", str(log)],
                              capture_output=True).returncode
        return None if code else log

    def screen_rows(self):
        if (self.work / "screen.ppm").exists() and self.row["emulator"] == "sim":
            return screen.picture_rows((self.work / "screen.ppm").read_bytes())
        text = self.work / "screen.txt"
        return text.read_text().splitlines() if text.exists() else []


class Monitor:
    """QEMU's machine protocol."""

    def __init__(self, path, process):
        self.socket = socket.socket(socket.AF_UNIX)
        while process.poll() is None:
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                time.sleep(0.1)
        self.file = self.socket.makefile("rw")
        self.do("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def do(self, command, **arguments):
        """Sends a command and waits for its answer; None if the machine is gone."""
        try:
            self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
            self.file.flush()
            for line in self.file:
                answer = json.loads(line)
                if "return" in answer or "error" in answer:
                    return answer
        except (OSError, ValueError):
            pass
        return None

    def key(self, name):
        self.do("send-key", keys=[{"type": "qcode", "data": name}])

    def text(self, work):
        file = work / "text"
        self.do("pmemsave", val=0xb8000, size=4000, filename=str(file))
        return screen.text_rows(file.read_bytes()) if file.exists() else []

    def picture(self, work):
        file = work / "screen.ppm"
        self.do("screendump", filename=str(file))
        try:
            return screen.picture_rows(file.read_bytes())
        except (OSError, TypeError, IndexError):
            return []
