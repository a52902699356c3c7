#!/bin/sh
# A boot module with a snippet that calls a C function (docs/your-own-code.md). `make snippet` calls
# this; CC, LD and OBJCOPY come from the environment.
#
#	bench/function.sh FILE FUNCTION ARGS WIDTH OUT	makes OUT.WIDTH.elf
#	bench/function.sh FILE.o			prints its width, or `object` if it has none
#
# Exit code: 0, or 1 with the reason on standard error.
file=$1 function=$2 args=$3 width=$4 out=$5.$4
registers='rdi rsi rdx rcx r8 r9' # System V ABI, AMD64, figure 3.4

die() {
	rm -f "$out".*
	echo "snippet: $*" >&2
	exit 1
}

if [ $# -eq 1 ]; then
	case $(LC_ALL=C readelf -h "$file" 2>/dev/null | grep -E 'Type:|Machine:' | xargs) in
	*REL*'Machine: Intel 80386') echo 32 ;;
	*REL*'Machine: Advanced Micro Devices X86-64') echo 64 ;;
	*) echo object ;;
	esac
	exit
fi
[ "$width" != object ] || die "$file is no object file of x86, as gcc -c makes it"

case $function in
'' | [0-9]* | *[!A-Za-z0-9_]*) die "'$function' is no name of a C function" ;;
esac
[ ${#function} -le 47 ] || die "the name $function has more than 47 characters"
[ -s "$file" ] || die "$file is empty"

case $width in
32) cpu='-march=i586' emulation=elf_i386 ;;
64) cpu='' emulation=elf_x86_64 ;;
esac
# Without these gcc calls memset and memcpy, which a snippet has not; clang does not know them.
case $($CC --version) in
*clang*) inline='' ;;
*) inline='-minline-all-stringops -fno-tree-loop-distribute-patterns' ;;
esac

# --- the function, in one piece ----------------------------------------------

compile() {
	# shellcheck disable=SC2086 # words are meant
	$CC -m"$width" $cpu -O2 -ffreestanding -fpie -fvisibility=hidden -fno-stack-protector \
		-fno-asynchronous-unwind-tables -fcf-protection=none -ffunction-sections \
		-fdata-sections $inline ${SNIPPET_CFLAGS-} -c -o "$out.o" "$file"
}

case $file in
*.o) cp "$file" "$out.o" ;;
*) compile || die "$file does not compile" ;;
esac
nm "$out.o" | grep -q " T $function\$" ||
	die "$file has no function $function that other files may call"
$LD -m $emulation -pie --no-dynamic-linker --gc-sections -T bench/function.ld -e "$function" \
	-z max-page-size=4 -z noexecstack --build-id=none -o "$out.linked" "$out.o" 2>"$out.said"
linked=$?
missing=$(sed -n "s/.*undefined reference to [\`']\(.*\)'.*/\1/p" "$out.said" | sort -u | xargs)
[ -z "$missing" ] || die "$function is not self-contained: it needs $missing"
[ $linked -eq 0 ] || die "$function: $(sed -n 's/^[^ ]*ld: //p' "$out.said" | head -n 1)"
for part in text data; do
	$OBJCOPY -O binary -j .$part "$out.linked" "$out.$part" || die "$OBJCOPY fails"
done

# --- its call ----------------------------------------------------------------

n=0 pass=''
for arg in $args; do
	echo "$arg" | grep -qxE -e '-?(0x[0-9a-fA-F]+|[0-9]+)' || die "'$arg' is no integer"
	[ $((arg)) -ge -2147483648 ] && [ $((arg)) -le 4294967295 ] ||
		die "$arg needs more than 32 bits"
	n=$((n + 1))
	if [ "$width" = 64 ]; then
		[ $n -le 6 ] || die "more than 6 arguments"
		pass="$pass mov \$$arg, %$(echo "$registers" | cut -d ' ' -f $n);"
	else # the last one first
		pass="push \$$arg; $pass"
	fi
done
echo "$pass" >"$out.pass"
drop=0
[ "$width" = 64 ] || drop=$((4 * n))
address() {
	nm "$out.linked" | awk -v name="$1" '$3 == name { print "0x" $1 }'
}
$CC -m"$width" -std=c11 -I. \
	-DNAME="$(echo "$function" | tr A-Z a-z)" \
	-DWHAT="\"$function($(echo $args | sed 's/ /, /g')) of ${file##*/}\"" \
	-DCODE="\"$out.text\"" -DDATA="\"$out.data\"" -DPASS="\"$(realpath "$out.pass")\"" \
	-DENTRY="$(address "$function")" -DBSS="$(address bss_size)" -DDROP=$drop \
	-x assembler-with-cpp -c -o "$out.o" bench/function.inc || die "the call does not assemble"
$LD -m $emulation -T bench/snippet.ld -z max-page-size=4 --build-id=none -s \
	-o "$out.elf" "$out.o" || die "$function cannot be linked"
rm "$out.linked" "$out.said" "$out.pass" "$out.text" "$out.data"
