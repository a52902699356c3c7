#!/bin/sh
# sim/tests/core/cost.sh SIM [OPTION...] - host instructions that the simulator executes for one of
# the guest, in the loop of sim/tests/guests/loop.S. Needs valgrind, which counts them. Start-up is
# left out: 30,000 rounds less 10,000.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Host instructions of so many rounds; further arguments: how the simulator is called.
count() {
	rounds=$1
	shift
	gcc -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000 -Wl,-N -Wl,--build-id=none \
		-Wl,--no-warn-rwx-segments -I. -DROUNDS="$rounds" -o "$work/loop.elf" \
		sim/tests/guests/loop.S || exit 1
	valgrind --tool=callgrind --smc-check=all-non-file --callgrind-out-file=/dev/null "$@" \
		"$work/loop.elf" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

few=$(count 10000 "$@") || exit 1
many=$(count 30000 "$@") || exit 1
[ "$few" ] && [ "$many" ] || { echo "no count: is valgrind there?" >&2 && exit 1; }
echo "$*: $(((many - few) / 200000)) host instructions a guest instruction"
