#!/bin/sh
# tools/kvm-check.sh on hosts that are files: tests/checks/test-kvm-check.sh BUILD
# The guest is QEMU's emulator, in the place of a KVM that has no counters.
command -v qemu-system-x86_64 >/dev/null || { echo "skipped: no qemu-system-x86_64 here"; exit 0; }
build=$1 passed=0 failed=0
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

cat >"$work/emulator" <<'END'
#!/bin/sh
for word; do
	shift
	[ "$word" != kvm ] || word=tcg
	set -- "$@" "$word"
done
exec ./run-qemu.sh "$@"
END
chmod +x "$work/emulator"

# $1 what is tested, rest: a command
judge() {
	what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		passed=$((passed + 1))
		echo "pass $what"
	else
		failed=$((failed + 1))
		echo "FAIL $what"
	fi
}

check() {
	HOST=$work/host RUN_QEMU=$work/emulator tools/kvm-check.sh --build "$build" --times 2 \
		"$work/$1" >"$work/$1.said" 2>&1
}

mkdir -p "$work/host"
judge 'no KVM: it reaches its end' check none
for step in start counters repeat rdpmc cpuid wbinvd cold; do
	judge "no KVM: $step" grep -q "^CANNOT $step: there is no /dev/kvm" "$work/none.said"
done

mkdir -p "$work/host/dev" "$work/host/proc"
touch "$work/host/dev/kvm"
echo 'flags : fpu svm' >"$work/host/proc/cpuinfo"
judge 'no counters: it reaches its end' check bare
judge 'no counters: it starts' grep -q '^PASS start' "$work/bare.said"
judge 'no counters: none counts' grep -q '^PASS counters: none counts' "$work/bare.said"
judge 'no counters: two runs' grep -q '^NUMBER repeat: 0 of 2 runs' "$work/bare.said"
judge 'no counters: no RDPMC' grep -q '^CANNOT rdpmc: the host has no' "$work/bare.said"
judge 'no counters: CPUID' grep -qE '^NUMBER cpuid: [0-9.]+ ticks' "$work/bare.said"
judge 'no counters: cold or warm' grep -qE '^(PASS|DIFFERS) cold' "$work/bare.said"
judge 'the file has the logs' grep -q '^done status=ok' "$work/bare"

printf '#!/bin/sh\necho "run-qemu: the log has no done record"\nexit 2\n' >"$work/emulator"
judge 'no start: it reaches its end' check dead
judge 'no start: said' grep -q '^DIFFERS start: run-qemu: the log has no' "$work/dead.said"
judge 'no start: no more steps' grep -q '^CANNOT cold: the guest does not' "$work/dead.said"
judge 'a wrong option' sh -c '! tools/kvm-check.sh --wrong'
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
