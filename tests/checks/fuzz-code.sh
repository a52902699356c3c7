#!/bin/sh
# Random byte strings as code: whatever they do, the run ends with `done`, and every string has its outcome in
# the log: `result`, `trap` or `timeout`.
#
#	JOBS=N tests/checks/fuzz-code.sh BUILD [STRINGS [SEED [WHERE...]]]
#
# STRINGS for each WHERE (default 1250, together 10,000), which is sim/MODEL/BITS/CPL or
# qemu/MODEL/BITS/CPL. The strings are 1 to 16 bytes long; some of a hundred are not random but known to have a
# certain outcome. The first WHERE gets those of SEED, the next one those of SEED + 1, and so on. They are booted
# as modules of at most 256 snippets, which go the way that code= goes. Time is the guest's everywhere
# (QEMU's -icount), so a run repeats.
B=${1:-build}
strings=${2:-1250} seed=${3:-1}
[ $# -lt 3 ] && shift $# || shift 3
[ $# -gt 0 ] || set -- sim/p5/32/0 sim/p5/32/3 sim/skylake/64/0 sim/skylake/64/3 \
	qemu/pentium/32/0 qemu/pentium/32/3 qemu/max/64/0 qemu/max/64/3
dir=$B/fuzz-code
batch=256
passed=0 failed=0
mkdir -p "$dir" || exit 1

# The first strings of every hundred, and what must become of them at CPL 0 and at CPL 3.
known='
	function know(bytes, at0, at3) { code[nknown] = bytes; outcome[0, nknown] = at0; outcome[3, nknown++] = at3 }
	BEGIN {
		nknown = 0
		know("144", "result", "result")                    # NOP
		know("15,11", "trap", "trap")                      # UD2
		know("235,254", "timeout", "timeout")              # JMP to itself
		know("250,235,254", "timeout", "trap")             # CLI, then the same
		know("230,146", "trap", "trap")                    # OUT 92h, AL: 1 in AL resets a PC
		know("191,0,0,16,0,171", "trap", "trap")           # a store to 1 MiB, where the kernel is
		know("191,0,0,16,0,172", "result", "result")       # LODSB from the data area
		know("188,0,0,0,0,80", "trap", "trap")             # no stack, and a PUSH
		know("235,120,144", "trap", "trap")                # a jump over the end
	}'

# N strings from number FROM on, as snippets.
source_of() { # FROM N
	awk -v from="$1" -v n="$2" -v seed="$seed" "$known"' BEGIN {
		print "#include \"bench/snippet.inc\""
		for (i = from; i < from + n; i++) {
			srand(seed * 1000003 + i)
			for (k = 0; k < 8; k++)
				rand()
			printf "\tSNIPPET\trnd.%d, \"random bytes\"\n\tBODY\n\t.byte\t", i
			len = 1 + int(rand() * 16)
			if (i % 100 < nknown)
				printf "%s", code[i % 100]
			else
				for (k = 0; k < len; k++)
					printf "%s%d", k ? "," : "", int(rand() * 256)
			print "\n\tEND"
		}
	}'
}

# Every string has one of the three outcomes, and the last record says that it is the last.
judge() { # LOG FROM N CPL
	"$B/cpl0-log" check "$1" >"$1.check" 2>&1
	[ $? -le 1 ] || { echo "cpl0-log check: $(head -n 1 "$1.check")"; return; }
	awk -v from="$2" -v n="$3" -v cpl="$4" "$known"'
	function name(key,   i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=rnd.") == 1)
				return substr($i, length(key) + 6)
		return ""
	}
	$1 == "result" { i = name("bench"); seen[i] = 1 } # one or more for each group of counters
	$1 == "timeout" { i = name("bench"); seen[i]++ }
	$1 == "trap" { i = name("snippet"); seen[i]++ }
	$1 ~ /^(result|timeout|trap)$/ && i != "" { became[i] = $1 }
	$1 == "done" { done = 1 }
	END {
		if (!done)
			print "no done record"
		for (i = from; i < from + n; i++)
			if (seen[i] != 1) {
				print "rnd." i ": " seen[i] + 0 " outcomes"
				exit
			} else if (i % 100 < nknown && became[i] != outcome[cpl, i % 100]) {
				print "rnd." i " (" code[i % 100] "): " became[i] ", not " outcome[cpl, i % 100]
				exit
			}
	}' "$1"
}

boot() { # WHERE LOG MODULE
	local ground model bits cpl
	IFS=/ read -r ground model bits cpl <<-END
		$1
	END
	log=$2 module=$3.$bits.elf
	set -- bench='rnd.*' cpl="$cpl" runs=1 warmup=0 timeout=2 console=com1 exit=debug
	if [ "$ground" = sim ]; then
		timeout 300 "$B/cpl0-sim" --cpu "$model" --mem 32 --log "$log" --module "$module" \
			"$B/$bits/cpl0.elf" "$@"
	else
		./run-qemu.sh --build "$B" --direct --bits "$bits" --cpu "$model" --accel tcg --icount \
			--timeout 300 --quiet --log "$log" --module "$module" -- "$@"
	fi >"$log.out" 2>&1
}

module() { # FILE FROM N
	[ -r "$1.64.elf" ] && return
	source_of "$2" "$3" >"$1.S"
	make -s "B=$B" snippet FILE="$1.S" >/dev/null && mv "$B/snippets/${1##*/}".*.elf "$dir"
}

# All strings on one machine; prints what went wrong.
fuzz() { # WHERE
	from=0
	while [ "$from" -lt "$strings" ]; do
		n=$((strings - from < batch ? strings - from : batch))
		file=$dir/$seed-$from-$n
		log=$dir/$(echo "$1" | tr / -)-$seed-$from.log
		module "$file" "$from" "$n" || { echo "$file: not built"; return; }
		boot "$1" "$log" "$file"
		why=$(judge "$log" "$from" "$n" "${1##*/}")
		[ -z "$why" ] || echo "strings $from to $((from + n - 1)), seed $seed: $why ($log)"
		from=$((from + n))
	done
}

sum_up() { # WHERE...
	for where; do
		out=$dir/$(echo "$where" | tr / -).txt
		if [ -s "$out" ]; then
			failed=$((failed + 1))
			sed "s|^|FAIL $where |" "$out"
		else
			passed=$((passed + 1))
			echo "pass $where: $strings strings"
		fi
	done
}

running=0
for where; do
	fuzz "$where" >"$dir/$(echo "$where" | tr / -).txt" &
	running=$((running + 1)) seed=$((seed + 1))
	[ $((running % ${JOBS:-$(nproc 2>/dev/null || echo 1)})) -ne 0 ] || wait
done
wait
sum_up "$@"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
