#!/bin/sh
# sim/tests/cross.sh GUESTS - the same guests on QEMU: exceptions, rings and single steps behave
# alike, PCI bridges are the same, and the probe loop takes as many ticks with -icount shift=0.
# QEMU's TCG takes every MSR, which four checks of traps notice: those four and no others may
# differ. The last line is a count.
guests=$1
qemu=qemu-system-i386
command -v $qemu >/dev/null || { echo "0 passed, 0 failed, 1 skipped"; exit 0; }

run() {
	timeout 300 $qemu -kernel "$guests/$1.elf" \
		-display none -serial stdio -monitor none -no-reboot \
		-device isa-debug-exit,iobase=0xf4 $2 </dev/null 2>/dev/null | tr -d '\r'
}

failed=0
run probe '-icount shift=0' | grep -q 'ticks 000036b3' || {
	echo "probe: other ticks"
	failed=$((failed + 1))
}
run traps '' | grep -a ': got ' | cut -d: -f1 >"${TMPDIR:-/tmp}/cross.$$"
printf '%s\n' 'rdmsr of no register' 'error code 0' 'wrmsr of no register' 'missing gate' |
	cmp -s - "${TMPDIR:-/tmp}/cross.$$" || {
		echo "traps differ:"
		cat "${TMPDIR:-/tmp}/cross.$$"
		failed=$((failed + 1))
	}
rm -f "${TMPDIR:-/tmp}/cross.$$"
run smp '-smp 2' | grep -q 'status=ok' || { echo "two processors differ"; failed=$((failed + 1)); }
run pci '' | grep -q 'status=ok' || { echo "PCI configuration differs"; failed=$((failed + 1)); }
echo "$((4 - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ]
