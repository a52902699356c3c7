#!/bin/sh
# The picture on a framebuffer, wherever it lies: the simulator's --screenshot has text on it, or
# the log says why there is none and the run ends `done` all the same.
#
#	tests/checks/check-screen.sh BUILD
B=${1:-build}
dir=$B/screen
passed=0 failed=0
mkdir -p "$dir" || exit 1

# Number of bytes of the picture that are as bright as the text is.
lit()
{
	tail -c +16 "$1" | LC_ALL=C tr -dc '\330' | wc -c
}

verdict() # NAME GOOD
{
	if [ "$2" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "screen $1: FAIL (see $dir/$1.log)"
	fi
}

# Whether there is a picture, what the log must have, and a code that traps while the tables of
# the user's code are in force: the record of that trap is drawn through them.
run() # NAME MODEL BITS SCREEN PICTURE(yes|no) STATUS PATTERN...
{
	name=$1 model=$2 bits=$3 screen=$4 picture=$5 status=$6 good=yes
	shift 6
	rm -f "$dir/$name.ppm"
	timeout 120 "$B/cpl0-sim" --cpu "$model" --multiboot 2 --mem 64 --screen "$screen" \
		--screenshot "$dir/$name.ppm" --log "$dir/$name.log" "$B/$bits/cpl0.elf" \
		exit=debug events=INST_RETIRED.ANY bench=code code=0f0b >/dev/null \
			2>"$dir/$name.err"
	tail -n 1 "$dir/$name.log" | grep -q "^done status=$status " || good=no
	grep -q '^trap ' "$dir/$name.log" || good=no
	for pattern; do
		grep -q -e "$pattern" "$dir/$name.log" || good=no
	done
	bright=0
	[ ! -s "$dir/$name.ppm" ] || bright=$(lit "$dir/$name.ppm")
	case $picture in
	yes) [ "$bright" -gt 3000 ] || good=no ;;
	no) [ "$bright" -eq 0 ] || good=no ;;
	esac
	verdict "$name" "$good"
}

run low-32 core2 32 800x600@0xe0000000 yes fail 'screen=framebuffer'
run high-64 skylake 64 800x600@0x4000000000 yes fail 'screen=framebuffer columns=133'
run odd-64 skylake 64 640x480@0x603d1a0000 yes fail 'screen=framebuffer'
run high-32 skylake 32 800x600@0x4000000000 no fail 'warn .*framebuffer out of reach' 'screen=none'
run in-kernel-32 p3 32 800x600@0x100000 no fail "framebuffer .*its address is the kernel's" \
	'screen=none'
run in-ram-64 skylake 64 800x600@0x400000 no fail 'framebuffer .*its address is RAM' 'screen=none'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
