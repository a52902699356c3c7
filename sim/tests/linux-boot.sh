#!/bin/sh
# sim/tests/linux-boot.sh BUILD [MODEL...] - Debian's own Linux boots to a shell on the simulator.
#
# The kernel and busybox are those of Debian's packages, got with `apt-get download` into
# BUILD/linux, once; LINUX=FILE and BUSYBOX=FILE name others. Without them the test is skipped. The
# shell computes a number, and no line of dmesg may call the performance counters broken. Then
# linux-count.c counts /bin/true at CPL 3 twice by perf_event_open(), as `perf stat` does: both
# must have the same instructions and branches. No address is random, because the loader's work
# depends on addresses. The source of random bits by jitter is left out, which takes the kernel some
# 200 million instructions.
#
# MODEL: eight of them with --flat and 100 MHz, because Linux waits by the clock; MODEL+clocks is
# with the model's clocks. The last line is a count.
B=$1
shift
[ $# -gt 0 ] || set -- k8 core2 nehalem skylake icelake goldencove zen2 zen4
here=$(cd "$(dirname "$0")" && pwd)
dir=$B/linux
mkdir -p "$dir" || exit 1
passed=0 failed=0

skip() {
	echo "SKIP linux-boot: no $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

# A file of a package: the package, its path, and where it goes.
get() {
	(cd "$dir" && apt-get -q download "$1" >apt.txt 2>&1) || return 1
	dpkg-deb --fsys-tarfile "$dir/$1"_*.deb | tar -xO --wildcards "./$2" >"$3.tmp" &&
		mv "$3.tmp" "$3" && rm "$dir/$1"_*.deb
}

linux=${LINUX:-$dir/vmlinuz}
busybox=${BUSYBOX:-$dir/busybox}
if [ ! -r "$linux" ]; then
	package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		awk '/Depends: linux-image/ { print $2; exit }')
	get "${package:-linux-image}" 'boot/vmlinuz-*' "$linux" ||
		skip "package linux-image-cloud-amd64 and no LINUX=FILE"
fi
[ -r "$busybox" ] || get busybox-static bin/busybox "$busybox" ||
	skip "package busybox-static and no BUSYBOX=FILE"

${HOSTCC:-cc} -O2 -Wall -Wextra -Werror -static -o "$dir/linux-count" "$here/linux-count.c" ||
	exit 1

cat >"$dir/init" <<'EOF'
#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox --install -s /bin
echo 'echo shell-$((6 * 7)); dmesg | grep -iE "perf|pmu"; echo end-of-dmesg
linux-count /bin/true; poweroff -f' |
	exec /bin/sh
EOF
chmod +x "$dir/init"
[ "$busybox" = "$dir/busybox" ] || cp "$busybox" "$dir/busybox" || exit 1
python3 "$here/initramfs.py" "$dir/initrd" "$dir/init" "$dir/busybox" "$dir/linux-count" || exit 1

# Do both lines of linux-count have the same instructions and branches, and were all counted?
counts_repeat() {
	awk '/^counted / { gsub(/\r/, ""); lines++; bad += !/ failed=0$/
			sub(/ cycles:u=[0-9]+/, ""); bad += lines == 2 && $0 != first; first = $0 }
		END { exit !(lines == 2 && !bad) }' "$1"
}

for run; do
	model=${run%+clocks} flat="--flat --clock 100"
	[ "$model" = "$run" ] || flat=
	out=$dir/$run.txt
	# shellcheck disable=SC2086
	timeout 3000 "$B/cpl0-sim" --cpu "$model" $flat --mem 256 --max-instructions 20000000000 \
		--module "$dir/initrd" "$linux" console=ttyS0,115200 tsc=reliable panic=-1 \
		nokaslr norandmaps initcall_blacklist=jent_mod_init >"$out" 2>&1
	if ! grep -q '^shell-42' "$out" || ! grep -q '^end-of-dmesg' "$out"; then
		echo "FAIL linux-boot, $run: no answer of the shell"
	elif sed -n '/^shell-42/,$p' "$out" | grep -iE 'broken|bug|no pmu|disabled'; then
		echo "FAIL linux-boot, $run: the kernel's word about the counters"
	elif ! counts_repeat "$out"; then
		echo "FAIL linux-boot, $run: counts of /bin/true that differ, or are none"
		grep '^counted ' "$out"
	else
		echo "linux-boot, $run: a shell, $(sed -n 's/^counted //p' "$out" | tail -n 1)"
		passed=$((passed + 1))
		continue
	fi
	tail -n 5 "$out" | sed 's/^/     /'
	failed=$((failed + 1))
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
