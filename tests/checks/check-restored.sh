#!/bin/sh
# What the kernel sets of the CPU is put back, however the run ends. Asked of the simulator, not
# of the log: `--stats` names the registers that do not hold what they held at reset.
#
#	tests/checks/check-restored.sh BUILD
B=${1:-build}
dir=$B/restored
passed=0 failed=0
mkdir -p "$dir" || exit 1

# PERF_CTL, CLOCK_MODULATION, MISC_ENABLE, MISC_FEATURE_CONTROL, POWER_CTL, HWP_REQUEST; more
# registers of prefetchers; HWCR, PSTATE_CTL
registers='^msr (0x199|0x19a|0x1a0|0x1a4|0x1fc|0x774|0x6d|0x1320|0x1321|0xc0010015|0xc0010062) '

# Machine code that makes the next fault a fatal one: it wipes all that kernel/trap/trap.c knows,
# then UD2.
wipe() # BITS
{
	nm -S "$B/$1/cpl0.debug" | while read -r address size _ name; do
		[ "$name" = traps ] || continue
		printf 'bf%sb9%s31c0fcf3ab0f0b' "$(little "$address")" \
			"$(little "$(printf %08x $((0x$size / 4)))")"
	done
}

# The low 32 bits of a hex number, lowest byte first.
little()
{
	echo "$1" | sed 's/.*\(..\)\(..\)\(..\)\(..\)$/\4\3\2\1/'
}

run() # MODEL BITS HOW [WORDS...]
{
	model=$1 bits=$2 how=$3 name=$dir/$1-$2-$3
	shift 3
	cpus=1 other=
	[ "$how" != 'done' ] || [ "$1" != threads=all ] || cpus=2
	[ "$1" != threads=hybrid ] || other='--smp 2 --other sierraforest --cpuid 1:0:eax:0x90672'
	name=$name-$cpus${other:+-hybrid}
	# shellcheck disable=SC2086 # words are meant
	"$B/cpl0-sim" --cpu "$model" --smp $cpus $other --mem 32 --stats --log "$name.log" \
		"$B/$bits/cpl0.elf" exit=debug prefetch=off "$@" >/dev/null 2>"$name.err"
	changed=$(grep -cE "$registers" "$name.err")
	end=$(tail -n 1 "$name.log")
	case $how:$changed:$end in
	done:0:'done status=ok '* | trap:0:'done status=fail '*reason=trap*) ;;
	shutdown:0:* | done:* | trap:*) how="FAIL $how" ;;
	esac
	case $how in
	FAIL*)
		failed=$((failed + 1))
		echo "$how $model, $bits-bit kernel: $changed registers differ, $name.err"
		;;
	*)
		passed=$((passed + 1))
		echo "pass $how $model, $bits-bit kernel"
		;;
	esac
}

for machine in 'nehalem 32' 'skylake 64' 'goldencove 32' 'sierraforest 64' 'zen4 64'; do
	# shellcheck disable=SC2086 # words are meant
	set -- $machine
	run "$@" 'done' bench=alu.add_latency
	run "$@" trap cpl=0 bench=code "code=$(wipe "$2")"
done
# What the other CPU was given goes, too.
run skylake 64 'done' threads=all bench=alu.add_latency events=instructions
run goldencove 64 'done' threads=hybrid bench=alu.add_latency events=instructions
# Where nothing can be put back, by a triple fault, it is seen.
run goldencove 32 shutdown cpl=0 bench=code code=6a006a000f011c24cc
run zen4 64 shutdown cpl=0 bench=code code=6a006a000f011c24cc
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
