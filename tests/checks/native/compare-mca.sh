#!/bin/sh
# The same instructions measured by cpl0-native and modelled by llvm-mca, in core clocks an
# instruction: a table in Markdown for docs/design/native-models.md.
#
#	tests/checks/native/compare-mca.sh [BUILD [MCPU]]
#
# Each row is assembled once: its bytes go to cpl0-native as code=, its text to llvm-mca. `latency`
# rows depend on themselves, `throughput` rows are independent of each other.
set -u
native=${1:-build}/cpl0-native
cpu=${2:-znver3}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
command -v llvm-mca >/dev/null || { echo "skipped: no llvm-mca here"; exit 0; }

# Ones and zeros to calculate with, so that nothing overflows or becomes denormal.
init='mov $1, %eax; mov $1, %ecx; xor %edx, %edx; mov %rsi, (%rsi); vzeroall; cvtsi2sd %eax, %xmm0;
	movddup %xmm0, %xmm0; movaps %xmm0, %xmm2; fninit; fld1; fld1'

rows='
latency    | add %ecx, %eax
latency    | adc %ecx, %eax
latency    | cmovc %ecx, %eax
latency    | lea 4(%rax), %rax
latency    | lea 4(%rax,%rcx,2), %rax
latency    | shl $1, %eax
latency    | shl %cl, %eax
latency    | rol $1, %eax
latency    | bswap %eax
latency    | popcnt %eax, %eax
latency    | lzcnt %eax, %eax
latency    | imul %ecx, %eax
latency    | imul %rcx, %rax
latency    | mov (%rsi), %rsi
latency    | fadd %st(1), %st
latency    | fmul %st(1), %st
latency    | addsd %xmm1, %xmm2
latency    | mulsd %xmm0, %xmm2
latency    | vfmadd213sd %xmm1, %xmm0, %xmm2
latency    | divsd %xmm0, %xmm2
latency    | sqrtsd %xmm2, %xmm2
latency    | andps %xmm0, %xmm2
latency    | paddd %xmm0, %xmm2
latency    | pmulld %xmm0, %xmm2
latency    | pshufb %xmm0, %xmm2
latency    | aesenc %xmm0, %xmm2
throughput | nop; nop; nop; nop; nop; nop; nop; nop
throughput | add $1, %eax; add $1, %edx; add $1, %ebx; add $1, %ebp; add $1, %r8d; add $1, %r9d; \
	add $1, %r10d; add $1, %r11d; add $1, %r12d; add $1, %r13d; add $1, %r14d; add $1, %r15d
throughput | lea 4(%rsi), %eax; lea 4(%rsi), %edx; lea 4(%rsi), %ebx; lea 4(%rsi), %ebp; \
	lea 4(%rsi), %r8d; lea 4(%rsi), %r9d
throughput | shl $1, %eax; shl $1, %edx; shl $1, %ebx; shl $1, %ebp; shl $1, %r8d; shl $1, %r9d
throughput | imul $3, %ecx, %eax; imul $3, %ecx, %edx; imul $3, %ecx, %ebx; imul $3, %ecx, %ebp; \
	imul $3, %ecx, %r8d; imul $3, %ecx, %r9d
throughput | popcnt %ecx, %eax; popcnt %ecx, %edx; popcnt %ecx, %ebx; popcnt %ecx, %ebp; \
	popcnt %ecx, %r8d; popcnt %ecx, %r9d
throughput | mov (%rsi), %eax; mov 8(%rsi), %edx; mov 16(%rsi), %ebx; mov 24(%rsi), %ebp; \
	mov 32(%rsi), %r8d; mov 40(%rsi), %r9d
throughput | mov %eax, (%rdi); mov %eax, 8(%rdi); mov %eax, 16(%rdi); mov %eax, 24(%rdi)
throughput | vaddsd %xmm1, %xmm0, %xmm4; vaddsd %xmm1, %xmm0, %xmm5; vaddsd %xmm1, %xmm0, %xmm6; \
	vaddsd %xmm1, %xmm0, %xmm7; vaddsd %xmm1, %xmm0, %xmm8; vaddsd %xmm1, %xmm0, %xmm9; \
	vaddsd %xmm1, %xmm0, %xmm10; vaddsd %xmm1, %xmm0, %xmm11
throughput | vmulsd %xmm1, %xmm0, %xmm4; vmulsd %xmm1, %xmm0, %xmm5; vmulsd %xmm1, %xmm0, %xmm6; \
	vmulsd %xmm1, %xmm0, %xmm7; vmulsd %xmm1, %xmm0, %xmm8; vmulsd %xmm1, %xmm0, %xmm9; \
	vmulsd %xmm1, %xmm0, %xmm10; vmulsd %xmm1, %xmm0, %xmm11
throughput | vfmadd213pd %ymm0, %ymm0, %ymm4; vfmadd213pd %ymm0, %ymm0, %ymm5; \
	vfmadd213pd %ymm0, %ymm0, %ymm6; vfmadd213pd %ymm0, %ymm0, %ymm7; \
	vfmadd213pd %ymm0, %ymm0, %ymm8; vfmadd213pd %ymm0, %ymm0, %ymm9; \
	vfmadd213pd %ymm0, %ymm0, %ymm10; vfmadd213pd %ymm0, %ymm0, %ymm11; \
	vfmadd213pd %ymm0, %ymm0, %ymm12; vfmadd213pd %ymm0, %ymm0, %ymm13; \
	vfmadd213pd %ymm0, %ymm0, %ymm14; vfmadd213pd %ymm0, %ymm0, %ymm15
throughput | vpaddd %xmm0, %xmm0, %xmm4; vpaddd %xmm0, %xmm0, %xmm5; vpaddd %xmm0, %xmm0, %xmm6; \
	vpaddd %xmm0, %xmm0, %xmm7; vpaddd %xmm0, %xmm0, %xmm8; vpaddd %xmm0, %xmm0, %xmm9; \
	vpaddd %xmm0, %xmm0, %xmm10; vpaddd %xmm0, %xmm0, %xmm11
throughput | vpshufb %xmm0, %xmm0, %xmm4; vpshufb %xmm0, %xmm0, %xmm5; \
	vpshufb %xmm0, %xmm0, %xmm6; vpshufb %xmm0, %xmm0, %xmm7; vpshufb %xmm0, %xmm0, %xmm8; \
	vpshufb %xmm0, %xmm0, %xmm9; vpshufb %xmm0, %xmm0, %xmm10; vpshufb %xmm0, %xmm0, %xmm11
'

# Assembly text to hex digits.
hex() {
	printf '%s\n' "$1" | as --64 -o "$work/o" - &&
		objcopy -O binary -j .text "$work/o" "$work/bin" &&
		od -An -v -tx1 "$work/bin" | tr -d ' \n'
}

# Core clocks of a run of the code: the median of three.
measured() {
	for i in 1 2 3; do
		"$native" bench=code "code=$1" "init=$2" |
			sed -n 's/^result .* core=\([0-9.]*\) .*/\1/p'
	done | sort -n | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "none" }'
}

# ... and of a round in the model's steady state.
modelled() {
	for n in 1000 2000; do
		printf '%s\n' "$1" | llvm-mca -mtriple=x86_64 -mcpu="$cpu" -iterations=$n \
			-instruction-info=0 -resource-pressure=0 - |
			awk '/^Total Cycles/ { print $3 }'
	done | awk '{ v[NR] = $1 } END { print (v[2] - v[1]) / 1000 }'
}

init=$(hex "$(printf '%s' "$init" | tr '\n' ' ')") || exit 1
echo "| instruction | kind | measured | llvm-mca $cpu | |"
echo '|---|---|---:|---:|---|'
# Without -r, read joins a row that goes on behind a backslash.
printf '%s' "$rows" | while IFS='|' read kind text; do
	[ -n "$kind" ] || continue
	code=$(hex "$text") || exit 1
	count=$(printf '%s' "$text" | awk -F';' '{ print NF }')
	first=$(printf '%s' "${text%%;*}" | sed 's/^ *//')
	awk -v kind="${kind%% *}" -v first="$first" -v n="$count" \
		-v m="$(measured "$code" "$init")" \
		-v t="$(modelled "$text")" 'BEGIN {
		m = m == "none" ? m : m / n
		t /= n
		same = m != "none" && (m > t ? m - t : t - m) <= 0.03 * t
		printf "| `%s` | %s | %s | %.2f | %s |\n", first, kind,
			m == "none" ? m : sprintf("%.2f", m), t,
			same ? "" : m < t ? "faster" : "slower"
	}'
done
