/*
 * p5-forms.S - the instruction forms of p5-measured.csv and p5-sequences.csv, as the code that
 * test_p5.c feeds to the model. None of it is ever executed.
 *
 * FORM name, modes    a name of a row; modes are words that test_p5.c knows
 * CHAIN n             n dependent copies follow: their clocks / n is the latency
 * COPIES n            n independent copies follow, over several registers
 * BOTH n              the form leaves no choice: one piece of code for both
 * SEQUENCE name       a row of p5-sequences.csv
 *
 * InstLatX64 publishes results, not its code: which registers a form used is our reading of its
 * name. The block is repeated until the clocks are steady, as a loop unrolled without end.
 */
	.code32
	.intel_syntax noprefix

	.section .note.GNU-stack, "", @progbits
	.section .data.rel.ro.p5_records, "aw", @progbits
	.globl p5_forms
	.balign 8
p5_forms:
	.section .rodata.p5_names, "a", @progbits
	.section .rodata.p5_code, "a", @progbits

/* struct p5_form of test_p5.c */
.macro RECORD kind, count
	.pushsection .data.rel.ro.p5_records
	.quad 770b
	.quad 771b
	.quad 772f
	.long \kind, \count
	.popsection
772:
.endm
.macro FORM name, modes
	.pushsection .rodata.p5_names
770:	.asciz "\name"
771:	.asciz "\modes"
	.popsection
.endm
.macro CHAIN n
	RECORD 0, \n
.endm
.macro COPIES n
	RECORD 1, \n
.endm
/* the same code serves for both */
.macro BOTH n
	RECORD 2, \n
.endm
.macro SEQUENCE name
	FORM "\name", ""
	RECORD 3, 1
.endm

/* prefixes */
	FORM "NOP", ""; COPIES 2; nop; nop
	FORM "0x66 NOP", ""; COPIES 1; .byte 0x66, 0x90
	FORM "2x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x90
	FORM "3x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x66, 0x90
	FORM "4x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "5x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "6x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "7x 0x66 NOP", ""; COPIES 1; .byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "8x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "9x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "10x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "11x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "12x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "13x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
	FORM "14x 0x66 NOP", ""; COPIES 1
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66
		.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90
/* moves */
	FORM "MOV r8, imm8", ""; CHAIN 1; mov al, 0x11; COPIES 4; mov al, 0x11; mov cl, 0x11
		mov dl, 0x11; mov bl, 0x11
	FORM "MOV r16, imm16", ""; CHAIN 1; mov ax, 0x1111; COPIES 6; mov ax, 0x1111
		mov cx, 0x1111; mov dx, 0x1111; mov bx, 0x1111; mov bp, 0x1111; mov di, 0x1111
	FORM "MOV r32, imm32", ""; CHAIN 1; mov eax, 0x11111111; COPIES 6; mov eax, 0x11111111
		mov ecx, 0x11111111; mov edx, 0x11111111; mov ebx, 0x11111111
		mov ebp, 0x11111111; mov edi, 0x11111111
	FORM "MOV r8, r8", ""; CHAIN 2; mov al, cl; mov cl, al; COPIES 3; mov al, bl; mov cl, bl
		mov dl, bl
	FORM "MOV r16, r16", ""; CHAIN 2; mov ax, cx; mov cx, ax; COPIES 6; mov ax, si
		mov cx, si; mov dx, si; mov bx, si; mov bp, si; mov di, si
	FORM "MOV r32, r32", ""; CHAIN 2; mov eax, ecx; mov ecx, eax; COPIES 6; mov eax, esi
		mov ecx, esi; mov edx, esi; mov ebx, esi; mov ebp, esi; mov edi, esi
	FORM "MOV r8, [m8]", ""; CHAIN 1; mov al, byte ptr [eax]; COPIES 4
		mov al, byte ptr [esi + 0]; mov cl, byte ptr [esi + 4]
		mov dl, byte ptr [esi + 8]; mov bl, byte ptr [esi + 12]
	FORM "MOV r16, [m16]", ""; CHAIN 1; mov ax, word ptr [eax]; COPIES 4
		mov ax, word ptr [esi + 0]; mov cx, word ptr [esi + 4]
		mov dx, word ptr [esi + 8]; mov bx, word ptr [esi + 12]
	FORM "MOV r32, [m32]", ""; CHAIN 1; mov eax, dword ptr [eax]; COPIES 4
		mov eax, dword ptr [esi + 0]; mov ecx, dword ptr [esi + 4]
		mov edx, dword ptr [esi + 8]; mov ebx, dword ptr [esi + 12]
	FORM "MOV [m8], r8", "store-miss"; COPIES 4; mov byte ptr [esi + 0], al
		mov byte ptr [esi + 4], cl; mov byte ptr [esi + 8], dl
		mov byte ptr [esi + 12], bl
	FORM "MOV [m16], r16", "store-miss"; COPIES 4; mov word ptr [esi + 0], ax
		mov word ptr [esi + 4], cx; mov word ptr [esi + 8], dx
		mov word ptr [esi + 12], bx
	FORM "MOV [m32], r32", "store-miss"; COPIES 4; mov dword ptr [esi + 0], eax
		mov dword ptr [esi + 4], ecx; mov dword ptr [esi + 8], edx
		mov dword ptr [esi + 12], ebx
	FORM "MOV [m32 + 8], r32", "store-miss"; COPIES 4; mov dword ptr [esi + 8], eax
		mov dword ptr [esi + 12], ecx; mov dword ptr [esi + 16], edx
		mov dword ptr [esi + 20], ebx
	FORM "MOV r8,[m8]+MOV [m8],r8", ""; CHAIN 1; mov al, byte ptr [esi]
		mov byte ptr [esi], al; COPIES 4; mov al, byte ptr [esi + 0]
		mov byte ptr [esi + 0], al; mov cl, byte ptr [esi + 4]
		mov byte ptr [esi + 4], cl; mov dl, byte ptr [esi + 8]
		mov byte ptr [esi + 8], dl; mov bl, byte ptr [esi + 12]
		mov byte ptr [esi + 12], bl
	FORM "MOV r16,[m16]+MOV [m16],r16", ""; CHAIN 1; mov ax, word ptr [esi]
		mov word ptr [esi], ax; COPIES 4; mov ax, word ptr [esi + 0]
		mov word ptr [esi + 0], ax; mov cx, word ptr [esi + 4]
		mov word ptr [esi + 4], cx; mov dx, word ptr [esi + 8]
		mov word ptr [esi + 8], dx; mov bx, word ptr [esi + 12]
		mov word ptr [esi + 12], bx
	FORM "MOV r32,[m32]+MOV [m32],r32", ""; CHAIN 1; mov eax, dword ptr [eax]
		mov dword ptr [eax], eax; COPIES 4; mov eax, dword ptr [esi + 0]
		mov dword ptr [esi + 0], eax; mov ecx, dword ptr [esi + 4]
		mov dword ptr [esi + 4], ecx; mov edx, dword ptr [esi + 8]
		mov dword ptr [esi + 8], edx; mov ebx, dword ptr [esi + 12]
		mov dword ptr [esi + 12], ebx
	FORM "MOVSX r16, r8", ""; CHAIN 1; movsx ax, al; COPIES 4; movsx ax, bl; movsx cx, bl
		movsx dx, bl; movsx bp, bl
	FORM "MOVSX r32, r8", ""; CHAIN 1; movsx eax, al; COPIES 4; movsx eax, bl; movsx ecx, bl
		movsx edx, bl; movsx ebp, bl
	FORM "MOVSX r32, r16", ""; CHAIN 1; movsx eax, ax; COPIES 4; movsx eax, si
		movsx ecx, si; movsx edx, si; movsx ebp, si
	FORM "MOVZX r16, r8", ""; CHAIN 1; movzx ax, al; COPIES 4; movzx ax, bl; movzx cx, bl
		movzx dx, bl; movzx bp, bl
	FORM "MOVZX r32, r8", ""; CHAIN 1; movzx eax, al; COPIES 4; movzx eax, bl; movzx ecx, bl
		movzx edx, bl; movzx ebp, bl
	FORM "MOVZX r32, r16", ""; CHAIN 1; movzx eax, ax; COPIES 4; movzx eax, si
		movzx ecx, si; movzx edx, si; movzx ebp, si
	FORM "XCHG r8, r8", ""; CHAIN 1; xchg cl, dl; COPIES 2; xchg cl, dl; xchg bl, ch
	FORM "XCHG r16, r16", ""; CHAIN 1; xchg cx, dx; COPIES 2; xchg cx, dx; xchg bx, bp
	FORM "XCHG r32, r32", ""; CHAIN 1; xchg ecx, edx; COPIES 2; xchg ecx, edx; xchg ebx, ebp
	FORM "XCHG r1_8, r2_8", ""; CHAIN 1; xchg cl, dl; COPIES 2; xchg cl, dl; xchg bl, ch
	FORM "XCHG r1_16, r2_16", ""; CHAIN 1; xchg cx, dx; COPIES 2; xchg cx, dx; xchg bx, bp
	FORM "XCHG r1_32, r2_32", ""; CHAIN 1; xchg ecx, edx; COPIES 2; xchg ecx, edx
		xchg ebx, ebp
	FORM "XCHG r8, [m8]", ""; CHAIN 1; xchg al, byte ptr [esi]; COPIES 2
		xchg al, byte ptr [esi]; xchg cl, byte ptr [esi + 4]
	FORM "XCHG r16, [m16]", ""; CHAIN 1; xchg ax, word ptr [esi]; COPIES 2
		xchg ax, word ptr [esi]; xchg cx, word ptr [esi + 4]
	FORM "XCHG r32, [m32]", ""; CHAIN 1; xchg eax, dword ptr [esi]; COPIES 2
		xchg eax, dword ptr [esi]; xchg ecx, dword ptr [esi + 4]
/* add */
	FORM "ADD r32, 0x04000", ""; CHAIN 1; add ecx, 0x04000; COPIES 4; add ecx, 0x04000
		add edx, 0x04000; add ebx, 0x04000; add ebp, 0x04000
	FORM "ADD r32, 0x08000", ""; CHAIN 1; add ecx, 0x08000; COPIES 4; add ecx, 0x08000
		add edx, 0x08000; add ebx, 0x08000; add ebp, 0x08000
	FORM "ADD r32, 0x10000", ""; CHAIN 1; add ecx, 0x10000; COPIES 4; add ecx, 0x10000
		add edx, 0x10000; add ebx, 0x10000; add ebp, 0x10000
	FORM "ADD r32, 0x20000", ""; CHAIN 1; add ecx, 0x20000; COPIES 4; add ecx, 0x20000
		add edx, 0x20000; add ebx, 0x20000; add ebp, 0x20000
	FORM "ADD r8, r8", ""; CHAIN 1; add al, cl; COPIES 3; add al, bl; add cl, bl; add dl, bl
	FORM "ADD r16, r16", ""; CHAIN 1; add ax, cx; COPIES 6; add ax, si; add cx, si
		add dx, si; add bx, si; add bp, si; add di, si
	FORM "ADD r32, r32", ""; CHAIN 1; add eax, ecx; COPIES 6; add eax, esi; add ecx, esi
		add edx, esi; add ebx, esi; add ebp, esi; add edi, esi
	FORM "ADD r8, [m8]", ""; CHAIN 1; add al, byte ptr [eax]; COPIES 4
		add al, byte ptr [esi + 0]; add cl, byte ptr [esi + 4]
		add dl, byte ptr [esi + 8]; add bl, byte ptr [esi + 12]
	FORM "ADD r16, [m16]", ""; CHAIN 1; add ax, word ptr [eax]; COPIES 4
		add ax, word ptr [esi + 0]; add cx, word ptr [esi + 4]
		add dx, word ptr [esi + 8]; add bx, word ptr [esi + 12]
	FORM "ADD r32, [m32]", ""; CHAIN 1; add eax, dword ptr [eax]; COPIES 4
		add eax, dword ptr [esi + 0]; add ecx, dword ptr [esi + 4]
		add edx, dword ptr [esi + 8]; add ebx, dword ptr [esi + 12]
	FORM "ADD [m8], r8", ""; CHAIN 1; add byte ptr [esi], al; COPIES 4
		add byte ptr [esi + 0], al; add byte ptr [esi + 4], cl
		add byte ptr [esi + 8], dl; add byte ptr [esi + 12], bl
	FORM "ADD [m16], r16", ""; CHAIN 1; add word ptr [esi], ax; COPIES 4
		add word ptr [esi + 0], ax; add word ptr [esi + 4], cx
		add word ptr [esi + 8], dx; add word ptr [esi + 12], bx
	FORM "ADD [m32], r32", ""; CHAIN 1; add dword ptr [esi], eax; COPIES 4
		add dword ptr [esi + 0], eax; add dword ptr [esi + 4], ecx
		add dword ptr [esi + 8], edx; add dword ptr [esi + 12], ebx
	FORM "ADD [m32 + 8], r32", ""; CHAIN 1; add dword ptr [esi + 8], eax; COPIES 4
		add dword ptr [esi + 8], eax; add dword ptr [esi + 12], ecx
		add dword ptr [esi + 16], edx; add dword ptr [esi + 20], ebx
	FORM "LOCK ADD [m8], r8", ""; CHAIN 1; lock add byte ptr [esi], al; COPIES 4
		lock add byte ptr [esi + 0], al; lock add byte ptr [esi + 4], cl
		lock add byte ptr [esi + 8], dl; lock add byte ptr [esi + 12], bl
	FORM "LOCK ADD [m16], r16", ""; CHAIN 1; lock add word ptr [esi], ax; COPIES 4
		lock add word ptr [esi + 0], ax; lock add word ptr [esi + 4], cx
		lock add word ptr [esi + 8], dx; lock add word ptr [esi + 12], bx
	FORM "LOCK ADD [m32], r32", ""; CHAIN 1; lock add dword ptr [esi], eax; COPIES 4
		lock add dword ptr [esi + 0], eax; lock add dword ptr [esi + 4], ecx
		lock add dword ptr [esi + 8], edx; lock add dword ptr [esi + 12], ebx
	FORM "LOCK ADD [m32 + 8], r32", ""; CHAIN 1; lock add dword ptr [esi + 8], eax; COPIES 4
		lock add dword ptr [esi + 8], eax; lock add dword ptr [esi + 12], ecx
		lock add dword ptr [esi + 16], edx; lock add dword ptr [esi + 20], ebx
	FORM "ADD r8, imm8", ""; CHAIN 1; add cl, 0x11; COPIES 2; add cl, 0x11; add dl, 0x11
	FORM "ADD r16, imm8", ""; CHAIN 1; add cx, 0x11; COPIES 4; add cx, 0x11; add dx, 0x11
		add bx, 0x11; add bp, 0x11
	FORM "ADD r32, imm8", ""; CHAIN 1; add ecx, 0x11; COPIES 4; add ecx, 0x11; add edx, 0x11
		add ebx, 0x11; add ebp, 0x11
	FORM "ADD r16, imm16", ""; CHAIN 1; add cx, 0x1111; COPIES 4; add cx, 0x1111
		add dx, 0x1111; add bx, 0x1111; add bp, 0x1111
	FORM "ADD r32, imm32", ""; CHAIN 1; add ecx, 0x11111111; COPIES 4; add ecx, 0x11111111
		add edx, 0x11111111; add ebx, 0x11111111; add ebp, 0x11111111
	FORM "ADD [m8],  imm8", ""; CHAIN 1; add byte ptr [esi], 0x11; COPIES 4
		add byte ptr [esi + 4], 0x11; add byte ptr [esi + 8], 0x11
		add byte ptr [esi + 12], 0x11; add byte ptr [esi + 16], 0x11
	FORM "ADD [m16], imm8", ""; CHAIN 1; add word ptr [esi], 0x11; COPIES 4
		add word ptr [esi + 4], 0x11; add word ptr [esi + 8], 0x11
		add word ptr [esi + 12], 0x11; add word ptr [esi + 16], 0x11
	FORM "ADD [m32], imm8", ""; CHAIN 1; add dword ptr [esi], 0x11; COPIES 4
		add dword ptr [esi + 4], 0x11; add dword ptr [esi + 8], 0x11
		add dword ptr [esi + 12], 0x11; add dword ptr [esi + 16], 0x11
	FORM "ADD [m16], imm16", ""; CHAIN 1; add word ptr [esi], 0x1111; COPIES 4
		add word ptr [esi + 4], 0x1111; add word ptr [esi + 8], 0x1111
		add word ptr [esi + 12], 0x1111; add word ptr [esi + 16], 0x1111
	FORM "ADD [m32], imm32", ""; CHAIN 1; add dword ptr [esi], 0x11111111; COPIES 4
		add dword ptr [esi + 4], 0x11111111; add dword ptr [esi + 8], 0x11111111
		add dword ptr [esi + 12], 0x11111111; add dword ptr [esi + 16], 0x11111111
	FORM "ADD al, imm8", ""; CHAIN 1; add al, 0x11; COPIES 1; add al, 0x11
	FORM "ADD ax, imm16", ""; CHAIN 1; add ax, 0x1111; COPIES 1; add ax, 0x1111
	FORM "ADD eax, imm32", ""; CHAIN 1; add eax, 0x11111111; COPIES 1; add eax, 0x11111111
/* the rest of the arithmetic on registers */
	FORM "SUB r8, r8", ""; CHAIN 1; sub al, cl; COPIES 3; sub al, bl; sub cl, bl; sub dl, bl
	FORM "SUB r16, r16", ""; CHAIN 1; sub ax, cx; COPIES 6; sub ax, si; sub cx, si
		sub dx, si; sub bx, si; sub bp, si; sub di, si
	FORM "SUB r32, r32", ""; CHAIN 1; sub eax, ecx; COPIES 6; sub eax, esi; sub ecx, esi
		sub edx, esi; sub ebx, esi; sub ebp, esi; sub edi, esi
	FORM "SUB r1_8, r2_8", ""; CHAIN 1; sub al, cl; COPIES 3; sub al, bl; sub cl, bl
		sub dl, bl
	FORM "SUB r1_16, r2_16", ""; CHAIN 1; sub ax, cx; COPIES 6; sub ax, si; sub cx, si
		sub dx, si; sub bx, si; sub bp, si; sub di, si
	FORM "SUB r1_32, r2_32", ""; CHAIN 1; sub eax, ecx; COPIES 6; sub eax, esi; sub ecx, esi
		sub edx, esi; sub ebx, esi; sub ebp, esi; sub edi, esi
	FORM "ADC r8, r8", ""; CHAIN 1; adc al, cl; COPIES 3; adc al, bl; adc cl, bl; adc dl, bl
	FORM "ADC r16, r16", ""; CHAIN 1; adc ax, cx; COPIES 6; adc ax, si; adc cx, si
		adc dx, si; adc bx, si; adc bp, si; adc di, si
	FORM "ADC r32, r32", ""; CHAIN 1; adc eax, ecx; COPIES 6; adc eax, esi; adc ecx, esi
		adc edx, esi; adc ebx, esi; adc ebp, esi; adc edi, esi
	FORM "SBB r8, r8", ""; CHAIN 1; sbb al, cl; COPIES 3; sbb al, bl; sbb cl, bl; sbb dl, bl
	FORM "SBB r16, r16", ""; CHAIN 1; sbb ax, cx; COPIES 6; sbb ax, si; sbb cx, si
		sbb dx, si; sbb bx, si; sbb bp, si; sbb di, si
	FORM "SBB r32, r32", ""; CHAIN 1; sbb eax, ecx; COPIES 6; sbb eax, esi; sbb ecx, esi
		sbb edx, esi; sbb ebx, esi; sbb ebp, esi; sbb edi, esi
	FORM "SBB r1_8, r2_8", ""; CHAIN 1; sbb al, cl; COPIES 3; sbb al, bl; sbb cl, bl
		sbb dl, bl
	FORM "SBB r1_16, r2_16", ""; CHAIN 1; sbb ax, cx; COPIES 6; sbb ax, si; sbb cx, si
		sbb dx, si; sbb bx, si; sbb bp, si; sbb di, si
	FORM "SBB r1_32, r2_32", ""; CHAIN 1; sbb eax, ecx; COPIES 6; sbb eax, esi; sbb ecx, esi
		sbb edx, esi; sbb ebx, esi; sbb ebp, esi; sbb edi, esi
	FORM "CMP r8, r8", ""; COPIES 3; cmp al, bl; cmp cl, bl; cmp dl, bl
	FORM "CMP r16, r16", ""; COPIES 6; cmp ax, si; cmp cx, si; cmp dx, si; cmp bx, si
		cmp bp, si; cmp di, si
	FORM "CMP r32, r32", ""; COPIES 6; cmp eax, esi; cmp ecx, esi; cmp edx, esi
		cmp ebx, esi; cmp ebp, esi; cmp edi, esi
	FORM "CMP r1_8, r2_8", ""; COPIES 3; cmp al, bl; cmp cl, bl; cmp dl, bl
	FORM "CMP r1_16, r2_16", ""; COPIES 6; cmp ax, si; cmp cx, si; cmp dx, si; cmp bx, si
		cmp bp, si; cmp di, si
	FORM "CMP r1_32, r2_32", ""; COPIES 6; cmp eax, esi; cmp ecx, esi; cmp edx, esi
		cmp ebx, esi; cmp ebp, esi; cmp edi, esi
	FORM "AND r8, r8", ""; CHAIN 1; and al, cl; COPIES 3; and al, bl; and cl, bl; and dl, bl
	FORM "AND r16, r16", ""; CHAIN 1; and ax, cx; COPIES 6; and ax, si; and cx, si
		and dx, si; and bx, si; and bp, si; and di, si
	FORM "AND r32, r32", ""; CHAIN 1; and eax, ecx; COPIES 6; and eax, esi; and ecx, esi
		and edx, esi; and ebx, esi; and ebp, esi; and edi, esi
	FORM "AND r1_8, r2_8", ""; CHAIN 1; and al, cl; COPIES 3; and al, bl; and cl, bl
		and dl, bl
	FORM "AND r1_16, r2_16", ""; CHAIN 1; and ax, cx; COPIES 6; and ax, si; and cx, si
		and dx, si; and bx, si; and bp, si; and di, si
	FORM "AND r1_32, r2_32", ""; CHAIN 1; and eax, ecx; COPIES 6; and eax, esi; and ecx, esi
		and edx, esi; and ebx, esi; and ebp, esi; and edi, esi
	FORM "OR r8, r8", ""; CHAIN 1; or al, cl; COPIES 3; or al, bl; or cl, bl; or dl, bl
	FORM "OR r16, r16", ""; CHAIN 1; or ax, cx; COPIES 6; or ax, si; or cx, si; or dx, si
		or bx, si; or bp, si; or di, si
	FORM "OR r32, r32", ""; CHAIN 1; or eax, ecx; COPIES 6; or eax, esi; or ecx, esi
		or edx, esi; or ebx, esi; or ebp, esi; or edi, esi
	FORM "OR r1_8, r2_8", ""; CHAIN 1; or al, cl; COPIES 3; or al, bl; or cl, bl; or dl, bl
	FORM "OR r1_16, r2_16", ""; CHAIN 1; or ax, cx; COPIES 6; or ax, si; or cx, si
		or dx, si; or bx, si; or bp, si; or di, si
	FORM "OR r1_32, r2_32", ""; CHAIN 1; or eax, ecx; COPIES 6; or eax, esi; or ecx, esi
		or edx, esi; or ebx, esi; or ebp, esi; or edi, esi
	FORM "XOR r8, r8", ""; CHAIN 1; xor al, cl; COPIES 3; xor al, bl; xor cl, bl; xor dl, bl
	FORM "XOR r16, r16", ""; CHAIN 1; xor ax, cx; COPIES 6; xor ax, si; xor cx, si
		xor dx, si; xor bx, si; xor bp, si; xor di, si
	FORM "XOR r32, r32", ""; CHAIN 1; xor eax, ecx; COPIES 6; xor eax, esi; xor ecx, esi
		xor edx, esi; xor ebx, esi; xor ebp, esi; xor edi, esi
	FORM "XOR r1_8, r2_8", ""; CHAIN 1; xor al, cl; COPIES 3; xor al, bl; xor cl, bl
		xor dl, bl
	FORM "XOR r1_16, r2_16", ""; CHAIN 1; xor ax, cx; COPIES 6; xor ax, si; xor cx, si
		xor dx, si; xor bx, si; xor bp, si; xor di, si
	FORM "XOR r1_32, r2_32", ""; CHAIN 1; xor eax, ecx; COPIES 6; xor eax, esi; xor ecx, esi
		xor edx, esi; xor ebx, esi; xor ebp, esi; xor edi, esi
	FORM "NEG r8", ""; CHAIN 1; neg dl; COPIES 3; neg al; neg dl; neg bl
	FORM "NEG r16", ""; CHAIN 1; neg dx; COPIES 3; neg ax; neg dx; neg bx
	FORM "NEG r32", ""; CHAIN 1; neg edx; COPIES 3; neg eax; neg edx; neg ebx
	FORM "NOT r8", ""; CHAIN 1; not dl; COPIES 3; not al; not dl; not bl
	FORM "NOT r16", ""; CHAIN 1; not dx; COPIES 3; not ax; not dx; not bx
	FORM "NOT r32", ""; CHAIN 1; not edx; COPIES 3; not eax; not edx; not ebx
	FORM "TEST r8, r8", ""; COPIES 3; test al, bl; test cl, bl; test dl, bl
	FORM "TEST r16, r16", ""; COPIES 6; test ax, si; test cx, si; test dx, si; test bx, si
		test bp, si; test di, si
	FORM "TEST r32, r32", ""; COPIES 6; test eax, esi; test ecx, esi; test edx, esi
		test ebx, esi; test ebp, esi; test edi, esi
	FORM "TEST r1_8, r2_8", ""; COPIES 3; test al, bl; test cl, bl; test dl, bl
	FORM "TEST r1_16, r2_16", ""; COPIES 6; test ax, si; test cx, si; test dx, si
		test bx, si; test bp, si; test di, si
	FORM "TEST r1_32, r2_32", ""; COPIES 6; test eax, esi; test ecx, esi; test edx, esi
		test ebx, esi; test ebp, esi; test edi, esi
	FORM "BT r16, r16", ""; COPIES 3; bt ax, cx; bt dx, cx; bt bx, cx
	FORM "BT r32, r32", ""; COPIES 3; bt eax, ecx; bt edx, ecx; bt ebx, ecx
	FORM "BT r16, imm8", ""; COPIES 3; bt ax, 5; bt dx, 5; bt bx, 5
	FORM "BT r32, imm8", ""; COPIES 3; bt eax, 5; bt edx, 5; bt ebx, 5
	FORM "BTC r16, r16", ""; CHAIN 1; btc ax, cx; COPIES 3; btc ax, cx; btc dx, cx
		btc bx, cx
	FORM "BTC r32, r32", ""; CHAIN 1; btc eax, ecx; COPIES 3; btc eax, ecx; btc edx, ecx
		btc ebx, ecx
	FORM "BTC r16, imm8", ""; CHAIN 1; btc ax, 5; COPIES 3; btc ax, 5; btc dx, 5; btc bx, 5
	FORM "BTC r32, imm8", ""; CHAIN 1; btc eax, 5; COPIES 3; btc eax, 5; btc edx, 5
		btc ebx, 5
	FORM "BTR r16, r16", ""; CHAIN 1; btr ax, cx; COPIES 3; btr ax, cx; btr dx, cx
		btr bx, cx
	FORM "BTR r32, r32", ""; CHAIN 1; btr eax, ecx; COPIES 3; btr eax, ecx; btr edx, ecx
		btr ebx, ecx
	FORM "BTR r16, imm8", ""; CHAIN 1; btr ax, 5; COPIES 3; btr ax, 5; btr dx, 5; btr bx, 5
	FORM "BTR r32, imm8", ""; CHAIN 1; btr eax, 5; COPIES 3; btr eax, 5; btr edx, 5
		btr ebx, 5
	FORM "BTS r16, r16", ""; CHAIN 1; bts ax, cx; COPIES 3; bts ax, cx; bts dx, cx
		bts bx, cx
	FORM "BTS r32, r32", ""; CHAIN 1; bts eax, ecx; COPIES 3; bts eax, ecx; bts edx, ecx
		bts ebx, ecx
	FORM "BTS r16, imm8", ""; CHAIN 1; bts ax, 5; COPIES 3; bts ax, 5; bts dx, 5; bts bx, 5
	FORM "BTS r32, imm8", ""; CHAIN 1; bts eax, 5; COPIES 3; bts eax, 5; bts edx, 5
		bts ebx, 5
	FORM "SETC r8", ""; CHAIN 1; setc al; COPIES 3; setc al; setc dl; setc bl
	FORM "INC r8", ""; CHAIN 1; inc dl; COPIES 3; inc al; inc dl; inc bl
	FORM "INC r16", ""; CHAIN 1; inc dx; COPIES 3; inc ax; inc dx; inc bx
	FORM "INC r32", ""; CHAIN 1; inc edx; COPIES 3; inc eax; inc edx; inc ebx
	FORM "LEA r16, [r16+r16]", ""; CHAIN 1; lea ax, [eax + edi]; COPIES 4
		lea ax, [esi + edi]; lea cx, [esi + edi]; lea dx, [esi + edi]
		lea bx, [esi + edi]
	FORM "LEA r32, [r32+r32]", ""; CHAIN 1; lea eax, [eax + edi]; COPIES 4
		lea eax, [esi + edi]; lea ecx, [esi + edi]; lea edx, [esi + edi]
		lea ebx, [esi + edi]
	FORM "LEA r16, [r+r+disp8]", ""; CHAIN 1; lea ax, [eax + edi + 8]; COPIES 4
		lea ax, [esi + edi + 8]; lea cx, [esi + edi + 8]; lea dx, [esi + edi + 8]
		lea bx, [esi + edi + 8]
	FORM "LEA r32, [r+r+disp8]", ""; CHAIN 1; lea eax, [eax + edi + 8]; COPIES 4
		lea eax, [esi + edi + 8]; lea ecx, [esi + edi + 8]; lea edx, [esi + edi + 8]
		lea ebx, [esi + edi + 8]
	FORM "LEA r16, [r+r*8]", ""; CHAIN 1; lea ax, [eax + edi*8]; COPIES 4
		lea ax, [esi + edi*8]; lea cx, [esi + edi*8]; lea dx, [esi + edi*8]
		lea bx, [esi + edi*8]
	FORM "LEA r32, [r+r*8]", ""; CHAIN 1; lea eax, [eax + edi*8]; COPIES 4
		lea eax, [esi + edi*8]; lea ecx, [esi + edi*8]; lea edx, [esi + edi*8]
		lea ebx, [esi + edi*8]
	FORM "LEA r16, [r+r*8+disp8]", ""; CHAIN 1; lea ax, [eax + edi*8 + 8]; COPIES 4
		lea ax, [esi + edi*8 + 8]; lea cx, [esi + edi*8 + 8]; lea dx, [esi + edi*8 + 8]
		lea bx, [esi + edi*8 + 8]
	FORM "LEA r32, [r+r*8+disp8]", ""; CHAIN 1; lea eax, [eax + edi*8 + 8]; COPIES 4
		lea eax, [esi + edi*8 + 8]; lea ecx, [esi + edi*8 + 8]
		lea edx, [esi + edi*8 + 8]; lea ebx, [esi + edi*8 + 8]
/* shifts */
	FORM "SHL r8, 1", ""; CHAIN 1; shl dl, 1; COPIES 3; shl al, 1; shl dl, 1; shl bl, 1
	FORM "SHL r16, 1", ""; CHAIN 1; shl dx, 1; COPIES 3; shl ax, 1; shl dx, 1; shl bx, 1
	FORM "SHL r32, 1", ""; CHAIN 1; shl edx, 1; COPIES 3; shl eax, 1; shl edx, 1; shl ebx, 1
	FORM "SHL r8, imm8", ""; CHAIN 1; shl dl, 3; COPIES 3; shl al, 3; shl dl, 3; shl bl, 3
	FORM "SHL r16, imm8", ""; CHAIN 1; shl dx, 3; COPIES 3; shl ax, 3; shl dx, 3; shl bx, 3
	FORM "SHL r32, imm8", ""; CHAIN 1; shl edx, 3; COPIES 3; shl eax, 3; shl edx, 3
		shl ebx, 3
	FORM "SHL r8, cl", ""; CHAIN 1; shl dl, cl; COPIES 3; shl al, cl; shl dl, cl; shl bl, cl
	FORM "SHL r16, cl", ""; CHAIN 1; shl dx, cl; COPIES 3; shl ax, cl; shl dx, cl
		shl bx, cl
	FORM "SHL r32, cl", ""; CHAIN 1; shl edx, cl; COPIES 3; shl eax, cl; shl edx, cl
		shl ebx, cl
	FORM "SHR r8, 1", ""; CHAIN 1; shr dl, 1; COPIES 3; shr al, 1; shr dl, 1; shr bl, 1
	FORM "SHR r16, 1", ""; CHAIN 1; shr dx, 1; COPIES 3; shr ax, 1; shr dx, 1; shr bx, 1
	FORM "SHR r32, 1", ""; CHAIN 1; shr edx, 1; COPIES 3; shr eax, 1; shr edx, 1; shr ebx, 1
	FORM "SHR r8, imm8", ""; CHAIN 1; shr dl, 3; COPIES 3; shr al, 3; shr dl, 3; shr bl, 3
	FORM "SHR r16, imm8", ""; CHAIN 1; shr dx, 3; COPIES 3; shr ax, 3; shr dx, 3; shr bx, 3
	FORM "SHR r32, imm8", ""; CHAIN 1; shr edx, 3; COPIES 3; shr eax, 3; shr edx, 3
		shr ebx, 3
	FORM "SHR r8, cl", ""; CHAIN 1; shr dl, cl; COPIES 3; shr al, cl; shr dl, cl; shr bl, cl
	FORM "SHR r16, cl", ""; CHAIN 1; shr dx, cl; COPIES 3; shr ax, cl; shr dx, cl
		shr bx, cl
	FORM "SHR r32, cl", ""; CHAIN 1; shr edx, cl; COPIES 3; shr eax, cl; shr edx, cl
		shr ebx, cl
	FORM "SAR r8, 1", ""; CHAIN 1; sar dl, 1; COPIES 3; sar al, 1; sar dl, 1; sar bl, 1
	FORM "SAR r16, 1", ""; CHAIN 1; sar dx, 1; COPIES 3; sar ax, 1; sar dx, 1; sar bx, 1
	FORM "SAR r32, 1", ""; CHAIN 1; sar edx, 1; COPIES 3; sar eax, 1; sar edx, 1; sar ebx, 1
	FORM "SAR r8, imm8", ""; CHAIN 1; sar dl, 3; COPIES 3; sar al, 3; sar dl, 3; sar bl, 3
	FORM "SAR r16, imm8", ""; CHAIN 1; sar dx, 3; COPIES 3; sar ax, 3; sar dx, 3; sar bx, 3
	FORM "SAR r32, imm8", ""; CHAIN 1; sar edx, 3; COPIES 3; sar eax, 3; sar edx, 3
		sar ebx, 3
	FORM "SAR r8, cl", ""; CHAIN 1; sar dl, cl; COPIES 3; sar al, cl; sar dl, cl; sar bl, cl
	FORM "SAR r16, cl", ""; CHAIN 1; sar dx, cl; COPIES 3; sar ax, cl; sar dx, cl
		sar bx, cl
	FORM "SAR r32, cl", ""; CHAIN 1; sar edx, cl; COPIES 3; sar eax, cl; sar edx, cl
		sar ebx, cl
	FORM "SHLD r16, r16, imm8", ""; CHAIN 1; shld dx, si, 3; COPIES 3; shld ax, si, 3
		shld dx, si, 3; shld bx, si, 3
	FORM "SHLD r32, r32, imm8", ""; CHAIN 1; shld edx, esi, 3; COPIES 3; shld eax, esi, 3
		shld edx, esi, 3; shld ebx, esi, 3
	FORM "SHLD r16, r16, cl", ""; CHAIN 1; shld dx, si, cl; COPIES 3; shld ax, si, cl
		shld dx, si, cl; shld bx, si, cl
	FORM "SHLD r32, r32, cl", ""; CHAIN 1; shld edx, esi, cl; COPIES 3; shld eax, esi, cl
		shld edx, esi, cl; shld ebx, esi, cl
	FORM "SHRD r16, r16, imm8", ""; CHAIN 1; shrd dx, si, 3; COPIES 3; shrd ax, si, 3
		shrd dx, si, 3; shrd bx, si, 3
	FORM "SHRD r32, r32, imm8", ""; CHAIN 1; shrd edx, esi, 3; COPIES 3; shrd eax, esi, 3
		shrd edx, esi, 3; shrd ebx, esi, 3
	FORM "SHRD r16, r16, cl", ""; CHAIN 1; shrd dx, si, cl; COPIES 3; shrd ax, si, cl
		shrd dx, si, cl; shrd bx, si, cl
	FORM "SHRD r32, r32, cl", ""; CHAIN 1; shrd edx, esi, cl; COPIES 3; shrd eax, esi, cl
		shrd edx, esi, cl; shrd ebx, esi, cl
	FORM "ROL r8, 1", ""; CHAIN 1; rol dl, 1; COPIES 3; rol al, 1; rol dl, 1; rol bl, 1
	FORM "ROL r16, 1", ""; CHAIN 1; rol dx, 1; COPIES 3; rol ax, 1; rol dx, 1; rol bx, 1
	FORM "ROL r32, 1", ""; CHAIN 1; rol edx, 1; COPIES 3; rol eax, 1; rol edx, 1; rol ebx, 1
	FORM "ROL r8, imm8", ""; CHAIN 1; rol dl, 3; COPIES 3; rol al, 3; rol dl, 3; rol bl, 3
	FORM "ROL r16, imm8", ""; CHAIN 1; rol dx, 3; COPIES 3; rol ax, 3; rol dx, 3; rol bx, 3
	FORM "ROL r32, imm8", ""; CHAIN 1; rol edx, 3; COPIES 3; rol eax, 3; rol edx, 3
		rol ebx, 3
	FORM "ROL r8, cl", ""; CHAIN 1; rol dl, cl; COPIES 3; rol al, cl; rol dl, cl; rol bl, cl
	FORM "ROL r16, cl", ""; CHAIN 1; rol dx, cl; COPIES 3; rol ax, cl; rol dx, cl
		rol bx, cl
	FORM "ROL r32, cl", ""; CHAIN 1; rol edx, cl; COPIES 3; rol eax, cl; rol edx, cl
		rol ebx, cl
	FORM "ROR r8, 1", ""; CHAIN 1; ror dl, 1; COPIES 3; ror al, 1; ror dl, 1; ror bl, 1
	FORM "ROR r16, 1", ""; CHAIN 1; ror dx, 1; COPIES 3; ror ax, 1; ror dx, 1; ror bx, 1
	FORM "ROR r32, 1", ""; CHAIN 1; ror edx, 1; COPIES 3; ror eax, 1; ror edx, 1; ror ebx, 1
	FORM "ROR r8, imm8", ""; CHAIN 1; ror dl, 3; COPIES 3; ror al, 3; ror dl, 3; ror bl, 3
	FORM "ROR r16, imm8", ""; CHAIN 1; ror dx, 3; COPIES 3; ror ax, 3; ror dx, 3; ror bx, 3
	FORM "ROR r32, imm8", ""; CHAIN 1; ror edx, 3; COPIES 3; ror eax, 3; ror edx, 3
		ror ebx, 3
	FORM "ROR r8, cl", ""; CHAIN 1; ror dl, cl; COPIES 3; ror al, cl; ror dl, cl; ror bl, cl
	FORM "ROR r16, cl", ""; CHAIN 1; ror dx, cl; COPIES 3; ror ax, cl; ror dx, cl
		ror bx, cl
	FORM "ROR r32, cl", ""; CHAIN 1; ror edx, cl; COPIES 3; ror eax, cl; ror edx, cl
		ror ebx, cl
	FORM "RCL r8, 1", ""; CHAIN 1; rcl dl, 1; COPIES 3; rcl al, 1; rcl dl, 1; rcl bl, 1
	FORM "RCL r16, 1", ""; CHAIN 1; rcl dx, 1; COPIES 3; rcl ax, 1; rcl dx, 1; rcl bx, 1
	FORM "RCL r32, 1", ""; CHAIN 1; rcl edx, 1; COPIES 3; rcl eax, 1; rcl edx, 1; rcl ebx, 1
	FORM "RCL r8, imm8", ""; CHAIN 1; rcl dl, 3; COPIES 3; rcl al, 3; rcl dl, 3; rcl bl, 3
	FORM "RCL r16, imm8", ""; CHAIN 1; rcl dx, 3; COPIES 3; rcl ax, 3; rcl dx, 3; rcl bx, 3
	FORM "RCL r32, imm8", ""; CHAIN 1; rcl edx, 3; COPIES 3; rcl eax, 3; rcl edx, 3
		rcl ebx, 3
	FORM "RCL r8, cl", ""; CHAIN 1; rcl dl, cl; COPIES 3; rcl al, cl; rcl dl, cl; rcl bl, cl
	FORM "RCL r16, cl", ""; CHAIN 1; rcl dx, cl; COPIES 3; rcl ax, cl; rcl dx, cl
		rcl bx, cl
	FORM "RCL r32, cl", ""; CHAIN 1; rcl edx, cl; COPIES 3; rcl eax, cl; rcl edx, cl
		rcl ebx, cl
	FORM "RCR r8, 1", ""; CHAIN 1; rcr dl, 1; COPIES 3; rcr al, 1; rcr dl, 1; rcr bl, 1
	FORM "RCR r16, 1", ""; CHAIN 1; rcr dx, 1; COPIES 3; rcr ax, 1; rcr dx, 1; rcr bx, 1
	FORM "RCR r32, 1", ""; CHAIN 1; rcr edx, 1; COPIES 3; rcr eax, 1; rcr edx, 1; rcr ebx, 1
	FORM "RCR r8, imm8", ""; CHAIN 1; rcr dl, 3; COPIES 3; rcr al, 3; rcr dl, 3; rcr bl, 3
	FORM "RCR r16, imm8", ""; CHAIN 1; rcr dx, 3; COPIES 3; rcr ax, 3; rcr dx, 3; rcr bx, 3
	FORM "RCR r32, imm8", ""; CHAIN 1; rcr edx, 3; COPIES 3; rcr eax, 3; rcr edx, 3
		rcr ebx, 3
	FORM "RCR r8, cl", ""; CHAIN 1; rcr dl, cl; COPIES 3; rcr al, cl; rcr dl, cl; rcr bl, cl
	FORM "RCR r16, cl", ""; CHAIN 1; rcr dx, cl; COPIES 3; rcr ax, cl; rcr dx, cl
		rcr bx, cl
	FORM "RCR r32, cl", ""; CHAIN 1; rcr edx, cl; COPIES 3; rcr eax, cl; rcr edx, cl
		rcr ebx, cl
	FORM "BSF r16, r16", ""; CHAIN 1; bsf ax, ax; COPIES 3; bsf ax, bp; bsf cx, bp
		bsf dx, bp
	FORM "BSF r32, r32", ""; CHAIN 1; bsf eax, eax; COPIES 3; bsf eax, ebp; bsf ecx, ebp
		bsf edx, ebp
	FORM "BSR r16, r16", ""; CHAIN 1; bsr ax, ax; COPIES 3; bsr ax, bp; bsr cx, bp
		bsr dx, bp
	FORM "BSR r32, r32", ""; CHAIN 1; bsr eax, eax; COPIES 3; bsr eax, ebp; bsr ecx, ebp
		bsr edx, ebp
	FORM "BSWAP r32", ""; CHAIN 1; bswap edx; COPIES 3; bswap eax; bswap edx; bswap ebx
/* multiply and divide */
	FORM "IMUL r16, r16", ""; CHAIN 1; imul ax, ax; COPIES 3; imul ax, bp; imul cx, bp
		imul dx, bp
	FORM "IMUL r32, r32", ""; CHAIN 1; imul eax, eax; COPIES 3; imul eax, ebp; imul ecx, ebp
		imul edx, ebp
	FORM "IMUL r16, r16, imm8", ""; CHAIN 1; imul ax, ax, 0x11; COPIES 3; imul ax, bp, 0x11
		imul cx, bp, 0x11; imul dx, bp, 0x11
	FORM "IMUL r32, r32, imm8", ""; CHAIN 1; imul eax, eax, 0x11; COPIES 3
		imul eax, ebp, 0x11; imul ecx, ebp, 0x11; imul edx, ebp, 0x11
	FORM "IMUL r16, r16, imm16", ""; CHAIN 1; imul ax, ax, 0x1111; COPIES 3
		imul ax, bp, 0x1111; imul cx, bp, 0x1111; imul dx, bp, 0x1111
	FORM "IMUL r32, r32, imm32", ""; CHAIN 1; imul eax, eax, 0x11111111; COPIES 3
		imul eax, ebp, 0x11111111; imul ecx, ebp, 0x11111111; imul edx, ebp, 0x11111111
	FORM "IMUL r8  (ah)", ""; CHAIN 1; imul cl; COPIES 1; imul cl
	FORM "IMUL r16 (dx)", ""; CHAIN 1; imul cx; COPIES 1; imul cx
	FORM "IMUL r32 (edx)", ""; CHAIN 1; imul ecx; COPIES 1; imul ecx
	FORM "MUL r8   (ah)", ""; CHAIN 1; mul cl; COPIES 1; mul cl
	FORM "MUL r16  (dx)", ""; CHAIN 1; mul cx; COPIES 1; mul cx
	FORM "MUL r32  (edx)", ""; CHAIN 1; mul ecx; COPIES 1; mul ecx
	FORM "IMUL r8  (al)", ""; CHAIN 1; imul cl; COPIES 1; imul cl
	FORM "IMUL r16 (ax)", ""; CHAIN 1; imul cx; COPIES 1; imul cx
	FORM "IMUL r32 (eax)", ""; CHAIN 1; imul ecx; COPIES 1; imul ecx
	FORM "MUL r8   (al)", ""; CHAIN 1; mul cl; COPIES 1; mul cl
	FORM "MUL r16  (ax)", ""; CHAIN 1; mul cx; COPIES 1; mul cx
	FORM "MUL r32  (eax)", ""; CHAIN 1; mul ecx; COPIES 1; mul ecx
	FORM "IDIV r8 14/ 7b (full)", ""; BOTH 1; idiv cl
	FORM "IDIV r8 12/ 7b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  7/ 7b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  4/ 7b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  0/ 7b", ""; BOTH 1; idiv cl
	FORM "IDIV r8 11/ 4b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  8/ 4b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  4/ 4b ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8  0/ 4b", ""; BOTH 1; idiv cl
	FORM "IDIV r8 2^12/2^6 ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r8 1/1", ""; BOTH 1; idiv cl
	FORM "IDIV r8 1/1 ax upd", ""; BOTH 1; mov eax, ebx; idiv cl
	FORM "IDIV r16 30/15b (full)", ""; BOTH 1; idiv cx
	FORM "IDIV r16 24/15b ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16 15/15b ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16  8/15b ax/dx upd", ""; BOTH 1; mov ax, bx; mov dx, si; idiv cx
	FORM "IDIV r16  0/15b", ""; BOTH 1; idiv cx
	FORM "IDIV r16 23/ 8b ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16 16/ 8b ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16  8/ 8b ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16  0/ 8b", ""; BOTH 1; idiv cx
	FORM "IDIV r16 2^28/2^14 ax/dx", ""; BOTH 1; mov ax, bx; mov dx, si; idiv cx
	FORM "IDIV r16 1/1", ""; BOTH 1; idiv cx
	FORM "IDIV r16 1/1 ax upd", ""; BOTH 1; mov ax, bx; idiv cx
	FORM "IDIV r16 1/1 ax/dx upd", ""; BOTH 1; mov ax, bx; mov dx, si; idiv cx
	FORM "IDIV r32 62/31b (full)", ""; BOTH 1; idiv ecx
	FORM "IDIV r32 62/31b 0 rem.", ""; BOTH 1; idiv ecx
	FORM "IDIV r32 48/31b eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32 31/31b eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32 16/31b eax/edx", ""; BOTH 1; mov eax, ebx; mov edx, esi; idiv ecx
	FORM "IDIV r32  0/31b", ""; BOTH 1; idiv ecx
	FORM "IDIV r32 47/16b eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32 32/16b eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32 16/16b eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32  0/16b", ""; BOTH 1; idiv ecx
	FORM "IDIV r32 2^60/2^30 eax/edx", ""; BOTH 1; mov eax, ebx; mov edx, esi; idiv ecx
	FORM "IDIV r32 1/1", ""; BOTH 1; idiv ecx
	FORM "IDIV r32 1/1 eax upd", ""; BOTH 1; mov eax, ebx; idiv ecx
	FORM "IDIV r32 1/1 eax/edx upd", ""; BOTH 1; mov eax, ebx; mov edx, esi; idiv ecx
	FORM "DIV r8 16/ 8b (full)", ""; BOTH 1; div cl
	FORM "DIV r8 12/ 8b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  8/ 8b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  4/ 8b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  0/ 8b", ""; BOTH 1; div cl
	FORM "DIV r8 12/ 4b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  8/ 4b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  4/ 4b ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8  0/ 4b", ""; BOTH 1; div cl
	FORM "DIV r8 2^14/2^7 ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r8 1/1", ""; BOTH 1; div cl
	FORM "DIV r8 1/1 ax upd", ""; BOTH 1; mov eax, ebx; div cl
	FORM "DIV r16 32/16b (full)", ""; BOTH 1; div cx
	FORM "DIV r16 30/15b 0 rem.", ""; BOTH 1; div cx
	FORM "DIV r16 24/16b ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16 16/16b ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16  8/16b ax/dx upd", ""; BOTH 1; mov ax, bx; mov dx, si; div cx
	FORM "DIV r16  0/16b", ""; BOTH 1; div cx
	FORM "DIV r16 24/ 8b ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16 16/ 8b ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16  8/ 8b ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16  0/ 8b", ""; BOTH 1; div cx
	FORM "DIV r16 1/1", ""; BOTH 1; div cx
	FORM "DIV r16 1/1 ax upd", ""; BOTH 1; mov ax, bx; div cx
	FORM "DIV r16 1/1 ax/dx upd", ""; BOTH 1; mov ax, bx; mov dx, si; div cx
	FORM "DIV r32 64/32b (full)", ""; BOTH 1; div ecx
	FORM "DIV r32 62/31b 0 rem.", ""; BOTH 1; div ecx
	FORM "DIV r32 48/32b eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32 32/32b eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32 16/32b eax/edx", ""; BOTH 1; mov eax, ebx; mov edx, esi; div ecx
	FORM "DIV r32  0/32b", ""; BOTH 1; div ecx
	FORM "DIV r32 48/16b eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32 32/16b eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32 16/16b eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32  0/16b", ""; BOTH 1; div ecx
	FORM "DIV r32 2^62/2^31 eax/edx", ""; BOTH 1; mov eax, ebx; mov edx, esi; div ecx
	FORM "DIV r32 1/1", ""; BOTH 1; div ecx
	FORM "DIV r32 1/1 eax upd", ""; BOTH 1; mov eax, ebx; div ecx
	FORM "DIV r32 1/1 eax/edx upd", ""; BOTH 1; mov eax, ebx; mov edx, esi; div ecx
/* one-byte instructions */
	FORM "CBW", ""; BOTH 1; cbw
	FORM "CWDE", ""; BOTH 1; cwde
	FORM "CWD", ""; BOTH 1; cwd
	FORM "CDQ", ""; BOTH 1; cdq
	FORM "CLC", ""; BOTH 1; clc
	FORM "STC", ""; BOTH 1; stc
	FORM "CMC", ""; BOTH 1; cmc
	FORM "CLD", ""; BOTH 1; cld
	FORM "STD", ""; BOTH 1; std
	FORM "AAA", ""; BOTH 1; aaa
	FORM "AAD", ""; BOTH 1; aad
	FORM "AAM", ""; BOTH 1; aam
	FORM "AAS", ""; BOTH 1; aas
	FORM "DAA", ""; BOTH 1; daa
	FORM "DAS", ""; BOTH 1; das
	FORM "LAHF", ""; BOTH 1; lahf
	FORM "SAHF", ""; BOTH 1; sahf
/* stack */
	FORM "PUSHA", "walk"; BOTH 1; pushaw
	FORM "POPA", "walk"; BOTH 1; popaw
	FORM "PUSHA + POPA", ""; BOTH 1; pushaw; popaw
	FORM "PUSHAD", "walk"; BOTH 1; pushad
	FORM "POPAD", "walk"; BOTH 1; popad
	FORM "PUSHAD + POPAD", ""; BOTH 1; pushad; popad
	FORM "PUSH r16", "walk"; BOTH 2; push ax; push bx
	FORM "POP r16", ""; BOTH 2; pop ax; pop bx
	FORM "PUSH r16 + POP r16", ""; BOTH 1; push ax; pop ax
	FORM "PUSH r32", "walk"; BOTH 2; push eax; push ebx
	FORM "POP r32", ""; BOTH 2; pop eax; pop ebx
	FORM "PUSH r32 + POP r32", ""; BOTH 1; push eax; pop eax
	FORM "PUSH imm8", "walk"; BOTH 1; push 0x11
	FORM "PUSH imm8 + POP r32", ""; BOTH 1; push 0x11; pop eax
	FORM "PUSH imm32", "walk"; BOTH 1; push 0x11111111
	FORM "PUSH imm32 + POP r32", ""; BOTH 1; push 0x11111111; pop eax
	FORM "PUSH [m16]", "walk"; BOTH 1; push word ptr [esi]
	FORM "POP [m16]", ""; BOTH 1; pop word ptr [esi]
	FORM "PUSH [m16] + POP [m16]", ""; BOTH 1; push word ptr [esi]; pop word ptr [esi]
	FORM "PUSH [m32]", "walk"; BOTH 1; push dword ptr [esi]
	FORM "POP [m32]", ""; BOTH 1; pop dword ptr [esi]
	FORM "PUSH [m32] + POP [m32]", ""; BOTH 1; push dword ptr [esi]; pop dword ptr [esi]
	FORM "PUSHF", "walk"; BOTH 1; pushfw
	FORM "PUSHF + POPF", ""; BOTH 1; pushfw; popfw
	FORM "PUSHFD", "walk"; BOTH 1; pushfd
	FORM "POPFD", ""; BOTH 1; popfd
	FORM "PUSHFD + POPFD", ""; BOTH 1; pushfd; popfd
/* strings */
	FORM "CMPSB", ""; CHAIN 1; cmpsb
	FORM "CMPSB", "walk"; COPIES 1; cmpsb
	FORM "CMPSW", "walk"; BOTH 1; cmpsw
	FORM "CMPSD", "walk"; BOTH 1; cmpsd
	FORM "LODSB", ""; CHAIN 1; lodsb
	FORM "LODSB", "walk"; COPIES 1; lodsb
	FORM "LODSW", "walk"; BOTH 1; lodsw
	FORM "LODSD", "walk"; BOTH 1; lodsd
	FORM "STOSB", "walk"; BOTH 1; stosb
	FORM "STOSW", "walk"; BOTH 1; stosw
	FORM "STOSD", "walk"; BOTH 1; stosd
	FORM "MOVSB", ""; CHAIN 1; movsb
	FORM "MOVSB", "walk"; COPIES 1; movsb
	FORM "MOVSW", "walk"; BOTH 1; movsw
	FORM "MOVSD", "walk"; BOTH 1; movsd
	FORM "SCASB", ""; CHAIN 1; scasb
	FORM "SCASB", "walk"; COPIES 1; scasb
	FORM "SCASW", "walk"; BOTH 1; scasw
	FORM "SCASD", "walk"; BOTH 1; scasd
/* i486 and later */
	FORM "XADD r8, r8", ""; BOTH 1; xadd cl, dl
	FORM "XADD r16, r16", ""; BOTH 1; xadd cx, dx
	FORM "XADD r32, r32", ""; BOTH 1; xadd ecx, edx
	FORM "CMPXCHG r8, r8", ""; BOTH 1; cmpxchg cl, dl
	FORM "CMPXCHG r16, r16", ""; BOTH 1; cmpxchg cx, dx
	FORM "CMPXCHG r32, r32", ""; BOTH 1; cmpxchg ecx, edx
	FORM "CMPXCHG8B", ""; BOTH 1; cmpxchg8b qword ptr [esi]
	FORM "RDTSC", "cpl3"; BOTH 1; rdtsc
	FORM "CPUID (EAX = 0)", ""; BOTH 1; xor eax, eax; cpuid
	FORM "CPUID (EAX = 1)", "leaf1"; BOTH 1; mov eax, 1; cpuid
/* x87 */
	FORM "FNOP", ""; BOTH 1; fnop
	FORM "FCHS", ""; BOTH 1; fchs
	FORM "FABS", ""; BOTH 1; fabs
	FORM "FTST", ""; BOTH 1; ftst
	FORM "FXAM", ""; BOTH 1; fxam
	FORM "FDECSTP", ""; BOTH 1; fdecstp
	FORM "FINCSTP", ""; BOTH 1; fincstp
	FORM "FXCH st(i)", ""; BOTH 1; fxch st(1)
	FORM "FCOM st(i)", ""; COPIES 7; fcom st(1); fcom st(2); fcom st(3); fcom st(4)
		fcom st(5); fcom st(6); fcom st(7)
	FORM "FADD st(i), st (st = 0.0)", ""; CHAIN 1; fadd st(1), st; COPIES 7; fadd st(1), st
		fadd st(2), st; fadd st(3), st; fadd st(4), st; fadd st(5), st; fadd st(6), st
		fadd st(7), st
	FORM "FADD st(i), st", ""; CHAIN 1; fadd st(1), st; COPIES 7; fadd st(1), st
		fadd st(2), st; fadd st(3), st; fadd st(4), st; fadd st(5), st; fadd st(6), st
		fadd st(7), st
	FORM "FADD st, st(i), FXCH st(i)", ""; CHAIN 1; fadd st, st(1); fxch st(1); COPIES 7
		fadd st, st(1); fxch st(1); fadd st, st(2); fxch st(2); fadd st, st(3)
		fxch st(3); fadd st, st(4); fxch st(4); fadd st, st(5); fxch st(5)
		fadd st, st(6); fxch st(6); fadd st, st(7); fxch st(7)
	FORM "FMUL st(i), st (st = 0.0)", ""; CHAIN 1; fmul st(1), st; COPIES 7; fmul st(1), st
		fmul st(2), st; fmul st(3), st; fmul st(4), st; fmul st(5), st; fmul st(6), st
		fmul st(7), st
	FORM "FMUL st(i), st", ""; CHAIN 1; fmul st(1), st; COPIES 7; fmul st(1), st
		fmul st(2), st; fmul st(3), st; fmul st(4), st; fmul st(5), st; fmul st(6), st
		fmul st(7), st
	FORM "FMUL st, st(i), FXCH st(i)", ""; CHAIN 1; fmul st, st(1); fxch st(1); COPIES 7
		fmul st, st(1); fxch st(1); fmul st, st(2); fxch st(2); fmul st, st(3)
		fxch st(3); fmul st, st(4); fxch st(4); fmul st, st(5); fxch st(5)
		fmul st, st(6); fxch st(6); fmul st, st(7); fxch st(7)
	FORM "FMUL + FADD st, st(i)", ""; CHAIN 1; fmul st, st(1); fadd st, st(1)
	FORM "FMUL st(2i) FADD st(2i+1)", ""; CHAIN 1; fmul st(2), st; fadd st(3), st
	FORM "FDIV32 st(i), st", "pc24"; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV64 st(i), st", "pc53"; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV80 st(i), st", ""; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV80 (0.0l/x)", "zero"; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV80 (x/1.0l)", ""; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV80 (x/2.0l)", ""; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FDIV80 (x/0.5l)", ""; CHAIN 1; fdiv st(1), st; COPIES 7; fdiv st(1), st
		fdiv st(2), st; fdiv st(3), st; fdiv st(4), st; fdiv st(5), st; fdiv st(6), st
		fdiv st(7), st
	FORM "FSQRT32 st", "pc24"; CHAIN 1; fsqrt; COPIES 7; fsqrt; fxch st(1); fsqrt
		fxch st(2); fsqrt; fxch st(3); fsqrt; fxch st(4); fsqrt; fxch st(5); fsqrt
		fxch st(6); fsqrt; fxch st(7)
	FORM "FSQRT64 st", "pc53"; CHAIN 1; fsqrt; COPIES 7; fsqrt; fxch st(1); fsqrt
		fxch st(2); fsqrt; fxch st(3); fsqrt; fxch st(4); fsqrt; fxch st(5); fsqrt
		fxch st(6); fsqrt; fxch st(7)
	FORM "FSQRT80 st", ""; CHAIN 1; fsqrt; COPIES 7; fsqrt; fxch st(1); fsqrt; fxch st(2)
		fsqrt; fxch st(3); fsqrt; fxch st(4); fsqrt; fxch st(5); fsqrt; fxch st(6)
		fsqrt; fxch st(7)
	FORM "FSQRT80 (0.0l)", "zero"; CHAIN 1; fsqrt; COPIES 7; fsqrt; fxch st(1); fsqrt
		fxch st(2); fsqrt; fxch st(3); fsqrt; fxch st(4); fsqrt; fxch st(5); fsqrt
		fxch st(6); fsqrt; fxch st(7)
	FORM "FSQRT80 (1.0l)", ""; CHAIN 1; fsqrt; COPIES 7; fsqrt; fxch st(1); fsqrt
		fxch st(2); fsqrt; fxch st(3); fsqrt; fxch st(4); fsqrt; fxch st(5); fsqrt
		fxch st(6); fsqrt; fxch st(7)
	FORM "FSIN80 (0.0)", "zero"; CHAIN 1; fsin; COPIES 7; fsin; fxch st(1); fsin; fxch st(2)
		fsin; fxch st(3); fsin; fxch st(4); fsin; fxch st(5); fsin; fxch st(6); fsin
		fxch st(7)
	FORM "FSIN80 (0.0) + FADD", "zero"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (1.0) + FADD", "angle=1.0"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (4Pi) + FADD", "angle=12.566370614359172"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (2Pi) + FADD", "angle=6.283185307179586"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi) + FADD", "angle=3.141592653589793"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi/2) + FADD", "angle=1.5707963267948966"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi/4) + FADD", "angle=0.7853981633974483"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi/8) + FADD", "angle=0.39269908169872414"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi/16) + FADD", "angle=0.19634954084936207"; BOTH 1; fsin; fadd st, st(1)
	FORM "FSIN80 (Pi/32) + FADD", "angle=0.09817477042468103"; BOTH 1; fsin; fadd st, st(1)
	FORM "FCOS80 (0.73908513...)", "angle=0.7390851332151607"; CHAIN 1; fcos; COPIES 7; fcos
		fxch st(1); fcos; fxch st(2); fcos; fxch st(3); fcos; fxch st(4); fcos
		fxch st(5); fcos; fxch st(6); fcos; fxch st(7)
	FORM "FCOS80 (0.73908513...)+FADD", "angle=0.7390851332151607"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (0.0) + FADD", "zero"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (1.0) + FADD", "angle=1.0"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (4Pi) + FADD", "angle=12.566370614359172"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (2Pi) + FADD", "angle=6.283185307179586"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi) + FADD", "angle=3.141592653589793"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi/2) + FADD", "angle=1.5707963267948966"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi/4) + FADD", "angle=0.7853981633974483"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi/8) + FADD", "angle=0.39269908169872414"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi/16) + FADD", "angle=0.19634954084936207"; BOTH 1; fcos; fadd st, st(1)
	FORM "FCOS80 (Pi/32) + FADD", "angle=0.09817477042468103"; BOTH 1; fcos; fadd st, st(1)
/* MMX */
	FORM "EMMS", ""; BOTH 1; emms
	FORM "MOVD r32, mm", ""; COPIES 4; movd eax, mm0; movd ecx, mm1; movd edx, mm2
		movd ebx, mm3
	FORM "MOVD mm, r32", ""; COPIES 4; movd mm0, eax; movd mm1, ecx; movd mm2, edx
		movd mm3, ebx
	FORM "MOVD r32, mm+MOVD mm, r32", ""; CHAIN 1; movd eax, mm0; movd mm0, eax; COPIES 4
		movd eax, mm0; movd mm4, eax; movd ecx, mm1; movd mm5, ecx; movd edx, mm2
		movd mm6, edx; movd ebx, mm3; movd mm7, ebx
	FORM "MOVD mm, [m32]", ""; COPIES 4; movd mm0, dword ptr [esi + 0]
		movd mm1, dword ptr [esi + 8]; movd mm2, dword ptr [esi + 16]
		movd mm3, dword ptr [esi + 24]
	FORM "MOVD [m32], mm", "store-miss"; COPIES 4; movd dword ptr [esi + 0], mm0
		movd dword ptr [esi + 8], mm1; movd dword ptr [esi + 16], mm2
		movd dword ptr [esi + 24], mm3
	FORM "MOVD mm,[m32]+MOVD [m32],mm", ""; CHAIN 1; movd mm0, dword ptr [esi]
		movd dword ptr [esi], mm0; COPIES 4; movd mm0, dword ptr [esi + 0]
		movd dword ptr [esi + 0], mm0; movd mm1, dword ptr [esi + 8]
		movd dword ptr [esi + 8], mm1; movd mm2, dword ptr [esi + 16]
		movd dword ptr [esi + 16], mm2; movd mm3, dword ptr [esi + 24]
		movd dword ptr [esi + 24], mm3
	FORM "MOVQ mm, mm", ""; CHAIN 2; movq mm0, mm1; movq mm1, mm0; COPIES 6; movq mm0, mm7
		movq mm1, mm7; movq mm2, mm7; movq mm3, mm7; movq mm4, mm7; movq mm5, mm7
	FORM "MOVQ mm, [m64]", ""; COPIES 4; movq mm0, qword ptr [esi + 0]
		movq mm1, qword ptr [esi + 8]; movq mm2, qword ptr [esi + 16]
		movq mm3, qword ptr [esi + 24]
	FORM "MOVQ [m64], mm", "store-miss"; COPIES 4; movq qword ptr [esi + 0], mm0
		movq qword ptr [esi + 8], mm1; movq qword ptr [esi + 16], mm2
		movq qword ptr [esi + 24], mm3
	FORM "MOVQ mm,[m64]+MOVQ [m64],mm", ""; CHAIN 1; movq mm0, qword ptr [esi]
		movq qword ptr [esi], mm0; COPIES 4; movq mm0, qword ptr [esi + 0]
		movq qword ptr [esi + 0], mm0; movq mm1, qword ptr [esi + 8]
		movq qword ptr [esi + 8], mm1; movq mm2, qword ptr [esi + 16]
		movq qword ptr [esi + 16], mm2; movq mm3, qword ptr [esi + 24]
		movq qword ptr [esi + 24], mm3
	FORM "PADDB mm, mm", ""; CHAIN 1; paddb mm0, mm7; COPIES 6; paddb mm0, mm7
		paddb mm1, mm7; paddb mm2, mm7; paddb mm3, mm7; paddb mm4, mm7; paddb mm5, mm7
	FORM "PADDW mm, mm", ""; CHAIN 1; paddw mm0, mm7; COPIES 6; paddw mm0, mm7
		paddw mm1, mm7; paddw mm2, mm7; paddw mm3, mm7; paddw mm4, mm7; paddw mm5, mm7
	FORM "PADDD mm, mm", ""; CHAIN 1; paddd mm0, mm7; COPIES 6; paddd mm0, mm7
		paddd mm1, mm7; paddd mm2, mm7; paddd mm3, mm7; paddd mm4, mm7; paddd mm5, mm7
	FORM "PADDSB mm, mm", ""; CHAIN 1; paddsb mm0, mm7; COPIES 6; paddsb mm0, mm7
		paddsb mm1, mm7; paddsb mm2, mm7; paddsb mm3, mm7; paddsb mm4, mm7
		paddsb mm5, mm7
	FORM "PADDSW mm, mm", ""; CHAIN 1; paddsw mm0, mm7; COPIES 6; paddsw mm0, mm7
		paddsw mm1, mm7; paddsw mm2, mm7; paddsw mm3, mm7; paddsw mm4, mm7
		paddsw mm5, mm7
	FORM "PADDUSB mm, mm", ""; CHAIN 1; paddusb mm0, mm7; COPIES 6; paddusb mm0, mm7
		paddusb mm1, mm7; paddusb mm2, mm7; paddusb mm3, mm7; paddusb mm4, mm7
		paddusb mm5, mm7
	FORM "PADDUSW mm, mm", ""; CHAIN 1; paddusw mm0, mm7; COPIES 6; paddusw mm0, mm7
		paddusw mm1, mm7; paddusw mm2, mm7; paddusw mm3, mm7; paddusw mm4, mm7
		paddusw mm5, mm7
	FORM "PSUBB mm, mm", ""; CHAIN 1; psubb mm0, mm7; COPIES 6; psubb mm0, mm7
		psubb mm1, mm7; psubb mm2, mm7; psubb mm3, mm7; psubb mm4, mm7; psubb mm5, mm7
	FORM "PSUBB mm_1, mm_2", ""; CHAIN 1; psubb mm0, mm7; COPIES 6; psubb mm0, mm7
		psubb mm1, mm7; psubb mm2, mm7; psubb mm3, mm7; psubb mm4, mm7; psubb mm5, mm7
	FORM "PSUBW mm, mm", ""; CHAIN 1; psubw mm0, mm7; COPIES 6; psubw mm0, mm7
		psubw mm1, mm7; psubw mm2, mm7; psubw mm3, mm7; psubw mm4, mm7; psubw mm5, mm7
	FORM "PSUBW mm_1, mm_2", ""; CHAIN 1; psubw mm0, mm7; COPIES 6; psubw mm0, mm7
		psubw mm1, mm7; psubw mm2, mm7; psubw mm3, mm7; psubw mm4, mm7; psubw mm5, mm7
	FORM "PSUBD mm, mm", ""; CHAIN 1; psubd mm0, mm7; COPIES 6; psubd mm0, mm7
		psubd mm1, mm7; psubd mm2, mm7; psubd mm3, mm7; psubd mm4, mm7; psubd mm5, mm7
	FORM "PSUBD mm_1, mm_2", ""; CHAIN 1; psubd mm0, mm7; COPIES 6; psubd mm0, mm7
		psubd mm1, mm7; psubd mm2, mm7; psubd mm3, mm7; psubd mm4, mm7; psubd mm5, mm7
	FORM "PSUBSB mm, mm", ""; CHAIN 1; psubsb mm0, mm7; COPIES 6; psubsb mm0, mm7
		psubsb mm1, mm7; psubsb mm2, mm7; psubsb mm3, mm7; psubsb mm4, mm7
		psubsb mm5, mm7
	FORM "PSUBSB mm_1, mm_2", ""; CHAIN 1; psubsb mm0, mm7; COPIES 6; psubsb mm0, mm7
		psubsb mm1, mm7; psubsb mm2, mm7; psubsb mm3, mm7; psubsb mm4, mm7
		psubsb mm5, mm7
	FORM "PSUBSW mm, mm", ""; CHAIN 1; psubsw mm0, mm7; COPIES 6; psubsw mm0, mm7
		psubsw mm1, mm7; psubsw mm2, mm7; psubsw mm3, mm7; psubsw mm4, mm7
		psubsw mm5, mm7
	FORM "PSUBSW mm_1, mm_2", ""; CHAIN 1; psubsw mm0, mm7; COPIES 6; psubsw mm0, mm7
		psubsw mm1, mm7; psubsw mm2, mm7; psubsw mm3, mm7; psubsw mm4, mm7
		psubsw mm5, mm7
	FORM "PSUBUSB mm, mm", ""; CHAIN 1; psubusb mm0, mm7; COPIES 6; psubusb mm0, mm7
		psubusb mm1, mm7; psubusb mm2, mm7; psubusb mm3, mm7; psubusb mm4, mm7
		psubusb mm5, mm7
	FORM "PSUBUSB mm_1, mm_2", ""; CHAIN 1; psubusb mm0, mm7; COPIES 6; psubusb mm0, mm7
		psubusb mm1, mm7; psubusb mm2, mm7; psubusb mm3, mm7; psubusb mm4, mm7
		psubusb mm5, mm7
	FORM "PSUBUSW mm, mm", ""; CHAIN 1; psubusw mm0, mm7; COPIES 6; psubusw mm0, mm7
		psubusw mm1, mm7; psubusw mm2, mm7; psubusw mm3, mm7; psubusw mm4, mm7
		psubusw mm5, mm7
	FORM "PSUBUSW mm_1, mm_2", ""; CHAIN 1; psubusw mm0, mm7; COPIES 6; psubusw mm0, mm7
		psubusw mm1, mm7; psubusw mm2, mm7; psubusw mm3, mm7; psubusw mm4, mm7
		psubusw mm5, mm7
	FORM "PCMPEQB mm, mm", ""; CHAIN 1; pcmpeqb mm0, mm7; COPIES 6; pcmpeqb mm0, mm7
		pcmpeqb mm1, mm7; pcmpeqb mm2, mm7; pcmpeqb mm3, mm7; pcmpeqb mm4, mm7
		pcmpeqb mm5, mm7
	FORM "PCMPEQB mm_1, mm_2", ""; CHAIN 1; pcmpeqb mm0, mm7; COPIES 6; pcmpeqb mm0, mm7
		pcmpeqb mm1, mm7; pcmpeqb mm2, mm7; pcmpeqb mm3, mm7; pcmpeqb mm4, mm7
		pcmpeqb mm5, mm7
	FORM "PCMPEQW mm, mm", ""; CHAIN 1; pcmpeqw mm0, mm7; COPIES 6; pcmpeqw mm0, mm7
		pcmpeqw mm1, mm7; pcmpeqw mm2, mm7; pcmpeqw mm3, mm7; pcmpeqw mm4, mm7
		pcmpeqw mm5, mm7
	FORM "PCMPEQW mm_1, mm_2", ""; CHAIN 1; pcmpeqw mm0, mm7; COPIES 6; pcmpeqw mm0, mm7
		pcmpeqw mm1, mm7; pcmpeqw mm2, mm7; pcmpeqw mm3, mm7; pcmpeqw mm4, mm7
		pcmpeqw mm5, mm7
	FORM "PCMPEQD mm, mm", ""; CHAIN 1; pcmpeqd mm0, mm7; COPIES 6; pcmpeqd mm0, mm7
		pcmpeqd mm1, mm7; pcmpeqd mm2, mm7; pcmpeqd mm3, mm7; pcmpeqd mm4, mm7
		pcmpeqd mm5, mm7
	FORM "PCMPEQD mm_1, mm_2", ""; CHAIN 1; pcmpeqd mm0, mm7; COPIES 6; pcmpeqd mm0, mm7
		pcmpeqd mm1, mm7; pcmpeqd mm2, mm7; pcmpeqd mm3, mm7; pcmpeqd mm4, mm7
		pcmpeqd mm5, mm7
	FORM "PCMPGTB mm, mm", ""; CHAIN 1; pcmpgtb mm0, mm7; COPIES 6; pcmpgtb mm0, mm7
		pcmpgtb mm1, mm7; pcmpgtb mm2, mm7; pcmpgtb mm3, mm7; pcmpgtb mm4, mm7
		pcmpgtb mm5, mm7
	FORM "PCMPGTB mm_1, mm_2", ""; CHAIN 1; pcmpgtb mm0, mm7; COPIES 6; pcmpgtb mm0, mm7
		pcmpgtb mm1, mm7; pcmpgtb mm2, mm7; pcmpgtb mm3, mm7; pcmpgtb mm4, mm7
		pcmpgtb mm5, mm7
	FORM "PCMPGTW mm, mm", ""; CHAIN 1; pcmpgtw mm0, mm7; COPIES 6; pcmpgtw mm0, mm7
		pcmpgtw mm1, mm7; pcmpgtw mm2, mm7; pcmpgtw mm3, mm7; pcmpgtw mm4, mm7
		pcmpgtw mm5, mm7
	FORM "PCMPGTW mm_1, mm_2", ""; CHAIN 1; pcmpgtw mm0, mm7; COPIES 6; pcmpgtw mm0, mm7
		pcmpgtw mm1, mm7; pcmpgtw mm2, mm7; pcmpgtw mm3, mm7; pcmpgtw mm4, mm7
		pcmpgtw mm5, mm7
	FORM "PCMPGTD mm, mm", ""; CHAIN 1; pcmpgtd mm0, mm7; COPIES 6; pcmpgtd mm0, mm7
		pcmpgtd mm1, mm7; pcmpgtd mm2, mm7; pcmpgtd mm3, mm7; pcmpgtd mm4, mm7
		pcmpgtd mm5, mm7
	FORM "PCMPGTD mm_1, mm_2", ""; CHAIN 1; pcmpgtd mm0, mm7; COPIES 6; pcmpgtd mm0, mm7
		pcmpgtd mm1, mm7; pcmpgtd mm2, mm7; pcmpgtd mm3, mm7; pcmpgtd mm4, mm7
		pcmpgtd mm5, mm7
	FORM "PAND mm, mm", ""; CHAIN 1; pand mm0, mm7; COPIES 6; pand mm0, mm7; pand mm1, mm7
		pand mm2, mm7; pand mm3, mm7; pand mm4, mm7; pand mm5, mm7
	FORM "PAND mm_1, mm_2", ""; CHAIN 1; pand mm0, mm7; COPIES 6; pand mm0, mm7
		pand mm1, mm7; pand mm2, mm7; pand mm3, mm7; pand mm4, mm7; pand mm5, mm7
	FORM "PANDN mm, mm", ""; CHAIN 1; pandn mm0, mm7; COPIES 6; pandn mm0, mm7
		pandn mm1, mm7; pandn mm2, mm7; pandn mm3, mm7; pandn mm4, mm7; pandn mm5, mm7
	FORM "PANDN mm_1, mm_2", ""; CHAIN 1; pandn mm0, mm7; COPIES 6; pandn mm0, mm7
		pandn mm1, mm7; pandn mm2, mm7; pandn mm3, mm7; pandn mm4, mm7; pandn mm5, mm7
	FORM "POR mm, mm", ""; CHAIN 1; por mm0, mm7; COPIES 6; por mm0, mm7; por mm1, mm7
		por mm2, mm7; por mm3, mm7; por mm4, mm7; por mm5, mm7
	FORM "POR mm_1, mm_2", ""; CHAIN 1; por mm0, mm7; COPIES 6; por mm0, mm7; por mm1, mm7
		por mm2, mm7; por mm3, mm7; por mm4, mm7; por mm5, mm7
	FORM "PXOR mm, mm", ""; CHAIN 1; pxor mm0, mm7; COPIES 6; pxor mm0, mm7; pxor mm1, mm7
		pxor mm2, mm7; pxor mm3, mm7; pxor mm4, mm7; pxor mm5, mm7
	FORM "PXOR mm_1, mm_2", ""; CHAIN 1; pxor mm0, mm7; COPIES 6; pxor mm0, mm7
		pxor mm1, mm7; pxor mm2, mm7; pxor mm3, mm7; pxor mm4, mm7; pxor mm5, mm7
	FORM "PMULHW mm, mm", ""; CHAIN 1; pmulhw mm0, mm7; COPIES 6; pmulhw mm0, mm7
		pmulhw mm1, mm7; pmulhw mm2, mm7; pmulhw mm3, mm7; pmulhw mm4, mm7
		pmulhw mm5, mm7
	FORM "PMULLW mm, mm", ""; CHAIN 1; pmullw mm0, mm7; COPIES 6; pmullw mm0, mm7
		pmullw mm1, mm7; pmullw mm2, mm7; pmullw mm3, mm7; pmullw mm4, mm7
		pmullw mm5, mm7
	FORM "PMADDWD mm, mm", ""; CHAIN 1; pmaddwd mm0, mm7; COPIES 6; pmaddwd mm0, mm7
		pmaddwd mm1, mm7; pmaddwd mm2, mm7; pmaddwd mm3, mm7; pmaddwd mm4, mm7
		pmaddwd mm5, mm7
	FORM "PSLLW mm, mm", ""; CHAIN 1; psllw mm0, mm7; COPIES 6; psllw mm0, mm7
		psllw mm1, mm7; psllw mm2, mm7; psllw mm3, mm7; psllw mm4, mm7; psllw mm5, mm7
	FORM "PSLLW mm, imm8", ""; CHAIN 1; psllw mm0, 3; COPIES 6; psllw mm0, 3; psllw mm1, 3
		psllw mm2, 3; psllw mm3, 3; psllw mm4, 3; psllw mm5, 3
	FORM "PSLLD mm, mm", ""; CHAIN 1; pslld mm0, mm7; COPIES 6; pslld mm0, mm7
		pslld mm1, mm7; pslld mm2, mm7; pslld mm3, mm7; pslld mm4, mm7; pslld mm5, mm7
	FORM "PSLLD mm, imm8", ""; CHAIN 1; pslld mm0, 3; COPIES 6; pslld mm0, 3; pslld mm1, 3
		pslld mm2, 3; pslld mm3, 3; pslld mm4, 3; pslld mm5, 3
	FORM "PSLLQ mm, mm", ""; CHAIN 1; psllq mm0, mm7; COPIES 6; psllq mm0, mm7
		psllq mm1, mm7; psllq mm2, mm7; psllq mm3, mm7; psllq mm4, mm7; psllq mm5, mm7
	FORM "PSLLQ mm, imm8", ""; CHAIN 1; psllq mm0, 3; COPIES 6; psllq mm0, 3; psllq mm1, 3
		psllq mm2, 3; psllq mm3, 3; psllq mm4, 3; psllq mm5, 3
	FORM "PSRAW mm, mm", ""; CHAIN 1; psraw mm0, mm7; COPIES 6; psraw mm0, mm7
		psraw mm1, mm7; psraw mm2, mm7; psraw mm3, mm7; psraw mm4, mm7; psraw mm5, mm7
	FORM "PSRAW mm, imm8", ""; CHAIN 1; psraw mm0, 3; COPIES 6; psraw mm0, 3; psraw mm1, 3
		psraw mm2, 3; psraw mm3, 3; psraw mm4, 3; psraw mm5, 3
	FORM "PSRAD mm, mm", ""; CHAIN 1; psrad mm0, mm7; COPIES 6; psrad mm0, mm7
		psrad mm1, mm7; psrad mm2, mm7; psrad mm3, mm7; psrad mm4, mm7; psrad mm5, mm7
	FORM "PSRAD mm, imm8", ""; CHAIN 1; psrad mm0, 3; COPIES 6; psrad mm0, 3; psrad mm1, 3
		psrad mm2, 3; psrad mm3, 3; psrad mm4, 3; psrad mm5, 3
	FORM "PSRLW mm, mm", ""; CHAIN 1; psrlw mm0, mm7; COPIES 6; psrlw mm0, mm7
		psrlw mm1, mm7; psrlw mm2, mm7; psrlw mm3, mm7; psrlw mm4, mm7; psrlw mm5, mm7
	FORM "PSRLW mm, imm8", ""; CHAIN 1; psrlw mm0, 3; COPIES 6; psrlw mm0, 3; psrlw mm1, 3
		psrlw mm2, 3; psrlw mm3, 3; psrlw mm4, 3; psrlw mm5, 3
	FORM "PSRLD mm, mm", ""; CHAIN 1; psrld mm0, mm7; COPIES 6; psrld mm0, mm7
		psrld mm1, mm7; psrld mm2, mm7; psrld mm3, mm7; psrld mm4, mm7; psrld mm5, mm7
	FORM "PSRLD mm, imm8", ""; CHAIN 1; psrld mm0, 3; COPIES 6; psrld mm0, 3; psrld mm1, 3
		psrld mm2, 3; psrld mm3, 3; psrld mm4, 3; psrld mm5, 3
	FORM "PSRLQ mm, mm", ""; CHAIN 1; psrlq mm0, mm7; COPIES 6; psrlq mm0, mm7
		psrlq mm1, mm7; psrlq mm2, mm7; psrlq mm3, mm7; psrlq mm4, mm7; psrlq mm5, mm7
	FORM "PSRLQ mm, imm8", ""; CHAIN 1; psrlq mm0, 3; COPIES 6; psrlq mm0, 3; psrlq mm1, 3
		psrlq mm2, 3; psrlq mm3, 3; psrlq mm4, 3; psrlq mm5, 3
	FORM "PUNPCKHBW mm, mm", ""; CHAIN 1; punpckhbw mm0, mm7; COPIES 6; punpckhbw mm0, mm7
		punpckhbw mm1, mm7; punpckhbw mm2, mm7; punpckhbw mm3, mm7; punpckhbw mm4, mm7
		punpckhbw mm5, mm7
	FORM "PUNPCKHWD mm, mm", ""; CHAIN 1; punpckhwd mm0, mm7; COPIES 6; punpckhwd mm0, mm7
		punpckhwd mm1, mm7; punpckhwd mm2, mm7; punpckhwd mm3, mm7; punpckhwd mm4, mm7
		punpckhwd mm5, mm7
	FORM "PUNPCKHDQ mm, mm", ""; CHAIN 1; punpckhdq mm0, mm7; COPIES 6; punpckhdq mm0, mm7
		punpckhdq mm1, mm7; punpckhdq mm2, mm7; punpckhdq mm3, mm7; punpckhdq mm4, mm7
		punpckhdq mm5, mm7
	FORM "PUNPCKLBW mm, mm", ""; CHAIN 1; punpcklbw mm0, mm7; COPIES 6; punpcklbw mm0, mm7
		punpcklbw mm1, mm7; punpcklbw mm2, mm7; punpcklbw mm3, mm7; punpcklbw mm4, mm7
		punpcklbw mm5, mm7
	FORM "PUNPCKLWD mm, mm", ""; CHAIN 1; punpcklwd mm0, mm7; COPIES 6; punpcklwd mm0, mm7
		punpcklwd mm1, mm7; punpcklwd mm2, mm7; punpcklwd mm3, mm7; punpcklwd mm4, mm7
		punpcklwd mm5, mm7
	FORM "PUNPCKLDQ mm, mm", ""; CHAIN 1; punpckldq mm0, mm7; COPIES 6; punpckldq mm0, mm7
		punpckldq mm1, mm7; punpckldq mm2, mm7; punpckldq mm3, mm7; punpckldq mm4, mm7
		punpckldq mm5, mm7
	FORM "PACKSSWB mm, mm", ""; CHAIN 1; packsswb mm0, mm7; COPIES 6; packsswb mm0, mm7
		packsswb mm1, mm7; packsswb mm2, mm7; packsswb mm3, mm7; packsswb mm4, mm7
		packsswb mm5, mm7
	FORM "PACKUSWB mm, mm", ""; CHAIN 1; packuswb mm0, mm7; COPIES 6; packuswb mm0, mm7
		packuswb mm1, mm7; packuswb mm2, mm7; packuswb mm3, mm7; packuswb mm4, mm7
		packuswb mm5, mm7
	FORM "PACKSSDW mm, mm", ""; CHAIN 1; packssdw mm0, mm7; COPIES 6; packssdw mm0, mm7
		packssdw mm1, mm7; packssdw mm2, mm7; packssdw mm3, mm7; packssdw mm4, mm7
		packssdw mm5, mm7
/* p5-sequences.csv */
	SEQUENCE "s1"; mov eax, 1; mov edx, 2; mov ecx, 3; mov ebx, 4
	SEQUENCE "s2"; add eax, ecx; add eax, ecx
	SEQUENCE "s3"; add eax, ecx; add ebx, ecx
	SEQUENCE "s4"; add [edx], eax; dec ecx
	SEQUENCE "s5"; add [esi], eax; add ebx, [esi + 4]
	SEQUENCE "s6"; add ebx, [esi]; add [esi + 4], eax
	SEQUENCE "s7"; add [esi], eax; add [esi + 4], ebx
	SEQUENCE "s8"; mov ecx, [esi]; mov edx, [esi + 4]; add ecx, eax; add edx, ebx
		mov [esi], ecx; mov [esi + 4], edx
	SEQUENCE "s9"; mov al, [esi]; mov bl, [esi + 1]
	SEQUENCE "s10"; mov al, [esi + 3]; mov bl, [esi + 4]
	SEQUENCE "s11"; mov [esi], eax; mov [esi + 32000], ebx
	SEQUENCE "s12"; mov [esi], eax; mov [esi + 32004], ebx
	SEQUENCE "s13"; add ebx, 4; mov eax, [ebx]
	SEQUENCE "s14"; mov eax, [ebx + 4]; add ebx, 4
	SEQUENCE "s15"; pop eax; pop esi
	SEQUENCE "s16"; add esp, 4; pop esi
	SEQUENCE "s17"; inc esi; lea eax, [ebx + 4*esi]
	SEQUENCE "s18"; mov al, bl; mov ah, 0
	SEQUENCE "s19"; shr eax, 4; inc ebx
	SEQUENCE "s20"; inc ebx; shr eax, 4
	SEQUENCE "s21"; cmp byte ptr [ebx + 8], 1; inc ecx
	SEQUENCE "s22"; cmp byte ptr [ebx], 1; inc ecx
/* rows r*: one rule each */
	SEQUENCE "r1"; push eax; push ebx
	SEQUENCE "r2"; push eax; call 1f; 1:
	SEQUENCE "r3"; push eax; pop ebx
	SEQUENCE "r4"; cmp eax, ebx; jz 1f; 1:
	SEQUENCE "r5"; cmp eax, ebx; .byte 0x0f, 0x84, 0, 0, 0, 0
	SEQUENCE "r6"; add eax, ebx; adc ecx, edx
	SEQUENCE "r7"; adc eax, ebx; add ecx, edx
	SEQUENCE "r8"; mov esp, eax; push ebx
	SEQUENCE "r9"; ret 4; pop eax
	SEQUENCE "r10"; push ebx; mov eax, [esp]
	SEQUENCE "r11"; fadd st, st(1); fxch st(2); fadd st, st(3); fxch st(4)
	SEQUENCE "r12"; fadd st, st(1); fxch st(2); inc eax
	SEQUENCE "r13"; fadd st, st(1); inc eax
	SEQUENCE "r14"; test eax, 1; inc ecx
	SEQUENCE "r15"; test ecx, 1; inc eax
	SEQUENCE "r16"; mov eax, [esi + 2]
	SEQUENCE "r17"; mov ax, [esi + 1]
	SEQUENCE "r18"; mul ebp; mov eax, ebx; mov ecx, es:[esi]
	SEQUENCE "r19"; mul ebp; mov ecx, es:[esi]; mov eax, ebx
	SEQUENCE "r20"; mul ebp; cdq; mov eax, ebx; mov cx, dx
	SEQUENCE "r21"; mov [esi + 4], ebx; mov eax, [esi + 4]
	SEQUENCE "r22"; mov dword ptr [esi + 4], 1; inc eax
	SEQUENCE "r23"; inc eax; mov dword ptr [esi + 4], 1
	SEQUENCE "r24"; mov eax, ebx; mov ebx, ecx
	SEQUENCE "r25"; mov [0x10000], eax; mov eax, ebx
	SEQUENCE "r26"; jmp 1f; 1: inc eax
	SEQUENCE "r27"; mov eax, [ebx]; lea ecx, [eax + 4]
	SEQUENCE "r28"; inc esi; nop; nop; mov eax, [esi]
	SEQUENCE "r29"; fadd st, st(1); fstp qword ptr [esi]
	SEQUENCE "r30"; fdiv st, st(1); imul eax, ebx
	SEQUENCE "r31"; mov eax, ebx; mov cx, dx
	SEQUENCE "r32"; inc esi; nop; nop; mov eax, [esi]; neg ebx; mov cx, dx
	SEQUENCE "r33"; fdiv st, st(1)
	SEQUENCE "r34"; mov dword ptr [0x10000], 1; inc eax
	SEQUENCE "r35"; fidiv dword ptr [esi]
	SEQUENCE "r36"; lock add [esi], eax; inc ecx
	SEQUENCE "r37"; mov eax, [esi + 2]; add ebx, [esi + 8]
	SEQUENCE "r38"; inc esi; nop; lea ebp, [edi]; mov eax, [esi]; mov ecx, [ebp]
	SEQUENCE "m13"; inc esi; nop; pmulhw mm0, mm1; mov eax, [esi]; paddb mm2, mm0
	SEQUENCE "m1"; paddb mm0, mm1; paddb mm2, mm3
	SEQUENCE "m2"; paddb mm0, mm1; paddb mm2, mm0
	SEQUENCE "m3"; pmulhw mm0, mm1; pmullw mm2, mm3
	SEQUENCE "m4"; psllw mm0, mm1; punpckhbw mm2, mm3
	SEQUENCE "m5"; pmulhw mm0, mm1; psllw mm2, mm3
	SEQUENCE "m6"; paddb mm0, [esi]; add eax, ebx
	SEQUENCE "m7"; add eax, ebx; paddb mm0, [esi]
	SEQUENCE "m8"; add eax, ebx; paddb mm0, mm1
	SEQUENCE "m9"; pmullw mm0, mm1; paddw mm0, mm2
	SEQUENCE "m10"; pmullw mm0, mm1; movq [esi], mm0
	SEQUENCE "m11"; paddb mm0, mm1; movd eax, mm0
	SEQUENCE "m12"; paddb mm0, mm1; emms; fnop
/* what the sequences are embedded in */
	SEQUENCE "rdtsc"; rdtsc
	SEQUENCE "strings"; rep lodsd; rep stosd; rep movsd; repne scasd; repe cmpsd; rep insd
	SEQUENCE "out"; out dx, al
	SEQUENCE "divisions"; fdiv st, st(2); fdiv st(2), st; fdivr st, st(2); fdivr st(2), st
		fdivp st(2), st; fdivrp st(2), st; fdiv dword ptr [esi]; fdivr dword ptr [esi]
	SEQUENCE "fence"; cpuid

	FORM "", ""
	RECORD 4, 0
