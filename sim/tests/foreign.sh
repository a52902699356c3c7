#!/bin/sh
# sim/tests/foreign.sh SIM - foreign kernels boot as far as they go, and what they
# say on the serial line is what they say on QEMU, but for lines about the machine.
#
# Xen (package xen-hypervisor-4.17-amd64, any version will do) reaches long mode and its addresses
# in the high half, and gives up for want of a guest kernel. memtest86+ (a bzImage, of 32 and 64
# bits; package memtest86+) draws its screen and begins its first test. GRUB passes some tests of
# its own (package grub-coreboot-bin). XEN=FILE, MEMTEST=FOLDER and GRUB=FOLDER name others than
# those in /boot and /usr/lib/grub. What is not there is skipped. The last line is a count.
sim=$1
passed=0 failed=0 skipped=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

qemu=qemu-system-x86_64
command -v $qemu >/dev/null || qemu=

# $dir/want: what QEMU's serial line gets of kernel $1, memory $2, arguments $3, until it has text
# that matches $4. Without QEMU there is nothing to compare with.
reference() {
	: >"$dir/serial"
	[ -n "$qemu" ] || return 1
	$qemu -kernel "$1" -m "$2" -append "$3" -display none -serial "file:$dir/serial" \
		-no-reboot </dev/null >/dev/null 2>&1 &
	tries=0
	while kill -0 $! 2>/dev/null && ! grep -qa "$4" "$dir/serial" && [ $tries -lt 6000 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill $! 2>/dev/null
	wait $! 2>/dev/null
	$5 <"$dir/serial" >"$dir/want"
}

# $1: what this is. $dir/out: what the simulator printed, which $2 makes comparable. $3: a text in
# it.
check() {
	$2 <"$dir/out" >"$dir/got"
	if ! grep -qa "$3" "$dir/out"; then
		echo "FAIL $1: no '$3'"
		tail -n 5 "$dir/out" | sed 's/^/     /'
		failed=$((failed + 1))
	elif [ -n "$qemu" ] && ! cmp -s "$dir/want" "$dir/got"; then
		echo "FAIL $1: other output than on QEMU"
		diff "$dir/want" "$dir/got" | sed 's/^/     /' | head -n 10
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

# Numbers are those of the machine; the loader and the screen are others.
xen_text() {
	tr -d '\r' | grep -a '^(XEN)' | grep -avE 'Bootloader|VGA|VBE' |
		sed 's/0x[0-9a-f]*/N/g; s/[0-9a-f]\{8,\}/N/g; s/[0-9][0-9]*/N/g'
}

# The screen up to the end of its last line, without those about CPU, memory and board.
memtest_text() {
	tr '\033' '\n' | tr -d '\r' | sed '/<ESC>/q' |
		grep -avE '^\[([2-6]|24);1H|^\[0m\|'
}

xen=${XEN:-}
for file in /boot/xen-*-amd64.gz; do
	[ -n "$xen" ] || [ ! -r "$file" ] || xen=$file
done
if [ -r "$xen" ]; then
	gunzip -c "$xen" >"$dir/xen" 2>/dev/null || cp "$xen" "$dir/xen"
	reference "$dir/xen" 128 'com1=115200 console=com1' 'five seconds[.][.][.]' xen_text
	# Of a loader that it does not know Xen expects its own name in front, also by Multiboot 2.
	for run in "skylake 1" "skylake 2" "core2 2" "k8 1" "zen4 2" "goldencove 1"; do
		name=
		[ "${run#* }" = 1 ] || name=xen
		# shellcheck disable=SC2086
		timeout 600 "$sim" --cpu "${run% *}" --multiboot "${run#* }" --mem 128 "$dir/xen" \
			$name com1=115200 console=com1 >"$dir/out" 2>&1
		check "Xen, model and Multiboot version $run" xen_text 'dom0 kernel not specified'
	done
else
	echo "SKIP Xen: no /boot/xen-*-amd64.gz (package xen-hypervisor-4.17-amd64) and no XEN=FILE"
	skipped=$((skipped + 1))
fi

memtest=${MEMTEST:-/boot}
for bits in ia32 x64; do
	kernel=$memtest/memtest86+$bits.bin
	arguments="console=ttyS0,115200 keyboard=legacy nobench nopause"
	if [ ! -r "$kernel" ]; then
		echo "SKIP memtest86+: no $kernel (package memtest86+) and no MEMTEST=FOLDER"
		skipped=$((skipped + 1))
		continue
	fi
	reference "$kernel" 16 "$arguments" "$(printf '<ESC>[^\033]*\033')" memtest_text
	models="p5 skylake"
	[ $bits = ia32 ] || models="k8"
	for model in $models; do
		# shellcheck disable=SC2086
		timeout 600 "$sim" --cpu $model --mem 16 --wait-for-input \
			--max-instructions 14000000 \
			"$kernel" $arguments >"$dir/out" 2>"$dir/err"
		check "memtest86+ $bits, model $model" memtest_text '<ESC> Exit'
	done
done
# GRUB for coreboot, an ELF file for Multiboot, with the tests of itself that Debian ships. It finds
# its memory in a table of coreboot, here one at 800h: RAM below 640 KiB and from 1 to 64 MiB. The
# segments keep their places; a new file has the table beside them. sleep_test waits for ten seconds
# of the guest, so the clock is slow. Tests that take minutes here are left out (ctz_test, div_test,
# pbkdf2_test, shift_test), and those that need fonts or keys (cmdline_cat_test, signature_test).
grub_kernel() {
	tests="bswap_test exfctest mul_test setjmp_test sleep_test"
	{
		printf 'serial\nterminal_output serial\n'
		for test in $tests; do echo "insmod $test"; done
		printf 'functional_test\nlsmod\nhalt\n'
	} >"$dir/grub.cfg"
	grub-mkstandalone -d "$grub" -O i386-coreboot -o "$dir/grub" --fonts= --locales= --themes= \
		--install-modules="memdisk tar normal serial functional_test minicmd halt $tests" \
		boot/grub/grub.cfg="$dir/grub.cfg" >"$dir/err" 2>&1 || return 1
	cat >"$dir/grub.S" <<-EOF
		.section .table, "aw"
		.ascii "LBIO"
		.long 24, 0, 48, 0, 1	/* header, a table of 48 bytes with one record */
		.long 1, 48		/* memory: start, size, 1 for RAM */
		.long 0, 0, 0xa0000, 0, 1
		.long 0x100000, 0, 0x3f00000, 0, 1
	EOF
	readelf -lW "$dir/grub" | awk -v file="$dir/grub" '$1 == "LOAD" {
		printf ".section .at%s, \"awx\"\n.incbin \"%s\", %s, %s\n", $4, file, $2, $5
		if ($6 != $5) printf ".space %s - %s\n", $6, $5 }' >>"$dir/grub.S"
	entry=$(readelf -hW "$dir/grub" | sed -n 's/.*Entry point address: *//p')
	# shellcheck disable=SC2046
	gcc -m32 -nostdlib -static -no-pie -Wl,--build-id=none,-N,--no-warn-rwx-segments \
		-Wl,-e,"$entry",--section-start=.table=0x800 -o "$dir/grub.elf" "$dir/grub.S" \
		$(sed -n 's/^\.section \(\.at\([^,]*\)\),.*/-Wl,--section-start=\1=\2/p' \
			"$dir/grub.S")
}

grub=${GRUB:-/usr/lib/grub/i386-coreboot}
if [ ! -r "$grub/functional_test.mod" ]; then
	echo "SKIP GRUB: no $grub (package grub-coreboot-bin) and no GRUB=FOLDER"
	skipped=$((skipped + 1))
elif ! grub_kernel; then
	echo "FAIL GRUB: no image for coreboot"
	sed 's/^/     /' "$dir/err"
	failed=$((failed + 1))
else
	for model in p5 skylake; do
		timeout 600 "$sim" --cpu $model --clock 10 --mem 64 "$dir/grub.elf" 2>&1 |
			tr '\r' '\n' >"$dir/out"
		# a test that was not loaded is not among the modules
		for module in $tests; do
			grep -qa "^$module" "$dir/out" || echo "$module was not loaded" >>"$dir/out"
		done
		if grep -qa 'ALL TESTS PASSED' "$dir/out" &&
			! grep -qa 'not loaded' "$dir/out"; then
			passed=$((passed + 1))
			continue
		fi
		echo "FAIL GRUB, model $model"
		tail -n 20 "$dir/out" | sed 's/^/     /'
		failed=$((failed + 1))
	done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
