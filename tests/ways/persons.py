"""Four persons who use cpl0: boots that always run (tests/ways/README.md)."""
import subprocess
import time

from boot import Boot, Monitor

FACTORS = "medium firmware width cpus memory console screen save run machine emulator".split()


def person(values, **more):
    return {**dict(zip(FACTORS, values.split())), "person": "yes", **more}


ALL = {
    # A stick, no serial line, and somebody who saves once more, switches off and makes a report.
    "laptop": person("xhci ovmf 64 4 16384 none 4k default default q35 qemu",
                     exit="keys", runs="2"),
    # Its framebuffer above 4 GiB, which QEMU has not.
    "laptop-screen": person("kernel none 64 4 512 com1 high default default pc sim"),
    "server": person("net ovmf 64 64 307200 pci 1024x768 default threads q35 qemu"),
    "pentium": person("floppy seabios 32 1 16 none text default default pc qemu", cpu="pentium"),
    "guest": person("virtio ovmf 64 2 2048 com1 none default default q35 qemu", cpu="kvm64"),
}


class Person(Boot):
    def attend(self, process):
        if self.row.get("exit") == "keys":
            self.sit(process)
        else:
            super().attend(process)

    def sit(self, process):
        """Waits for the end of the run, presses s twice, and then o and y."""
        with Monitor(self.work / "qmp", process) as monitor:
            self.until(process, monitor, "done, status ")
            monitor.key("s")
            self.until(process, monitor, "All is saved", "s")
            monitor.key("s")
            self.until(process, monitor, "Saved to CPL0.LOG", "s", 2)  # the answer, and the place
            monitor.key("o")
            time.sleep(1)
            while process.poll() is None and not self.said:
                monitor.key("y")
                time.sleep(1)

    def until(self, process, monitor, text, key=None, times=1):
        """Looks at the screen until so many rows have the text; presses the key now and then."""
        for look in range(300):
            rows = monitor.picture(self.work)
            (self.work / "screen.txt").write_text("\n".join(rows) + "\n")
            if sum(text in row for row in rows) >= times:
                return
            if process.poll() is not None:
                break
            if key and look % 10 == 9:
                monitor.key(key)
            time.sleep(1)
        self.said.append(f"the screen never said `{text}`")
        monitor.do("quit")

    def epilogue(self):
        """The report of what the stick brought home."""
        if self.row.get("exit") != "keys":
            return []
        page = self.work / "page.html"
        subprocess.run([f"{self.build}/cpl0-log", "report", str(self.work / "medium.log"), "-o",
                        str(page)], capture_output=True)
        if not page.exists() or "alu.add_latency" not in page.read_text(errors="replace"):
            return ["the report has no results"]
        return []
