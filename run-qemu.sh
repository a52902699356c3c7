#!/bin/sh
# Boots cpl0 in QEMU, prints its log, and tells by the exit code how the run ended.
#
#	./run-qemu.sh [OPTIONS] [-- KERNEL-ARGUMENTS]
#
#	--bits 32|64             which kernel (default: the 64-bit one if the CPU has long mode)
#	--firmware bios|uefi|uefi32
#	--accel auto|kvm|tcg     auto: KVM if it works here, with counters if the host lends
#	                         them, else TCG
#	--pin CPU[,CPU]|none     under KVM: keep the guest on these CPUs of the host (default: the
#	                         last idle core, or with --smp N the last N of them)
#	--no-huge                under KVM: no huge pages, though there are free ones
#	--cpu MODEL              QEMU's name (default: host under KVM, max under TCG)
#	--smp N                  logical CPUs (default: 1)
#	--mem MB                 memory (default: 256)
#	--direct                 boot the ELF with QEMU's -kernel instead of the ISO
#	--media cd|disk|usb|floppy   how the image is attached (default: cd)
#	--media net|ipxe|pxelinux|isolinux   PXE with GRUB, iPXE or PXELINUX; a CD with ISOLINUX
#	--media xhci|ehci|sata|nvme|virtio   the stick's image, with its CPL0.LOG, attached so
#	--vga KIND               QEMU's -vga: std, virtio, none ... (default: QEMU's own)
#	--qemu WORDS             more options of QEMU, blanks between: '-machine q35,hpet=off'
#	--screen WIDTHxHEIGHT    by GRUB on UEFI (default: the firmware's)
#	--debugcon               no serial port: the log leaves by port E9h
#	--console com|pci|pci2|pci4|bridge   the serial port: COM1 (default); on a PCI card
#	                         with 1, 2 or 4 of them; on a card behind a bridge
#	--console none           no serial port: the log is CPL0.LOG of the stick or the floppy
#	--mb1                    from the ISO by Multiboot 1 instead of 2
#	--module FILE            a boot module; may be given several times
#	--snippet FILE.S         a file of snippets, built as modules for both kernels;
#	                         see docs/your-own-code.md
#	--icount                 a TSC that counts instructions (TCG): then `tsc` is a count, and
#	                         `core` and all rates mean nothing
#	--log FILE               keep the log there
#	--work DIR               keep the boot medium there, with the log that is written to it
#	--timeout S              give up when the log has not grown for S seconds (default: 300)
#	--build DIR              where make put things (default: build beside this script)
#	--quiet                  do not print the log
#	--stay                   the kernel waits for keys at the end
#	--dry-run                print QEMU's command line and do nothing else; with --work that
#	                         command can be executed afterwards
#
# Exit code: 0 done status=ok; 1 done status=fail; 2 no `done` record; 3 wrong usage or missing
# tool. Nothing but the `done` record counts: not QEMU's exit code, not the time it took.
#
# Kernel arguments reach the kernel by a copy of the boot medium made for this run, or by -append.
# asm='imul eax, eax' becomes code=0fafc0 on the way, by the host's assembler.
# `exit=debug` is added to them unless they say how to exit, or --stay is given.
set -u
here=$(dirname "$0")

die() {
	echo "run-qemu: $*" >&2
	exit 3
}

options() {
	echo "usage: run-qemu.sh [OPTIONS] [-- KERNEL-ARGUMENTS]"
	echo
	sed -n 's/^#	\(--.*\)/  \1/p; s/^#	\(  *.*\)/  \1/p' "$0"
}

usage() {
	echo "run-qemu: $*" >&2
	options >&2
	exit 3
}

# --- options -----------------------------------------------------------------

stick_buses='xhci ehci sata nvme virtio'
PARTITION=1048576 # where it begins on the stick, bytes
bits='' firmware=bios accel=auto cpu='' smp=1 mem=256 direct='' media=cd mb1='' modules='' icount=''
pin='' huge=1 stay='' vga='' screen='' extra='' debugcon='' console=com log='' work='' timeout=300
build=$here/build quiet='' dry=''

# $1 is one of the words in $2, or wrong usage.
among() {
	case " $2 " in *" $1 "*) ;; *) usage "'$1' is not one of: $2" ;; esac
}

number() {
	case $2 in '' | *[!0-9]* | 0) usage "$1 needs a number above 0, not '$2'" ;; esac
}

# A list of modules has a line each.
one_line() {
	case $1 in
	*'
'*) die "the name of a module is one line, not '$1'" ;;
	esac
}

while [ $# -gt 0 ]; do
	case $1 in
	--) shift; break ;;
	--direct) direct=1; shift; continue ;;
	--mb1) mb1=1; shift; continue ;;
	--icount) icount=1; shift; continue ;;
	--debugcon) debugcon=1; shift; continue ;;
	--quiet) quiet=1; shift; continue ;;
	--stay) stay=1; shift; continue ;;
	--dry-run) dry=1; shift; continue ;;
	--no-huge) huge=''; shift; continue ;;
	--help | -h) options; exit 0 ;;
	--bits | --firmware | --accel | --cpu | --smp | --mem | --media | --vga | --qemu | \
		--console | --pin | \
		--module | --snippet | --screen | --log | --work | --timeout | --build)
		[ $# -ge 2 ] || usage "$1 needs a value" ;;
	--*) usage "unknown option '$1'" ;;
	*) usage "kernel arguments go behind --: '$1'" ;;
	esac
	case $1 in
	--bits) among "$2" "32 64"; bits=$2 ;;
	--firmware) among "$2" "bios uefi uefi32"; firmware=$2 ;;
	--accel) among "$2" "auto kvm tcg"; accel=$2 ;;
	--cpu) cpu=$2 ;;
	--smp) number --smp "$2"; smp=$2 ;;
	--mem) number --mem "$2"; mem=$2 ;;
	--media)
		among "$2" "cd disk usb floppy net ipxe pxelinux isolinux $stick_buses"
		media=$2
		;;
	--vga) vga=$2 ;;
	--pin)
		case ,$2, in
		,none,) ;;
		*,,* | *[!0-9,]*) usage "--pin needs CPUs, as 2 or 2,3, or none, not '$2'" ;;
		esac
		pin=$2
		;;
	--console) among "$2" "com pci pci2 pci4 bridge none"; console=$2 ;;
	--screen) screen=$2 ;;
	--qemu) extra="$extra $2" ;;
	--module)
		[ -r "$2" ] || die "cannot read $2"
		one_line "$2"
		modules="$modules$2
"
		;;
	--snippet)
		[ -r "$2" ] || die "cannot read $2"
		elfs=$(make -s -C "$here" snippet FILE="$(realpath "$2")" \
			B="$(realpath "$build")") ||
			die "$2 cannot be built"
		modules="$modules$(printf '%s\n' $elfs)
" ;;
	--log) log=$2 ;;
	--work) work=$2 ;;
	--timeout) number --timeout "$2"; timeout=$2 ;;
	--build) build=$2 ;;
	esac
	shift 2
done

if [ -n "$direct" ]; then
	[ "$firmware" = bios ] ||
		usage "--direct goes with --firmware bios: UEFI cannot load the ELF"
	[ "$media" = cd ] || usage "--direct boots no medium"
fi
if [ "$media" = floppy ]; then
	[ "$firmware" = bios ] || usage "a floppy boots on --firmware bios alone"
	[ "${bits:-32}" = 32 ] || usage "the floppy holds the 32-bit kernel"
	[ -z "$modules" ] || usage "the floppy has no boot modules"
fi

qemu='qemu-system-x86_64'
command -v $qemu >/dev/null || die "$qemu is missing: run \`make deps\`"

# --- the machine -------------------------------------------------------------

# shellcheck source=tools/kvm-host.sh
. "$here/tools/kvm-host.sh"

# Is $cpu the CPU of the host? QEMU's max is, too, under KVM.
cpu_is_host() {
	case ${cpu:-host}, in host,* | max,*) return 0 ;; esac
	return 1
}

# Prints why the guest has no counters, by the host or by --cpu; nothing if it has.
lacks_counters() {
	kvm_lacks_counters | grep . && return
	case ,$cpu, in
	*,pmu=off,* | *,-pmu,*) echo "--cpu $cpu switches them off" ;;
	*,pmu=on,* | *,pmu,* | *,+pmu,*) ;;
	*) cpu_is_host || echo "--cpu $cpu has no pmu=on" ;;
	esac
}

# Prints why KVM is of no use here; nothing if it is.
why_not_kvm() {
	if [ -n "$(kvm_lacks)" ]; then
		kvm_lacks
	elif ! cpu_is_host; then
		echo "--cpu $cpu is another CPU than this one"
	elif [ -n "$icount" ]; then
		echo "--icount is a matter of TCG"
	fi
}

say() {
	echo "run-qemu: $*" >&2
}

if [ "$accel" = auto ]; then
	why=$(why_not_kvm)
	accel=${why:+tcg}
	: "${accel:=kvm}"
	[ -z "$why" ] || say "accel=tcg ($why): times are an emulator's, there are no counters"
fi
[ -z "$icount" ] || say "--icount: tsc counts instructions; core and clock rates mean nothing"

# Free huge pages of 2 MB that hold the guest's memory?
huge_pages() {
	[ -n "$huge" ] && [ $((mem % 2)) = 0 ] && [ "$(host_huge free_hugepages)" -ge $((mem / 2)) ]
}

# Prints how to get huge pages if there are too few, and are wanted.
lacks_huge_pages() {
	[ -n "$huge" ] && ! huge_pages || return 0
	if [ $((mem % 2)) != 0 ]; then
		echo "--mem $mem is no multiple of 2 MB, so the guest has no huge pages:" \
			"TLBs miss more often"
		return 0
	fi
	pages=$((mem / 2)) free=$(host_huge free_hugepages)
	echo "$free huge pages are free, and the guest's memory is $pages: TLBs miss more often" \
		"(sysctl vm.nr_hugepages=$(($(host_huge nr_hugepages) - free + pages)))"
}

notes=
note() {
	notes=$notes${notes:+
}$*
}

if [ "$accel" = kvm ]; then
	why=$(kvm_would_fail)
	[ -z "$why" ] || die "QEMU would not start: $why"
	why=$(lacks_counters)
	if [ -n "$(kvm_lacks)" ]; then
		note "accel=kvm as you say, although $(kvm_lacks)"
	elif [ -z "$why" ]; then
		note "accel=kvm vpmu=$(kvm_vpmu): with the counters of this CPU"
	else
		note "accel=kvm vpmu=none ($why): times are this CPU's, there are no counters"
	fi
	if ! cpu_is_host; then
		case "$why $(echo "$*" | tr -d '"')" in
		' events='* | ' '*' events='* | ' sample='* | ' '*' sample='*)
			die "--cpu $cpu is an invention on this CPU:" \
				"events= would be those of another"
			;;
		esac
		note "--cpu $cpu is an invention on this CPU: its events may be those of another"
	fi
	looked=$(host_look)
	case $pin in
	none) pin= ;;
	'') ! command -v taskset >/dev/null || pin=$(kvm_pin "$smp" "$looked") ;;
	*)
		command -v taskset >/dev/null || die "--pin needs taskset (util-linux)"
		for one in $(echo "$pin" | tr , ' '); do
			why=$(kvm_lacks_cpu "$one")
			[ -z "$why" ] || die "--pin $pin: $why"
		done
		;;
	esac
	many=$(echo "${pin:-$(host_usable | paste -sd, -)}" | tr ',' '\n' | grep -c .)
	crowded=
	if [ "$many" -gt 0 ] && [ "$many" -lt "$smp" ]; then
		crowded=1
		note "the guest's $smp CPUs share $many of the host: they do not run at once"
	fi
	notes="$notes
$(kvm_notes "$pin" "$looked")
$(lacks_huge_pages)
$(host_is), QEMU $($qemu --version | sed -n 's/.*version \([0-9.]*\).*/\1/p')"
	printf '%s\n' "$notes" | sed '/^$/d; s/^/run-qemu: /' >&2
fi
case $accel in
kvm) : "${cpu:=host,migratable=off,pmu=on,host-cache-info=on,host-phys-bits=on}" ;;
tcg) : "${cpu:=max}" ;;
esac

# Has this model a long mode? Only asked where GRUB does not decide.
cpu_bits() {
	case ${cpu%%,*} in
	486* | pentium* | athlon* | coreduo* | n270* | qemu32* | kvm32*) echo 32 ;;
	*) echo 64 ;;
	esac
}

# asm= is assembled here: the kernel has no assembler.
arguments=
for word; do
	case $word in
	asm=* | init_asm=*)
		[ -x "$build/cpl0-native" ] || die "asm= needs $build/cpl0-native: run \`make\`"
		width=${bits:-$(cpu_bits)}
		[ "$media" != floppy ] || width=32
		word=$("$build/cpl0-native" --assemble "$width" "$word") || exit 3
		;;
	esac
	arguments="${arguments:+$arguments }$word"
done
# The log says what the host is. GRUB's menu, QEMU and a record take these characters as they are.
case " $arguments" in
*' note='* | *' "note='*) ;;
*)
	[ -z "$notes" ] || arguments="${arguments:+$arguments }note=\"$(printf '%s\n' "$notes" |
		sed '/^$/d; s/[^A-Za-z0-9 .,:=%\/_-]//g' | paste -sd, | sed 's/,/, /g' |
		cut -c1-200)\""
	;;
esac
case "$stay $arguments" in
1* | *" exit="*) ;;
*) arguments="${arguments:+$arguments }exit=debug" ;;
esac

# The first readable one of the files named, else what is missing.
first_of() {
	for file; do
		[ -r "$file" ] && echo "$file" && return
	done
	return 1
}

kept=$work
if [ -n "$kept" ]; then
	mkdir -p "$work" || exit 3
else
	work=$(mktemp -d) || exit 3
fi
pid='' tail=''
# shellcheck disable=SC2317 # called by the trap
cleanup() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	[ -z "$tail" ] || kill "$tail" 2>/dev/null
	[ -n "$kept" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 2' INT TERM HUP
: "${log:=$work/log}"
printf '%s\n' "$build/32/cpl0.elf" "$build/64/cpl0.elf" "$modules" | while IFS= read -r file; do
	[ ! "$log" -ef "$file" ] || die "--log would write over $file"
done || exit 3
[ ! -e "$log" ] || [ -f "$log" ] || die "--log needs a regular file, not $log"
[ -n "$dry" ] || : >"$log" || die "cannot write $log"

# A value among QEMU's options, which are separated by commas: there a comma is two.
value() {
	printf '%s' "$1" | sed 's/,/,,/g'
}

# The modules as -initrd takes them. Behind a blank QEMU sees arguments, so a file whose name has
# a blank is linked into $work.
initrd() {
	number=0 list=''
	while IFS= read -r file; do
		case $file in
		*[[:blank:]]*)
			link=$work/module-$number-$(basename "$file" | tr -c 'A-Za-z0-9._\n-' '_')
			case $link in
			*[[:blank:]]*) die "QEMU takes no module in a folder with a blank: $work" ;;
			esac
			ln -sf "$(realpath "$file")" "$link" || exit 3
			file=$link
			;;
		esac
		list=$list${list:+,}$(value "$file")
		number=$((number + 1))
	done
	printf '%s' "$list"
}

processors=$smp
[ "$accel" != kvm ] || processors=$smp,sockets=1,cores=$smp,threads=1
set -- $qemu -accel "$accel" -cpu "$cpu" -smp "$processors" -m "$mem" \
	-display none -monitor none -net none -no-reboot \
	-device isa-debug-exit,iobase=0xf4,iosize=4
if [ "$accel" = kvm ]; then
	[ -n "$stay$crowded" ] || set -- "$@" -overcommit cpu-pm=on
	set -- "$@" -machine mem-merge=off
	if huge_pages; then
		ram=memory-backend-memfd,id=ram,size=${mem}M
		set -- "$@" -machine memory-backend=ram \
			-object "$ram,hugetlb=on,hugetlbsize=2M,prealloc=on"
	else
		set -- "$@" -mem-prealloc
	fi
	pin_each=
	if [ -n "$pin" ]; then
		if [ "$smp" -gt 1 ] && [ -z "$crowded" ]; then
			pin_each=1
			set -- "$@" -name cpl0,debug-threads=on
		fi
		set -- taskset -c "$pin" "$@"
	fi
fi
if [ -n "$debugcon" ]; then
	set -- "$@" -serial none -debugcon "file:$log"
elif [ "$console" = none ]; then
	set -- "$@" -serial none
elif [ "$console" != com ]; then
	set -- "$@" -serial none -chardev "file,id=log,path=$(value "$log")"
	case $console in
	pci) set -- "$@" -device pci-serial,chardev=log ;;
	pci2) set -- "$@" -device pci-serial-2x,chardev1=log ;;
	pci4) set -- "$@" -device pci-serial-4x,chardev1=log ;;
	bridge)
		set -- "$@" -device pci-bridge,id=bridge,chassis_nr=1 \
			-device pci-serial,bus=bridge,addr=3,chardev=log
		;;
	esac
else
	set -- "$@" -serial "file:$log"
fi
[ -z "$vga" ] || set -- "$@" -vga "$vga"
[ -z "$icount" ] || set -- "$@" -icount shift=0
set -f
# shellcheck disable=SC2086 # words are meant
set -- "$@" $extra
set +f

code=
case $firmware in
uefi)
	code=$(first_of /usr/share/OVMF/OVMF_CODE_4M.fd /usr/share/OVMF/OVMF_CODE.fd \
		/usr/share/edk2/ovmf/OVMF_CODE.fd /usr/share/edk2/x64/OVMF_CODE.4m.fd) ||
		die "OVMF (package ovmf) is missing: run \`make deps-test\`"
	variables=$(echo "$code" | sed 's/_CODE/_VARS/')
	;;
uefi32)
	# Debian has it only in the variant for Secure Boot, which wants the system management mode.
	code=$(first_of /usr/share/OVMF/OVMF32_CODE_4M.secboot.fd \
		/usr/share/edk2/ovmf-ia32/OVMF_CODE.fd) ||
		die "32-bit OVMF (package ovmf-ia32) is missing: run \`make deps-test\`"
	variables=$(echo "$code" | sed 's/_CODE/_VARS/; s/\.secboot//')
	set -- "$@" -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on
	;;
esac
if [ -n "$code" ]; then
	cp "$variables" "$work/variables.fd" || exit 3
	set -- "$@" -drive "if=pflash,format=raw,unit=0,readonly=on,file=$code" \
		-drive "if=pflash,format=raw,unit=1,file=$(value "$work")/variables.fd"
fi

# --- what it boots -----------------------------------------------------------

# Puts a loader of the SYSLINUX family, $1 of folder $2, and its modules into the tree.
syslinux() {
	for file in "$2/$1" /usr/lib/syslinux/modules/bios/ldlinux.c32 \
		/usr/lib/syslinux/modules/bios/libcom32.c32 \
		/usr/lib/syslinux/modules/bios/mboot.c32 \
		/usr/lib/syslinux/modules/bios/ifcpu64.c32; do
		[ -r "$file" ] || die "$file is missing: run \`make deps-test\`"
		cp "$file" "$tree"
	done
	cp "$tree/pxelinux.cfg/default" "$tree/isolinux.cfg"
}

need() {
	[ -r "$1" ] || die "$1 is missing: run \`make $2\`"
}

if [ -n "$direct" ]; then
	kernel=$build/${bits:-$(cpu_bits)}/cpl0.elf
	need "$kernel" kernels
	set -- "$@" -kernel "$kernel" -append "$arguments"
	if [ -n "$modules" ]; then
		files=$(printf %s "$modules" | initrd) || exit 3
		set -- "$@" -initrd "$files"
	fi
elif [ "$media" = floppy ]; then
	need "$build/cpl0.img" floppy
	image=$work/floppy.img
	"$here/boot/media/mkfloppy.sh" -b "$build" -t 0 -a "$arguments" "$image" || exit 3
	set -- "$@" -drive "if=floppy,format=raw,file=$(value "$image")" -boot a
else
	maker=mkiso.sh image=$work/cpl0.iso tree=$work/net bootfile='' disk=''
	case $media in
	xhci) disk='-device qemu-xhci -device usb-storage,' ;;
	ehci) disk='-device usb-ehci -device usb-storage,' ;;
	sata) disk='-device ahci,id=sata -device ide-hd,bus=sata.0,' ;;
	nvme) disk='-device nvme,serial=cpl0,' ;;
	virtio) disk='-device virtio-blk-pci,' ;;
	esac
	case ${disk:+stick}$media in
	stick*)
		need "$build/cpl0-usb.img" usb
		maker=mkusb.sh image=$work/stick.img
		;;
	net | ipxe | pxelinux | isolinux)
		need "$build/grub/cpl0-x64.efi" pxe
		maker=mknet.sh image=$tree
		;;
	*) need "$build/cpl0.iso" iso ;;
	esac
	entry=${bits:+bits$bits}
	[ -z "$mb1" ] || entry=bits${bits:-$(cpu_bits)}-mb1
	IFS='
'
	set -f
	# shellcheck disable=SC2046 # one word a line is meant
	"$here/boot/media/$maker" -b "$build" -d "${entry:-auto}" -t 0 -a "$arguments" \
		-g "${screen:+${screen}x32}" \
		$(printf %s "$modules" | sed 's/^/-m\
/') "$image" || exit 3
	unset IFS
	set +f
	case $media-$firmware in
	net-bios) bootfile=cpl0.0 ;;
	net-uefi) bootfile=cpl0-x64.efi ;;
	net-uefi32) bootfile=cpl0-ia32.efi ;;
	ipxe-bios) bootfile=cpl0.ipxe ;;
	pxelinux-bios) bootfile=pxelinux.0; syslinux $bootfile /usr/lib/PXELINUX ;;
	isolinux-bios) syslinux isolinux.bin /usr/lib/ISOLINUX ;;
	pxelinux-* | ipxe-* | isolinux-*) usage "--media $media goes with --firmware bios" ;;
	esac
	case $media in
	cd) set -- "$@" -cdrom "$work/cpl0.iso" ;;
	net | ipxe | pxelinux)
		set -- "$@" -netdev "user,id=net,tftp=$(value "$tree"),bootfile=$bootfile" \
			-device virtio-net-pci,netdev=net -boot n
		;;
	isolinux)
		xorriso -as mkisofs -quiet -b isolinux.bin -no-emul-boot -boot-load-size 4 \
			-boot-info-table -r -o "$work/isolinux.iso" "$tree" 2>/dev/null || exit 3
		set -- "$@" -cdrom "$work/isolinux.iso"
		;;
	xhci | ehci | sata | nvme | virtio)
		# shellcheck disable=SC2086 # words are meant
		set -- "$@" ${disk}drive=stick,bootindex=0 \
			-drive "if=none,id=stick,format=raw,file=$(value "$image")"
		;;
	disk) set -- "$@" -drive "if=ide,format=raw,file=$(value "$work")/cpl0.iso" ;;
	usb)
		set -- "$@" -device qemu-xhci -device usb-storage,drive=stick \
			-drive "if=none,id=stick,format=raw,file=$(value "$work")/cpl0.iso"
		;;
	esac
fi

if [ -n "$dry" ]; then
	for word; do
		case $word in
		*[!A-Za-z0-9_.,:=/@%+-]*) printf "'%s' " "$word" ;;
		*) printf '%s ' "$word" ;;
		esac
	done
	echo
	exit 0
fi

# --- the run -----------------------------------------------------------------

# Keeps each CPU of the guest on one of $pin. QEMU calls their threads 'CPU 0/KVM' and so on. They
# run for some ms before, all on $pin: then the firmware is at work, not the kernel.
pin_threads() {
	while kill -0 "$pid" 2>/dev/null; do
		pinned='' left=$smp
		for comm in /proc/"$pid"/task/*/comm; do
			name=$(cat "$comm" 2>/dev/null)
			case $name in 'CPU '[0-9]*/*) ;; *) continue ;; esac
			number=${name#CPU }
			number=${number%%/*}
			thread=${comm%/comm}
			on=$(echo "$pin" | cut -d, -f$((number + 1)))
			taskset -pc "$on" "${thread##*/}" >/dev/null 2>&1 || continue
			# A new thread has its maker's name until it has its own.
			[ "$(cat "$comm" 2>/dev/null)" = "$name" ] || continue
			case "$pinned " in *" $number "*) continue ;; esac
			pinned="$pinned $number" left=$((left - 1))
		done
		[ "$left" -gt 0 ] || return 0
		[ $(($(date +%s) - start)) -lt 60 ] || break # a busy host starts QEMU slowly
		sleep 0.05
	done
	kill -0 "$pid" 2>/dev/null || return 0
	why="the guest's CPUs are on $pin, but not each on one of its own"
	note "$why"
	say "$why"
}

start=$(date +%s)
"$@" 2>"$work/errors" &
pid=$!
if [ -z "$quiet" ]; then
	# Without the firmware's and GRUB's terminal control sequences.
	tail -n +1 -s 0.1 -f --pid=$pid "$log" 2>/dev/null |
		sed -u "s/$(printf '\033')\\[[0-9;=?]*[A-Za-z]//g" &
	tail=$!
fi

[ "$accel" != kvm ] || [ -z "$pin_each" ] || pin_threads

# The last word on the run, if it is there yet; `stops` if the kernel refused the CPU.
verdict() {
	tail -c "${1:-4096}" "$log" | tr -d '\r' | sed -nE \
		-e 's/^done status=(ok|stopped|fail) .*#[0-9]+:[0-9a-f]{8}$/\1/p' \
		-e 's/^.*cpl0 stops: .*/stops/p' | tail -n 1
}

start=$(date +%s) size=0
while kill -0 "$pid" 2>/dev/null; do
	if [ -n "$(verdict)" ]; then
		sleep 0.5 # it ends by itself, unless it was told not to
		break
	fi
	grown=$(wc -c <"$log")
	if [ "$grown" -ne "$size" ]; then # a run behind many exits is slow, and goes on
		size=$grown start=$(date +%s)
	elif [ $(($(date +%s) - start)) -ge "$timeout" ]; then
		echo "run-qemu: the log has not grown for $timeout s" >&2
		break
	fi
	sleep 0.1
done
kill -KILL "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
pid=
[ -z "$tail" ] || wait "$tail" 2>/dev/null
tail=

# Without a line the log is what the medium takes home.
if [ "$console" = none ]; then
	case $media in
	floppy) mcopy -n -o -i "$image" ::CPL0.LOG "$log" ;;
	*) [ -z "${disk-}" ] || mcopy -n -o -i "$image@@$PARTITION" ::CPL0.LOG "$log" ;;
	esac
	[ -n "$quiet" ] || grep -av '^~cpl0-' "$log"
fi

# What the host was goes with the log, behind its last record, also where note= cuts it.
[ -z "$notes" ] || printf '%s\n' "$notes" | sed '/^$/d; s/^/run-qemu: /' >>"$log"
cat "$work/errors" >&2
kvm_explain "$work/errors" | sed 's/^/run-qemu: /' >&2

case $(verdict "$(wc -c <"$log")") in
ok) exit 0 ;;
fail) exit 1 ;;
stops) echo "run-qemu: the kernel refused this CPU" >&2 ;;
esac
echo "run-qemu: the log has no \`done\` record" >&2
exit 2
