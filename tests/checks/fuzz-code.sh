#!/bin/sh
# Random and purpose-made byte strings as the user's code at CPL 3. Whatever they do, the run ends
# with `done`, every string has its outcome in the log (`result`, `trap` or `timeout`), a chain of
# adds that runs after each string reads what it read before the first, and the built-in benchmark
# with the same chain reads what it reads alone.
#
#	JOBS=N tests/checks/fuzz-code.sh BUILD [STRINGS [SEED [WHERE...]]]
#
# STRINGS is the number for each WHERE (default 1000, together 4,000). WHERE is sim/MODEL/BITS or
# qemu/MODEL/BITS. With /CPUS behind it, threads= runs the built-in benchmark on the first CPU and
# the string on the second; by default two such places get a tenth of the strings. The first strings
# of every hundred are known to have a certain outcome. Of the others a third is 1 to 16 random
# bytes, a third is made of pieces that attack the kernel, and a third is such pieces with some
# bytes changed. The first WHERE gets the strings of SEED, the next WHERE those of SEED + 1, and so
# on.
#
# The strings are booted as modules, which go the way that code= goes. In a module a probe follows
# each string: the body of the built-in benchmark, at CPL 3. The kernel runs modules before its
# built-in benchmarks, so the reading at CPL 0 is compared once a boot. Time is the guest's
# everywhere (QEMU's -icount), and the random numbers are made here, so a run repeats on every host.
#
# Three defects of QEMU are kept out: on QEMU the generator draws another string instead of such a
# string. The simulator gets all strings.
# - A conditional branch to itself just behind a load of SS. QEMU translates the two ends of a
#   conditional branch, LOOP or REP one after the other, and writes the end of the shadow of MOV SS
#   into the first of them alone (gen_reset_hflag() in target/i386/tcg/translate.c; seen in 7.2). A
#   branch that takes the other end keeps interrupts away from the next instruction too. With LOOP
#   to itself this never ends: neither a timer nor an NMI gets through.
# - 0F 38 0C without the prefix 66, which is undefined. QEMU crashes when it translates it (7.2; its
#   commit ebd9ea2947d8 mends it).
# - BT, BTS, BTR and BTC of a register with LOCK, which are undefined too. QEMU aborts (7.2).
B=${1:-build}
strings=${2:-1000} seed=${3:-1}
[ $# -lt 3 ] && shift $# || shift 3
[ $# -gt 0 ] || set -- sim/p5/32 sim/skylake/64 qemu/pentium/32 qemu/max/64 \
	sim/core2/32/2 qemu/max/64/2
dir=$B/fuzz-code
batch=120 # a module holds 256 snippets
builtin=alu.add_latency
passed=0 failed=0
mkdir -p "$dir" || exit 1

# The first strings of every hundred, and what must become of them.
known='
	function know(bytes, what) { code[nknown] = bytes; outcome[nknown++] = what }
	BEGIN {
		nknown = 0
		know("144", "result")               # NOP
		know("15,11", "trap")               # UD2
		know("235,254", "timeout")          # JMP to itself
		know("250,235,254", "trap")         # CLI, then the same
		know("230,146", "trap")             # OUT 92h, AL: 1 in AL resets a PC
		know("191,0,0,16,0,171", "trap")    # a store to 1 MiB, where the kernel is
		know("191,0,0,16,0,172", "result")  # LODSB from the data area
		know("188,0,0,0,0,80", "trap")      # no stack, and a PUSH
		know("240,15,199,200", "trap")      # LOCK CMPXCHG8B EAX: the F00F bug
		know("205,2", "trap")               # INT 2, a gate of CPL 0
		know("129,196,255,127,0,0,91", "trap") # a POP across the end of the stack
	}'

# The pieces that purpose-made strings are put together from.
pieces='
	function add(list,   word, n, i) {
		n = split(list, word, " ")
		for (i = 1; i <= n; i++)
			part[nparts++] = word[i]
	}
	BEGIN {
		nparts = 0
		# POPF with TF, NT, AC and IOPL
		add("156,129,12,36,0,1,0,0,157 156,129,12,36,0,64,0,0,157")
		add("156,129,12,36,0,0,4,0,157 156,129,12,36,0,48,0,0,157")
		# STD, STI, CLI, HLT, MWAIT, IRET, RETF and their 64-bit forms
		add("253 251 250 244 15,1,201 207 203 72,207 72,203")
		# MOV SS from itself; MOV to SS, DS, ES, FS, GS; SWAPGS, WRGSBASE
		add("140,208,142,208 142,208 142,216 142,192 142,224 142,232")
		add("15,1,248 243,15,174,216")
		# selectors in EAX: of the kernel, of a TSS, of the user, of an LDT, none
		add("184,8,0,0,0 184,16,0,0,0 184,40,0,0,0 184,48,0,0,0 184,56,0,0,0")
		add("184,35,0,0,0 184,7,0,0,0 49,192 140,200")
		# far jumps, calls and returns to task state segments and to the code of the kernel
		add("234,0,0,0,0,40,0 234,0,0,0,0,56,0 154,0,0,0,0,48,0 255,44,36 255,28,36")
		add("104,40,0,0,0,104,0,0,0,0,203 106,8,104,0,0,16,0,203 106,56,106,0,72,203")
		# SGDT and SIDT, and a store into the table
		add("131,236,16,15,1,4,36,139,68,36,2,198,64,40,255")
		add("131,236,16,15,1,12,36,139,68,36,2,198,64,48,255")
		# LGDT, LIDT, LLDT, LTR, SLDT, STR, SMSW, LMSW, LAR, LSL
		add("15,1,20,36 15,1,28,36 15,0,208 15,0,216 15,0,192")
		add("15,0,200 15,1,224 15,1,240 15,2,192 15,3,192")
		# EDI: the kernel, VGA memory, local APIC, ends of 32 MiB and of 4 GiB, page 0
		add("191,0,0,16,0 191,0,0,11,0 191,0,0,224,254 191,0,0,254,1")
		add("191,240,255,255,255 49,255")
		# stores, jumps and stacks there; the next page; a count for REP
		add("171 243,171 243,170 255,231 137,252 80 195 129,199,0,16,0,0 185,0,0,1,0")
		add("106,0,137,224,137,4,36")
		# INT, INT3, INTO, ICEBP
		add("205,240 205,241 205,8 205,18 205,128 205,224 204 206 241")
		# SYSENTER, SYSCALL, SYSEXIT, SYSRET, VMCALL, VMMCALL
		add("15,52 15,5 15,53 15,7 15,1,193 15,1,217")
		# MOV to CR0, CR3, CR4, DR0, DR7; WRMSR, RDMSR, RDPMC; OUT, IN, INS, OUTS
		add("15,34,192 15,34,216 15,34,224 15,35,192 15,35,248")
		add("15,48 15,50 15,51 238 236 108 111")
		# INVD, WBINVD, CLTS, INVLPG, XSETBV, WRPKRU
		add("15,8 15,9 15,6 15,1,63 15,1,209 15,1,239")
		# the F00F bug, twice
		add("240,15,199,200 240,15,199,207")
		# x87 exceptions unmasked, a division by zero, MXCSR
		add("106,0,217,44,36 217,238,217,232,216,241,155 106,0,15,174,20,36")
		# LOOP and JMP to themselves, NOP, INC EAX or REX, DIV by itself
		add("226,254 235,254 144 64 247,240")
	}'

# N strings from number FROM on, as snippets. The generator is that of Park and Miller.
source_of() { # GROUND FROM N
	awk -v ground="$1" -v from="$2" -v n="$3" -v seed="$seed" -v own="${cpus:+own.}" \
		"$known$pieces"'
	function draw(below) {
		state = state * 16807 % 2147483647
		return int(state / 2147483647 * below)
	}
	function random(   k, s, len) {
		len = 1 + draw(16)
		for (k = 0; k < len; k++)
			s = s (k ? "," : "") draw(256)
		return s
	}
	function made(   k, s, len) {
		len = 1 + draw(6)
		for (k = 0; k < len; k++)
			s = s (k ? "," : "") part[draw(nparts)]
		return s
	}
	function mutated(   k, s, len, byte) {
		len = split(made(), byte, ",")
		for (k = 1; k <= len; k++)
			s = s (k > 1 ? "," : "") (draw(100) < 15 ? draw(256) : byte[k])
		return s
	}
	# Is there 0F 38 0C, LOCK BT of a register, or a conditional branch to itself at most 7
	# bytes behind MOV SS, POP SS or LSS? One copy of the string follows the other.
	function breaks_qemu(s,   byte, len, k, ss) {
		len = split(s "," s, byte, ",")
		for (k = 1; k < len; k++) {
			if (byte[k] == 23 || byte[k] == 15 && byte[k + 1] == 178 ||
			    byte[k] == 142 && int(byte[k + 1] / 8) % 8 == 2)
				ss = k
			if (ss && k - ss < 8 && byte[k + 1] == 254 &&
			    (byte[k] >= 224 && byte[k] <= 227 || byte[k] >= 112 && byte[k] <= 127))
				return 1
			if (byte[k] == 15 && byte[k + 1] == 56 && byte[k + 2] == 12)
				return 1
			if (byte[k] == 15 && byte[k + 2] >= 192 && s ~ /240/ &&
			    byte[k + 1] ~ /^(163|171|179|186|187)$/)
				return 1
		}
		return 0
	}
	function bytes(i,   s) {
		if (i % 100 < nknown)
			return code[i % 100]
		do
			s = i % 3 == 0 ? random() : i % 3 == 1 ? made() : mutated()
		while (ground == "qemu" && breaks_qemu(s))
		return s
	}
	function snippet(name, body) {
		printf "\tSNIPPET\t%s, \"fuzz\"\n\tINSNS\t1\n\tBODY\n\t%s\n\tEND\n",
			own name, body
	}
	BEGIN {
		print "#include \"bench/snippet.inc\""
		snippet("probe.start", "add %ecx, %eax")
		for (i = from; i < from + n; i++) {
			state = (seed * 1000003 + i) % 2147483646 + 1
			for (k = 0; k < 8; k++)
				draw(1)
			snippet("rnd." i, ".byte " bytes(i))
			snippet("probe." i, "add %ecx, %eax")
		}
	}'
}

# What a benchmark read: its result without the core clock and the length of a run. Those
# two follow from a calibration against the timer, and a calibration may come out a little different
# in a sound kernel. The rest are counts for each copy. The simulator retires the same instructions
# in the same cycles each time, and QEMU with -icount takes the same time for an instruction each
# time, so the rest is the same to the last digit unless the strings have changed something.
reading() { # LOG NAMES
	sed -n "s/^result bench=$2 //; t found; d; :found
		s/ #.*//; s/ core[^ ]*//g; s/ loop=[^ ]*//; p" "$1"
}

# Every string has one of the three outcomes, and the last record says that it is the last.
outcomes() { # LOG FROM N
	awk -v from="$2" -v n="$3" "$known"'
	function name(key,   i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=rnd.") == 1)
				return substr($i, length(key) + 6)
		return ""
	}
	{ i = "" }
	$1 == "result" { i = name("bench"); seen[i] = 1 } # one or more for each group of counters
	$1 == "timeout" { i = name("bench"); seen[i]++ }
	$1 == "trap" { i = name("snippet"); seen[i]++ }
	i != "" { became[i] = $1 }
	$1 == "done" { done = 1 }
	END {
		if (!done)
			print "no done record"
		for (i = from; i < from + n; i++)
			if (seen[i] != 1) {
				print "rnd." i ": " seen[i] + 0 " outcomes"
				exit
			} else if (i % 100 < nknown && became[i] != outcome[i % 100]) {
				printf "rnd.%d (%s): %s, not %s\n", i, code[i % 100], became[i],
					outcome[i % 100]
				exit
			}
	}' "$1"
}

# On the second of two CPUs a string that does not measure has an `error` with its name. The record
# before it tells why; the CPU is always there again for the probe that follows.
outcomes_threads() { # LOG FROM N
	awk -v from="$2" -v n="$3" "$known"'
	function value(key,   i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1)
				return substr($i, length(key) + 2)
		return ""
	}
	function number(name) {
		return name ~ /^own[.]rnd[.]/ ? substr(name, 9) : ""
	}
	$1 == "cpu_fault" { fault = value("end") }
	$1 == "cpu_fault" && value("state") != "ready" { print "a CPU was lost: " $0 }
	$1 == "trap" && value("name") == "escape" { fault = "trap" }
	$1 == "threads" && value("run") == "together" {
		i = number(value("with"))
		if (i != "")
			became[i] = "result"
		probes += value("with") ~ /^own[.]probe[.]/
		last = value("with") == ""
	}
	$1 == "error" {
		i = number(value("culprit"))
		if (i != "")
			became[i] = fault ? fault : "slow"
		fault = ""
	}
	$1 == "done" { done = 1 }
	END {
		if (!done)
			print "no done record"
		if (!last)
			print "the built-in benchmark did not run on all CPUs behind them"
		if (probes != n + 1)
			print probes + 0 " probes, not " n + 1
		for (i = from; i < from + n; i++)
			if (became[i] == "" || i % 100 < nknown && became[i] != outcome[i % 100]) {
				printf "own.rnd.%d: became \"%s\"\n", i, became[i]
				exit
			}
	}' "$1"
}

judge_threads() { # LOG FROM N
	"$B/cpl0-log" check "$1" >"$1.check" 2>&1
	[ $? -le 1 ] || { echo "cpl0-log check: $(head -n 1 "$1.check")"; return; }
	outcomes_threads "$1" "$2" "$3"
	case $where in
	sim/*)
		n=$(sed -n 's/ #.*//; s/ copies=.*exact/ exact/
			/^thread bench=own.probe.* cpu=1 run=alone/{ s/bench=[^ ]*//; p; }' "$1" |
			sort -u | wc -l)
		[ "$n" -eq 1 ] || echo "the probes on CPU 1 read $n different things"
		;;
	esac
}

judge() { # LOG FROM N ALONE
	"$B/cpl0-log" check "$1" >"$1.check" 2>&1
	[ $? -le 1 ] || { echo "cpl0-log check: $(head -n 1 "$1.check")"; return; }
	outcomes "$1" "$2" "$3"
	probes=$(reading "$1" 'probe[.][^ ]*' | sort | uniq -c | sed 's/^ *//')
	[ "${probes%% *}" = $(($3 + 1)) ] ||
		echo "not $(($3 + 1)) probes that read the same: $(echo "$probes" | head -n 2)"
	after=$(reading "$1" "$builtin")
	[ "$after" = "$4" ] || echo "$builtin reads '$after' after them, not '$4'"
}

# Two CPUs of QEMU share a processor with others, so a run may take longer there.
boot_threads() {
	set -- bench="${module:+$builtin+own.*,}$builtin" threads=all unroll=1 loop=1 \
		events=instructions console=com1 exit=debug
	if [ "$ground" = sim ]; then
		timeout 600 "$B/cpl0-sim" --cpu "$model" --smp "$smp" --mem 32 --log "$log" \
			$module \
			"$B/$bits/cpl0.elf" "$@" timeout=1
	else
		./run-qemu.sh --build "$B" --direct --bits "$bits" --cpu "$model" --accel tcg \
			--smp "$smp" --mem 128 --timeout 900 --quiet --log "$log" $module -- \
			"$@" timeout=50
	fi >"$log.out" 2>&1
}

# Without a module only the built-in benchmark runs.
boot() { # WHERE LOG [MODULE]
	local ground model bits smp
	IFS=/ read -r ground model bits smp <<-END
		$1
	END
	log=$2 module=${3:+--module $3.$bits.elf}
	if [ -n "$smp" ]; then
		boot_threads
		return
	fi
	set -- bench="${3:+rnd.*,probe.*,}$builtin" runs=1 warmup=3 timeout=1 \
		console=com1 exit=debug
	if [ "$ground" = sim ]; then
		timeout 300 "$B/cpl0-sim" --cpu "$model" --mem 32 --log "$log" $module \
			"$B/$bits/cpl0.elf" "$@"
	else
		./run-qemu.sh --build "$B" --direct --bits "$bits" --cpu "$model" --accel tcg \
			--icount --timeout 300 --quiet --log "$log" $module -- "$@"
	fi >"$log.out" 2>&1
}

module() { # FILE GROUND FROM N
	source_of "$2" "$3" "$4" >"$1.S"
	make -s "B=$B" snippet FILE="$1.S" >/dev/null && mv "$B/snippets/${1##*/}".*.elf "$dir"
}

# All strings on one machine; prints what went wrong.
fuzz() { # WHERE
	where=$1
	case $where in
	*/*/*/*) cpus=${where##*/} strings=$(((strings + 9) / 10)) ;;
	*) cpus= ;;
	esac
	place=$dir/$(echo "$1" | tr / -)
	[ -n "$cpus" ] || boot "$1" "$place-alone.log"
	alone=${cpus:-$(reading "$place-alone.log" "$builtin")}
	[ -n "$alone" ] || { echo "$builtin has no result ($place-alone.log)"; return; }
	from=0
	while [ "$from" -lt "$strings" ]; do
		n=$((strings - from < batch ? strings - from : batch))
		file=$dir/${1%%/*}-${cpus:+own-}$seed-$from-$n
		log=$place-$seed-$from.log
		module "$file" "${1%%/*}" "$from" "$n" || { echo "$file: not built"; return; }
		boot "$1" "$log" "$file"
		why=$(judge${cpus:+_threads} "$log" "$from" "$n" "$alone")
		[ -z "$why" ] || echo "strings $from to $((from + n - 1)), seed $seed: $why ($log)"
		from=$((from + n))
	done
}

sum_up() { # WHERE...
	for where; do
		n=$strings
		case $where in */*/*/*) n=$(((strings + 9) / 10)) ;; esac
		out=$dir/$(echo "$where" | tr / -).txt
		if [ -s "$out" ]; then
			failed=$((failed + 1))
			sed "s|^|FAIL $where |" "$out"
		else
			passed=$((passed + 1))
			echo "pass $where: $n strings"
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
