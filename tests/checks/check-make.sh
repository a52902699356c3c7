#!/bin/sh
# What make says, and the version that it puts into the programs, on a copy of the sources.
# Prints a line a test and `N passed, N failed, N skipped`.
copy=$(mktemp -d) || exit 3
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0

verdict() { # $1 test, $2 what is wrong or nothing
	if [ -z "$2" ]; then
		passed=$((passed + 1))
		echo "pass $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
	fi
}

# The first line of each command of a rule must not print itself.
verdict recipes "$(awk '
	/^\t/ && !/^\t(\+?@|\$?\$\((Q\)|call ))/ &&
		!goes_on { print FILENAME ":" FNR ": neither @ nor $(Q):" $0 }
	{ goes_on = /\\$/ }' Makefile ./*/*.mk)"

git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$copy"
cd "$copy" || exit 3
git init -q . && git add -A &&
	git -c user.name=test -c user.email=test@localhost commit -q -m test ||
	exit 3
unset MAKEFLAGS MAKELEVEL
make=${MAKE:-make}

# make deletes no file that it made on the way, and prints no `rm` for that.
verdict 'nothing is removed' "$($make -n B=quick usb 2>&1 | grep '^rm ')"

# $1 test, $2 what each line must match, rest: make's arguments
says() {
	name=$1 pattern=$2
	shift 2
	rm -rf quick
	$make B=quick "$@" quick/sim/cpuid_data.c quick/native/native/msr.c.o \
		quick/tools/lib/alloc.o quick/64/bench/engine/stats.c.o >said 2>&1 ||
		echo "it fails" >>said
	verdict "$name" \
		"$(grep -v "$pattern" said)$([ "$name" = silent ] || [ -s said ] || echo nothing)"
	rm said
}
says short '^  [A-Z]* *quick/'
says parallel '^  [A-Z]* *quick/' -j2
says silent '^$' -s
says commands '^awk .*cpuid.csv\|^[a-z]*cc .* -c -o quick/' V=1

# $1 test, $2 file, $3 what make says of it, rest: make's arguments. No module stays.
refuses() {
	test=$1 file=$2 says=$3
	shift 3
	$make -s B=quick snippet FILE="$file" "$@" >/dev/null 2>said && echo "it is taken" >said
	verdict "snippet-$test" "$(grep -qxF "snippet: $says" said || cat said
		ls quick/snippets/*.elf 2>/dev/null)"
	rm said
}
cp tests/data/snippets/functions.c sum.c
printf '\tnop\n' >nop.S
: >nothing.c
touch sum.o
refuses c sum.c 'which function of sum.c? FUNCTION=sum ARGS=100 (docs/your-own-code.md)'
refuses object sum.o 'which function of sum.o? FUNCTION=sum ARGS=100 (docs/your-own-code.md)'
refuses other README.md "README.md is neither a .S file (docs/adding-a-benchmark.md) nor a .c or \
.o file (docs/your-own-code.md)"
refuses function nop.S 'FUNCTION= goes with a .c or .o file' FUNCTION=sum
refuses empty-c nothing.c 'nothing.c is empty' FUNCTION=sum
refuses name sum.c "'a b' is no name of a C function" FUNCTION='a b'
refuses static sum.c 'sum.c has no function hidden that other files may call' FUNCTION=hidden
refuses needy sum.c 'print is not self-contained: it needs puts' FUNCTION=print
refuses address sum.c 'address: its static data hold addresses: set them in the function' \
	FUNCTION=address
refuses thread sum.c 'thread: it has thread-local data, and there are no threads' FUNCTION=thread
refuses large sum.c 'large: its static data take more than 64 KiB' FUNCTION=large
refuses words sum.c "'x' is no integer" FUNCTION=sum ARGS='1 x'
refuses wide sum.c '0x100000000 needs more than 32 bits' FUNCTION=sum ARGS=0x100000000
refuses seven sum.c 'more than 6 arguments' FUNCTION=sum ARGS='1 2 3 4 5 6 7'
refuses empty nop.S 'nop.S has no snippet: see SNIPPET in bench/snippet.inc'
refuses absent absent.S 'cannot read absent.S'
printf '#include "bench/snippet.inc"\nSNIPPET my.nop, "a NOP"\nBODY\n\tnop\nEND\n' >one.S
verdict snippet "$($make -s B=quick snippet FILE=one.S 2>&1 |
	grep -vxF 'quick/snippets/one.32.elf quick/snippets/one.64.elf')"
rm sum.c sum.o nothing.c nop.S one.S

# $1 target, $2 what must do the work, rest: what is given. The images themselves are test-media's.
takes() {
	target=$1 work=$2
	shift 2
	verdict "takes-$target" "$($make -n B=quick "$target" "$@" 2>&1 | grep -qF "$work" ||
		echo "no $work")"
}
takes iso "boot/media/mkiso.sh -b quick -a 'bench=p5.*' -m a.elf quick/cpl0-with.iso" \
	'ARGS=bench=p5.*' MODULES=a.elf
takes usb "boot/media/mkusb.sh -b quick -a 'bench=p5.*' -m a.elf quick/cpl0-usb-with.img" \
	'ARGS=bench=p5.*' MODULES=a.elf
takes floppy "boot/media/mkfloppy.sh -b quick -a 'bench=p5.*'  quick/cpl0-with.img" \
	'ARGS=bench=p5.*'
takes pxe "boot/media/mknet.sh -b quick -a 'bench=p5.*'" 'ARGS=bench=p5.*'
verdict takes-nothing "$($make -n B=quick iso usb floppy 2>&1 | grep -- -with)"

# $1 target, $2 variable: one that the target would ignore
ignores() {
	verdict "refuses-$1-$2" "$($make -n B=quick "$1" "$2=x" 2>&1 |
		grep -qF "make $1 takes no $2=: these do:" || echo "it is taken")"
}
for target in dist deb install kernels floppy; do
	[ $target = floppy ] || ignores $target ARGS
	ignores $target MODULES
done

# $1 test, $2 pattern of what stands behind the release
release=$(sed 's/[.]/[.]/g' VERSION)
version() {
	$make -s B=quick quick/version.c
	verdict "$1" "$(grep -q "\"$release$2\"" quick/version.c || cat quick/version.c)"
}
version clean '+g[0-9a-f]*'
for file in bench/mine.S kernel/mine.c pmu/events/mine.csv; do
	touch $file
	version "untracked-$file" '+g[0-9a-f]*-dirty'
	rm $file
done
touch bench/notes.txt mine.S
version not-compiled-in '+g[0-9a-f]*'
echo >>README.md
touch bench/mine.S
version changed '+g[0-9a-f]*-dirty'
git -c user.name=test -c user.email=test@localhost tag -a -m 1 v9.9.9
version tagged '+g[0-9a-f]*-dirty'
rm -rf .git
version no-repository ''

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
