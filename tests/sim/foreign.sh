#!/bin/sh
# tests/sim/foreign.sh SIM - a Multiboot kernel that nobody here wrote: Xen, of the Debian package
# xen-hypervisor-4.17-amd64 (any version will do). It must reach long mode and its own high-half
# addresses, print its banner and give up for want of a guest kernel. XEN=FILE names another file
# than /boot/xen-*.gz, packed or not. Skipped where there is none. The last line is a count.
sim=$1
passed=0 failed=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

xen=${XEN:-}
for file in /boot/xen-*-amd64.gz; do
	[ -n "$xen" ] || [ ! -r "$file" ] || xen=$file
done
if [ ! -r "$xen" ]; then
	echo "SKIP Xen: no /boot/xen-*-amd64.gz (package xen-hypervisor-4.17-amd64) and no XEN=FILE"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
gunzip -c "$xen" >"$dir/xen" 2>/dev/null || cp "$xen" "$dir/xen"

for run in "skylake 1" "skylake 2" "core2 2" "k8 1" "zen4 2" "goldencove 1"; do
	timeout 60 "$sim" --cpu "${run% *}" --multiboot "${run#* }" --mem 128 "$dir/xen" \
		com1=115200 console=com1 >"$dir/out" 2>&1
	if grep -q 'Xen version [4-9]' "$dir/out" &&
		grep -q 'dom0 kernel not specified' "$dir/out" &&
		grep -q 'reset by the keyboard controller' "$dir/out"; then
		passed=$((passed + 1))
	else
		echo "FAIL Xen, model and Multiboot version $run"
		tail -n 5 "$dir/out" | sed 's/^/     /'
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
