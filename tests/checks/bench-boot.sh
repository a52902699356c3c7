#!/bin/sh
# Prints what `make bench` says about the kernels: size, time from QEMU's start to the first byte of
# the log and to its end under TCG with -kernel, size of the log.
#
#	tests/checks/bench-boot.sh [BUILD]
set -u
build=${1:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

milliseconds() {
	echo $(($(date +%s%N) / 1000000))
}

# $1 bits, $2 CPU model
measure() {
	log=$work/log
	command=$(./run-qemu.sh --build "$build" --accel tcg --direct --bits "$1" --cpu "$2" \
		--mem 64 --log "$log" --dry-run) || exit 3
	start=$(milliseconds)
	eval "$command" &
	until [ -s "$log" ]; do
		kill -0 $! 2>/dev/null || break
		sleep 0.01
	done
	first=$(milliseconds)
	wait $!
	end=$(milliseconds)
	grep -q '^done status=ok' "$log" || {
		echo "bench-boot: the $1-bit kernel on $2 does not end with done status=ok" >&2
		exit 1
	}
	printf 'kernel %s bits: %d bytes; on %s: first byte after %d ms (500), ' \
		"$1" "$(wc -c <"$build/$1/cpl0.elf")" "$2" $((first - start))
	printf 'done after %d ms (10000), log %d bytes (65536)\n' $((end - start)) \
		"$(wc -c <"$log")"
}

measure 32 pentium
measure 64 max
