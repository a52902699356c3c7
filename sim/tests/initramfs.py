"""sim/tests/initramfs.py OUT INIT PROGRAM... - an initramfs (newc, as in Linux'
Documentation/driver-api/early-userspace/buffer-format.rst) with a console, /init and programs in
/bin, each by its file's name."""
import pathlib
import sys


def entry(number, name, mode, data=b"", device=(0, 0)):
    path = name.encode() + b"\0"
    words = (number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0)
    head = b"070701" + b"".join(b"%08x" % word for word in words) + path
    head += b"\0" * (-len(head) % 4)
    return head + data + b"\0" * (-len(data) % 4)


out, init, *programs = sys.argv[1:]
parts = [(folder, 0o40755) for folder in ("bin", "dev", "proc", "sys")]
parts += [("dev/console", 0o20600, b"", (5, 1)),
          ("init", 0o100755, open(init, "rb").read())]
parts += [(f"bin/{pathlib.Path(file).name}", 0o100755, open(file, "rb").read())
          for file in programs]
parts += [("TRAILER!!!", 0)]
with open(out, "wb") as file:
    for number, part in enumerate(parts, 1):
        file.write(entry(number, *part))
