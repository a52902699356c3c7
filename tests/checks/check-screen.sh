#!/bin/sh
# The picture on a framebuffer, wherever it lies: the simulator's --screenshot has text on it, or
# the log says why there is none and the run ends `done` all the same.
#
#	tests/checks/check-screen.sh BUILD
B=${1:-build}
dir=$B/screen
passed=0 failed=0 LOOK=
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
# the user's code are in force: the record of that trap is drawn through them. More kernel arguments
# come from $LOOK.
run() # NAME MODEL BITS SCREEN PICTURE(yes|no) STATUS PATTERN...
{
	name=$1 model=$2 bits=$3 screen=$4 picture=$5 status=$6 good=yes
	shift 6
	rm -f "$dir/$name.ppm"
	timeout 1200 "$B/cpl0-sim" --cpu "$model" --multiboot 2 --mem 64 --screen "$screen" \
		--screenshot "$dir/$name.ppm" --log "$dir/$name.log" "$B/$bits/cpl0.elf" \
		$LOOK exit=debug events=INST_RETIRED.ANY bench=code code=0f0b >/dev/null \
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

# The pixels of the first two rows of text, 800 by 24, of a picture that is WIDTH by HEIGHT pixels
# and whose text is turned by DEGREES.
head_of() # NAME WIDTH HEIGHT DEGREES
{
	tail -c $(($2 * $3 * 3)) "$dir/$1.ppm" | od -v -An -tx1 -w3 |
		awk -v w="$2" -v h="$3" -v turn="$4" '
			{ pixel[NR - 1] = $0 }
			function at(x, y) { return pixel[y * w + x] }
			END {
				for (y = 0; y < 24; y++)
					for (x = 0; x < 800; x++)
						print turn == 90 ? at(w - 1 - y, x) : \
							turn == 180 ? at(w - 1 - x, h - 1 - y) : \
							turn == 270 ? at(y, h - 1 - x) : at(x, y)
			}'
}

# The text that is turned by DEGREES on such a screen is that of `flat`.
turned() # WIDTH HEIGHT DEGREES
{
	good=yes LOOK=screen=rotate:$3
	run "turned-$3" core2 32 "$1x$2" yes fail \
		"screen=framebuffer columns=133 rows=50 .*rotate=$3 "
	head_of "turned-$3" "$1" "$2" "$3" | cmp -s - "$dir/flat.head" || good=no
	verdict "turned-$3-as-flat" "$good"
}

run low-32 core2 32 800x600@0xe0000000 yes fail 'screen=framebuffer'
run high-64 skylake 64 800x600@0x4000000000 yes fail 'screen=framebuffer columns=133'
run odd-64 skylake 64 640x480@0x603d1a0000 yes fail 'screen=framebuffer'
run high-32 skylake 32 800x600@0x4000000000 no fail 'warn .*framebuffer out of reach' 'screen=none'
run in-kernel-32 p3 32 800x600@0x100000 no fail "framebuffer .*its address is the kernel's" \
	'screen=none'
run in-ram-64 skylake 64 800x600@0x400000 no fail 'framebuffer .*its address is RAM' 'screen=none'

run flat core2 32 800x600 yes fail 'screen=framebuffer columns=133 rows=50 scale=1 rotate=0 '
head_of flat 800 600 0 >"$dir/flat.head"
turned 600 800 90
turned 800 600 180
turned 600 800 270
LOOK=screen=scale:4,rotate:90
run large-4k skylake 64 3840x2160@0x4000000000 yes fail \
	'screen=framebuffer columns=90 rows=80 scale=4 rotate=90 '
LOOK=
run plain-4k skylake 64 3840x2160@0x4000000000 yes fail \
	'screen=framebuffer columns=213 rows=60 scale=3 rotate=0 '

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
