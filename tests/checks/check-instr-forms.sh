#!/bin/sh
# The generator of the instruction table refuses a row that is wrong: it names file, line and
# reason, and ends with an error. It accepts the file without that row.
#
#	tests/checks/check-instr-forms.sh GENERATOR
set -eu
gen=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
forms=bench/instr/forms
failed=0

# refuse FILE ROW REASON: FILE of forms/ with ROW behind its end
refuse() {
	cp "$forms/$1" "$dir/$1"
	"$gen" "$dir/$1" >"$dir/tables.c" 2>"$dir/message" || {
		echo "$1 is refused as it is: $(cat "$dir/message")"
		failed=1
	}
	printf '%s\n' "$2" >>"$dir/$1"
	line=$(wc -l <"$dir/$1")
	if "$gen" "$dir/$1" >"$dir/tables.c" 2>"$dir/message"; then
		echo "accepted: $2"
		failed=1
	elif ! grep -qxF "$dir/$1:$line: $3" "$dir/message"; then
		echo "$2"
		echo "	says  $(cat "$dir/message")"
		echo "	wants $dir/$1:$line: $3"
		failed=1
	fi
}

refuse general.csv 'ADD,"r32,r/m33",RM,03 /r,,rw,first,,' 'unknown operand "r/m33"'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,ssse5,rw,first,,' 'unknown feature "ssse5"'
refuse general.csv 'ADD,"r32,r/m32",RM,0G /r,,rw,first,,' 'cannot read "0G" of the encoding'
refuse general.csv 'ADD,"r32,r/m32",RM,/r,,rw,first,,' 'no opcode'
refuse general.csv 'ADD,"r32,r/m32",RI,03 /r,,rw,first,,' \
	"operand \"r/m32\" cannot be at 'I'"
refuse general.csv 'ADD,"r32,r/m32,imm8",RMI,03 /r,,rw,first,,' \
	'the immediates of operands and encoding differ'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,,rw,source,,' \
	'chain "source": no source can be the register that is written'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,,w,first,,' \
	'chain "first": the first operand is not both read and written'
refuse general.csv 'ADD,"r32,r32",MR,03 /r,,rw,address,,' \
	'chain "address": this is no load into a register'
refuse general.csv 'CMP,"r32,r32",MR,03 /r,,r,first,,' 'a chain, but nothing is written'
refuse general.csv 'LOCK ADD,"m32,r32",MR,01 /r,,rw,first,,' \
	'LOCK in the mnemonic and F0 in the encoding go together'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,,rw,first,,fast' 'unknown flag "fast"'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,,rw,first,f16,' 'unknown data "f16"'
refuse general.csv 'ADD,"r32,r/m32",RM,03 /r,,rw' '6 cells for 9 columns'
refuse general.csv 'ADD,"r32,r/m32,RM,03 /r,,rw,first,,' 'a quote does not end'
refuse mmx_sse.csv 'PADDB,"v,v,v/m",RVM,66 0F FC /r,mmx/sse2,w,source,,' \
	'a vector row names the features of each encoding, or -'
refuse sequences.csv 'NOP,,tp,,1,,9' '"9" is no byte of two hex digits'
refuse sequences.csv 'NOP,,tp,,1,,' 'no code'
refuse sequences.csv 'NOP,,tp,,one,,90' 'instructions "one" is no number from 0 to 7'
refuse sequences.csv 'RDPMC,,tp,,2,,31 C9 0F 33' \
	'an instruction leaves a guest: the flag "exits" is missing'
refuse sequences.csv 'FADD,fpu,lat,x87 64 3 1,1,,D8 C1' 'unknown constant "3"'
refuse divisions.csv 'DIV,32,65,31,0,ones' 'dividend "65" is no number from 0 to 64'
refuse lea.csv '[r + r * 3],3,' 'unknown scale "3"'

[ "$failed" = 0 ] || exit 1
echo "instr-forms: ok"
