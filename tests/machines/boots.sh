#!/bin/sh
# Boots QEMU with several CPUs many times in a row: each run must start all of them and end with
# `done status=ok`. For races that one boot does not show; too slow for every day.
#
#	tests/machines/boots.sh [TIMES [CPUS [BITS [FIRMWARE]]]]	default: 20 4 64 bios
cd "$(dirname "$0")/../.." || exit 1
times=${1:-20} cpus=${2:-4} bits=${3:-64} firmware=${4:-bios} failed=0
direct=--direct
[ "$firmware" = bios ] || direct=
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

for i in $(seq "$times"); do
	# shellcheck disable=SC2086 # $direct is a word or nothing
	./run-qemu.sh $direct --bits "$bits" --firmware "$firmware" --accel tcg --smp "$cpus" \
		--mem 512 --timeout 600 --log "$log" -- threads=all \
		bench=sprunt.fp_add_latency exit=debug >/dev/null 2>&1
	code=$?
	together="^threads .* cpus=$cpus .* run=together "
	[ "$cpus" != 1 ] || together="^warn what=threads "
	if [ $code = 0 ] && grep -q "^cpus .* ready=$cpus " "$log" &&
		grep -q "$together" "$log"; then
		echo "boot $i: all $cpus CPUs"
	else
		echo "boot $i: FAILED, exit status $code"
		grep -aE '^(cpus|cpu_entry|cpu_fault|error|warn|trap) ' "$log"
		failed=$((failed + 1))
	fi
done
echo "$((times - failed)) of $times boots passed"
[ $failed = 0 ]
