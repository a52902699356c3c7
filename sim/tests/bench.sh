#!/bin/sh
# sim/tests/bench.sh SIM GUESTS - start-up time and guest MIPS; asked for: 25 ms, and 10 MIPS on a
# loop of loads and ALU operations.
sim=$1 guests=$2

# Milliseconds of one run.
took() {
	begin=$(date +%s%N)
	"$sim" "$@" >/dev/null 2>&1
	end=$(date +%s%N)
	echo $(((end - begin) / 1000000))
}

start=$(took --cpu skylake "$guests/probe.elf")
echo "start-up and a small guest: $start ms"
for model in none skylake p4 p5 zen4; do
	ms=$(took --cpu $model "$guests/loop.elf")
	# loop executes 20 million instructions
	ms=$((ms - start > 0 ? ms - start : 1))
	echo "$model: loop of loads and ALU operations: $((20000 / ms)) MIPS"
done
