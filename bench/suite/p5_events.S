/*
 * The 42 events of "The P5 Basics, and the New Profiling Registers" (TalkieToaster, 1996), 00h to
 * 29h. p5ev.NN_name.yes makes event NN happen a known number of times, and p5ev.NN_name.no never
 * makes it happen. The names of the events are those of SDM volume 3B, "Pentium Processor
 * Performance-Monitoring Events".
 *
 * A CPU on its own with interrupts off cannot provoke three events, which have only the .no half:
 * 07h and 08h need another bus master that snoops the cache, and 27h needs an interrupt. Only the
 * article has 10h, 11h, 20h and 21h, and no source says what they count. Their snippets do what the
 * names suggest, and expect nothing.
 */
#include "bench/snippet.inc"

#define SOME 1000, 1000000 /* at least once: how often depends on the machine */

	.macro	EVENT name:req, what:req, insns:req
	SNIPPET	p5ev.\name, "\what"
	TOTAL
	INSNS	\insns
	.endm

	.macro	COUNTS event:req, low:req, high:req
	EXPECT	"p5,p5mmx", "\event", \low, \high, "counted by hand"
	.endm

/*
 * Evicts from the data cache the line that lies `at` bytes from the start of XSI's area. Eight
 * other lines of the same set do it; they lie 4 KiB apart on every Pentium.
 */
	.macro	EVICT at:req, area=XDI
	.irp	page, 0, 1, 2, 3, 4, 5, 6, 7
	mov	\at + 4096 * \page(\area), %edx
	.endr
	.endm

/*
 * Turns paging on in the 32-bit kernel, which has none otherwise. Every address maps to itself, in
 * pages of 4 MiB, and around XSI in pages of 4 KiB. The tables lie in XBX's area. The TLB is empty
 * afterwards. The engine puts CR0, CR3 and CR4 back after the snippet's last run.
 */
	.macro	PAGING
	mov	%cr0, %eax
	test	%eax, %eax
	js	3f
	xor	%ecx, %ecx
	mov	$0x87, %eax		/* present, writable, user, 4 MiB */
1:	mov	%eax, (%ebx, %ecx, 4)
	add	$0x400000, %eax
	inc	%ecx
	cmp	$1024, %ecx
	jb	1b
	mov	%esi, %edx
	shr	$22, %edx
	lea	0x1007(%ebx), %eax
	mov	%eax, (%ebx, %edx, 4)
	shl	$22, %edx
	or	$7, %edx
	xor	%ecx, %ecx
2:	mov	%edx, 4096(%ebx, %ecx, 4)
	add	$4096, %edx
	inc	%ecx
	cmp	$1024, %ecx
	jb	2b
	mov	%cr4, %eax
	or	$0x10, %eax		/* PSE */
	mov	%eax, %cr4
	mov	%ebx, %cr3
	mov	%cr0, %eax
	or	$0x80000000, %eax	/* PG */
	mov	%eax, %cr0
	jmp	3f
3:	mov	%ebx, %cr3
	.endm

	EVENT	00_data_read.yes, "four loads", 4
	COUNTS	DATA_READ, 4000, 4000
	BODY
	mov	(XSI), %eax
	mov	4(XSI), %ebx
	mov	8(XSI), %ecx
	mov	12(XSI), %edx
	END

	EVENT	00_data_read.no, "four moves that read no memory", 4
	COUNTS	DATA_READ, 0, 0
	BODY
	mov	%ecx, %eax
	mov	%edx, %ebx
	mov	%eax, (XSI)
	mov	%ebx, 4(XSI)
	END

	EVENT	01_data_write.yes, "four stores", 4
	COUNTS	DATA_WRITE, 4000, 4000
	BODY
	mov	%eax, (XSI)
	mov	%ebx, 4(XSI)
	mov	%ecx, 8(XSI)
	mov	%edx, 12(XSI)
	END

	EVENT	01_data_write.no, "two loads, which write no memory", 2
	COUNTS	DATA_WRITE, 0, 0
	BODY
	mov	(XSI), %eax
	mov	4(XSI), %ebx
	END

	EVENT	02_data_tlb_miss.yes, "loads from three pages after the TLB was emptied", 3
	PRIVILEGED
	COUNTS	DATA_TLB_MISS, 3000, 3000
	NEEDS	"pse"
	WIDTHS	SNIPPET_32
	INIT
#ifndef __x86_64__
	PAGING
#endif
	BODY
	mov	0x1000(XSI), %eax
	mov	0x2000(XSI), %ebp
	mov	0x3000(XSI), %edx
	END

	EVENT	02_data_tlb_miss.no, "the same, each page read once before", 3
	PRIVILEGED
	COUNTS	DATA_TLB_MISS, 0, 0
	NEEDS	"pse"
	WIDTHS	SNIPPET_32
	INIT
#ifndef __x86_64__
	PAGING
	mov	0x1000(XSI), %eax
	mov	0x2000(XSI), %ebp
	mov	0x3000(XSI), %edx
#endif
	BODY
	mov	0x1000(XSI), %eax
	mov	0x2000(XSI), %ebp
	mov	0x3000(XSI), %edx
	END

	EVENT	03_data_read_miss.yes, "loads of two lines that were thrown out of the cache", 2
	COUNTS	DATA_READ_MISS, 2000, 2000
	INIT
	EVICT	0x800
	EVICT	0x840
	BODY
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	END

	EVENT	03_data_read_miss.no, "loads of two lines that are in the cache", 2
	COUNTS	DATA_READ_MISS, 0, 0
	INIT
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	BODY
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	END

	EVENT	04_data_write_miss.yes, "stores to two lines that were thrown out", 2
	COUNTS	DATA_WRITE_MISS, 2000, 2000
	INIT
	EVICT	0x800
	EVICT	0x840
	BODY
	mov	%eax, 0x800(XSI)
	mov	%ecx, 0x840(XSI)
	END

	EVENT	04_data_write_miss.no, "stores to two lines that are in the cache", 2
	COUNTS	DATA_WRITE_MISS, 0, 0
	INIT
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	BODY
	mov	%eax, 0x800(XSI)
	mov	%ecx, 0x840(XSI)
	END

	EVENT	05_write_hit.yes, "stores to two lines that are in the cache", 2
	COUNTS	WRITE_HIT_TO_M_OR_E_STATE_LINES, 2000, 2000
	INIT
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	BODY
	mov	%eax, 0x800(XSI)
	mov	%ecx, 0x840(XSI)
	END

	EVENT	05_write_hit.no, "stores to two lines that were thrown out", 2
	COUNTS	WRITE_HIT_TO_M_OR_E_STATE_LINES, 0, 0
	INIT
	EVICT	0x800
	EVICT	0x840
	BODY
	mov	%eax, 0x800(XSI)
	mov	%ecx, 0x840(XSI)
	END

	/* More than one if the engine's own variables share that set. */
	EVENT	06_line_written_back.yes, "eight loads that throw out a modified line", 8
	COUNTS	DATA_CACHE_LINES_WRITTEN_BACK, 1000, 3000
	INIT
	EVICT	0x800
	mov	0x800(XSI), %eax
	mov	%eax, 0x800(XSI)
	BODY
	EVICT	0x800, XBX
	END

	EVENT	06_line_written_back.no, "eight loads of a line that stays", 8
	COUNTS	DATA_CACHE_LINES_WRITTEN_BACK, 0, 0
	INIT
	mov	0x800(XSI), %eax
	mov	%eax, 0x800(XSI)
	BODY
	.rept	8
	mov	0x800(XSI), %edx
	.endr
	END

	EVENT	07_snoop.no, "a load; there is no .yes: only another bus master snoops", 1
	COUNTS	EXTERNAL_SNOOPS, 0, 0
	BODY
	mov	(XSI), %eax
	END

	EVENT	08_snoop_hit.no, "a store; there is no .yes: only another bus master snoops", 1
	COUNTS	EXTERNAL_DATA_CACHE_SNOOP_HITS, 0, 0
	BODY
	mov	%eax, (XSI)
	END

	EVENT	09_both_pipes.yes, "two loads that pair", 2
	COUNTS	MEMORY_ACCESSES_IN_BOTH_PIPES, 1000, 1000
	BODY
	mov	(XSI), %eax
	mov	4(XSI), %ebx
	END

	EVENT	09_both_pipes.no, "a load and a move that pair", 2
	COUNTS	MEMORY_ACCESSES_IN_BOTH_PIPES, 0, 0
	BODY
	mov	(XSI), %eax
	mov	%ecx, %ebx
	END

	EVENT	0a_bank_conflict.yes, "two loads that pair, 64 bytes apart: one bank", 2
	COUNTS	BANK_CONFLICTS, 1000, 1000
	BODY
	mov	(XSI), %eax
	mov	64(XSI), %ebx
	END

	EVENT	0a_bank_conflict.no, "two loads that pair, 68 bytes apart: two banks", 2
	COUNTS	BANK_CONFLICTS, 0, 0
	BODY
	mov	(XSI), %eax
	mov	68(XSI), %ebx
	END

	EVENT	0b_misaligned.yes, "a load and a store that cross a dword's end", 2
	COUNTS	MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES, 2000, 2000
	BODY
	mov	1(XSI), %eax
	mov	%ecx, 7(XSI)
	END

	EVENT	0b_misaligned.no, "odd addresses inside a dword", 2
	COUNTS	MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES, 0, 0
	BODY
	movb	1(XSI), %al
	mov	%cx, 5(XSI)
	END

	EVENT	0c_code_read.yes, "256 bytes of code", 256
	COUNTS	CODE_READ, SOME
	BODY
	.rept	256
	nop
	.endr
	END

	EVENT	0c_code_read.no, "no code, by definition", 0
	COUNTS	CODE_READ, 0, 0
	BODY
	END

	EVENT	0d_code_tlb_miss.yes, "a call into another page after the TLB was emptied", 2
	PRIVILEGED
	COUNTS	CODE_TLB_MISS, 1000, 1000
	NEEDS	"pse"
	WIDTHS	SNIPPET_32
	INIT
#ifndef __x86_64__
	movb	$0xc3, (%edi)		/* RET */
	PAGING
#endif
	BODY
	call	*XDI
	END

	EVENT	0d_code_tlb_miss.no, "the same, called once before", 2
	PRIVILEGED
	COUNTS	CODE_TLB_MISS, 0, 0
	NEEDS	"pse"
	WIDTHS	SNIPPET_32
	INIT
#ifndef __x86_64__
	movb	$0xc3, (%edi)
	PAGING
	call	*%edi
#endif
	BODY
	call	*XDI
	END

	/* The last line of the body holds the start of the bracket too. */
	EVENT	0e_code_cache_miss.yes, "four lines of code after the caches were emptied", 128
	PRIVILEGED
	COUNTS	CODE_CACHE_MISS, 4000, 4000
	INIT
	wbinvd
	BODY
	.rept	128
	nop
	.endr
	END

	EVENT	0e_code_cache_miss.no, "the same four lines, cached", 128
	COUNTS	CODE_CACHE_MISS, 0, 0
	BODY
	.rept	128
	nop
	.endr
	END

	EVENT	0f_segment_load.yes, "ES loaded twice", 2
	COUNTS	ANY_SEGMENT_REGISTER_LOADED, 2000, 2000
	INIT
	mov	%es, %eax
	BODY
	mov	%eax, %es
	mov	%eax, %es
	END

	EVENT	0f_segment_load.no, "ES read twice", 2
	COUNTS	ANY_SEGMENT_REGISTER_LOADED, 0, 0
	BODY
	mov	%es, %eax
	mov	%es, %ecx
	END

	EVENT	10_descriptor_access.yes, "two descriptors read: what 10h counts is unverified", 2
	INIT
	mov	%es, %eax
	BODY
	mov	%eax, %es
	mov	%eax, %es
	END

	EVENT	10_descriptor_access.no, "a move between registers", 1
	COUNTS	SEGMENT_DESCRIPTOR_CACHE_ACCESSES, 0, 0
	BODY
	mov	%ecx, %eax
	END

	EVENT	11_descriptor_hit.yes, "two descriptors read: what 11h counts is unverified", 2
	INIT
	mov	%es, %eax
	BODY
	mov	%eax, %es
	mov	%eax, %es
	END

	EVENT	11_descriptor_hit.no, "a move between registers", 1
	COUNTS	SEGMENT_DESCRIPTOR_CACHE_HITS, 0, 0
	BODY
	mov	%ecx, %eax
	END

	EVENT	12_branch.yes, "two jumps and a branch that is not taken", 4
	COUNTS	BRANCHES, 3000, 3000
	BODY
	jmp	1f
1:	jmp	2f
2:	cmp	%eax, %eax
	jne	2b
	END

	EVENT	12_branch.no, "two adds", 2
	COUNTS	BRANCHES, 0, 0
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	END

	EVENT	13_btb_hit.yes, "two jumps that were taken before", 2
	COUNTS	BTB_HITS, 2000, 2000
	BODY
	jmp	1f
1:	jmp	2f
2:
	END

	EVENT	13_btb_hit.no, "two adds", 2
	COUNTS	BTB_HITS, 0, 0
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	END

	EVENT	14_taken_or_hit.yes, "two taken jumps", 2
	COUNTS	TAKEN_BRANCH_OR_BTB_HIT, 2000, 2000
	BODY
	jmp	1f
1:	jmp	2f
2:
	END

	EVENT	14_taken_or_hit.no, "two adds", 2
	COUNTS	TAKEN_BRANCH_OR_BTB_HIT, 0, 0
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	END

	EVENT	15_flush.yes, "a loop of 32 rounds: its end is predicted wrong", 65
	COUNTS	PIPELINE_FLUSHES, 1000, 1000
	BODY
	mov	$32, %ecx
1:	dec	%ecx
	jnz	1b
	END

	EVENT	15_flush.no, "two jumps that are predicted right", 2
	COUNTS	PIPELINE_FLUSHES, 0, 0
	BODY
	jmp	1f
1:	jmp	2f
2:
	END

	EVENT	16_instructions.yes, "four instructions, one of the x87", 4
	COUNTS	INSTRUCTIONS_EXECUTED, 4000, 4000
	NEEDS	"fpu"
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	not	%edx
	fnop
	END

	EVENT	16_instructions.no, "nothing, by definition", 0
	COUNTS	INSTRUCTIONS_EXECUTED, 0, 0
	BODY
	END

	EVENT	17_v_pipe.yes, "two pairs", 4
	COUNTS	INSTRUCTIONS_EXECUTED_V_PIPE, 2000, 2000
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	add	%ecx, %edx
	add	%ecx, %ebp
	END

	EVENT	17_v_pipe.no, "instructions that do not pair", 2
	COUNTS	INSTRUCTIONS_EXECUTED_V_PIPE, 0, 0
	BODY
	not	%eax
	not	%ecx
	END

	EVENT	18_bus_cycle.yes, "a load of a line that was thrown out", 1
	COUNTS	BUS_CYCLE_DURATION, SOME
	INIT
	EVICT	0x800
	BODY
	mov	0x800(XSI), %eax
	END

	EVENT	18_bus_cycle.no, "a load of a line that is in the cache", 1
	COUNTS	BUS_CYCLE_DURATION, 0, 0
	INIT
	mov	0x800(XSI), %eax
	BODY
	mov	0x800(XSI), %eax
	END

	EVENT	19_write_buffer_full.yes, "eight stores to lines that were thrown out", 8
	COUNTS	WRITE_BUFFER_FULL_STALL_DURATION, SOME
	INIT
	EVICT	0x800
	EVICT	0x840
	BODY
	.irp	at, 0, 4, 8, 12, 64, 68, 72, 76
	mov	%eax, 0x800 + \at(XSI)
	.endr
	END

	EVENT	19_write_buffer_full.no, "eight stores to lines in the cache", 8
	COUNTS	WRITE_BUFFER_FULL_STALL_DURATION, 0, 0
	INIT
	mov	0x800(XSI), %edx
	mov	0x840(XSI), %edx
	BODY
	.irp	at, 0, 4, 8, 12, 64, 68, 72, 76
	mov	%eax, 0x800 + \at(XSI)
	.endr
	END

	EVENT	1a_read_stall.yes, "a load of a line that was thrown out", 1
	COUNTS	WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION, SOME
	INIT
	EVICT	0x800
	BODY
	mov	0x800(XSI), %eax
	END

	EVENT	1a_read_stall.no, "a load of a line that is in the cache", 1
	COUNTS	WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION, 0, 0
	INIT
	mov	0x800(XSI), %eax
	BODY
	mov	0x800(XSI), %eax
	END

	EVENT	1b_write_stall.yes, "a store that hits behind one that is still on its way", 2
	COUNTS	STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE, SOME
	INIT
	EVICT	0x800
	mov	0x840(XSI), %eax
	BODY
	mov	%eax, 0x800(XSI)
	mov	%eax, 0x840(XSI)
	END

	EVENT	1b_write_stall.no, "two stores that hit", 2
	COUNTS	STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE, 0, 0
	INIT
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %eax
	BODY
	mov	%eax, 0x800(XSI)
	mov	%eax, 0x840(XSI)
	END

	EVENT	1c_locked.yes, "a locked increment and an exchange with memory", 2
	COUNTS	LOCKED_BUS_CYCLE, 2000, 2000
	BODY
	lock incl (XSI)
	xchg	%eax, (XSI)
	END

	EVENT	1c_locked.no, "the same increment without the lock", 1
	COUNTS	LOCKED_BUS_CYCLE, 0, 0
	BODY
	incl	(XSI)
	END

	EVENT	1d_io.yes, "port 80h read twice", 2
	PRIVILEGED
	COUNTS	IO_READ_OR_WRITE_CYCLE, 2000, 2000
	BODY
	in	$0x80, %al
	in	$0x80, %al
	END

	EVENT	1d_io.no, "two loads from memory", 2
	COUNTS	IO_READ_OR_WRITE_CYCLE, 0, 0
	BODY
	mov	(XSI), %al
	mov	4(XSI), %al
	END

	EVENT	1e_noncacheable.yes, "two loads from the memory of the VGA", 2
	PRIVILEGED
	COUNTS	NONCACHEABLE_MEMORY_READS, 2000, 2000
	INIT
	mov	$0xb8000, %ebx
	BODY
	mov	(XBX), %eax
	mov	(XBX), %eax
	END

	EVENT	1e_noncacheable.no, "two loads from main memory", 2
	COUNTS	NONCACHEABLE_MEMORY_READS, 0, 0
	BODY
	mov	(XSI), %eax
	mov	(XSI), %eax
	END

	EVENT	1f_agi.yes, "an address made right before its use", 2
	COUNTS	PIPELINE_AGI_STALLS, 1000, 1000
	INIT
	mov	XSI, XBX
	BODY
	mov	XSI, XBX
	mov	(XBX), %eax
	END

	EVENT	1f_agi.no, "two clocks between", 4
	COUNTS	PIPELINE_AGI_STALLS, 0, 0
	BODY
	mov	XSI, XBX
	not	%ecx
	not	%ecx
	mov	(XBX), %eax
	END

	EVENT	20_unknown.yes, "a load and a store: what 20h counts is unknown", 2
	BODY
	mov	(XSI), %eax
	mov	%eax, 4(XSI)
	END

	EVENT	20_unknown.no, "nothing, by definition", 0
	COUNTS	UNKNOWN_20H, 0, 0
	BODY
	END

	EVENT	21_unknown.yes, "a load and a store: what 21h counts is unknown", 2
	BODY
	mov	(XSI), %eax
	mov	%eax, 4(XSI)
	END

	EVENT	21_unknown.no, "nothing, by definition", 0
	COUNTS	UNKNOWN_21H, 0, 0
	BODY
	END

	EVENT	22_flops.yes, "two additions and a multiplication of the x87", 3
	COUNTS	FLOPS, 3000, 3000
	NEEDS	"fpu"
	INIT
	fldz
	fldz
	BODY
	fadd	%st(1), %st
	fmul	%st(1), %st
	fadd	%st(1), %st
	END

	EVENT	22_flops.no, "an exchange of x87 registers", 1
	COUNTS	FLOPS, 0, 0
	NEEDS	"fpu"
	INIT
	fldz
	fldz
	BODY
	fxch	%st(1)
	END

/*
 * A breakpoint that DR7 describes but does not enable still drives its BP pin and counts, and traps
 * nobody (SDM volume 3B on 23h to 26h). DR7 17:16, 19:18 and so on: R/W = 3 and LEN = 3 of DR0 to
 * DR3.
 */
	.macro	BREAKPOINT code:req, reg:req
	EVENT	\code\()_breakpoint.yes, "a load and a store where DR\reg points", 2
	PRIVILEGED
	COUNTS	BREAKPOINT_MATCH_ON_DR\reg\()_REGISTER, 2000, 2000
	INIT
	mov	XSI, %dr\reg
	mov	$0xf0000 << (4 * \reg) & 0xffff0000 | 0x400, %eax
	mov	XAX, %dr7
	BODY
	mov	(XSI), %eax
	mov	%eax, (XSI)
	END

	EVENT	\code\()_breakpoint.no, "a load and a store elsewhere", 2
	PRIVILEGED
	COUNTS	BREAKPOINT_MATCH_ON_DR\reg\()_REGISTER, 0, 0
	INIT
	mov	XSI, %dr\reg
	mov	$0xf0000 << (4 * \reg) & 0xffff0000 | 0x400, %eax
	mov	XAX, %dr7
	BODY
	mov	64(XSI), %eax
	mov	%eax, 64(XSI)
	END
	.endm

	BREAKPOINT 23, 0
	BREAKPOINT 24, 1
	BREAKPOINT 25, 2
	BREAKPOINT 26, 3

	EVENT	27_interrupt.no, "flags saved and loaded; there is no .yes: interrupts are off", 2
	COUNTS	HARDWARE_INTERRUPTS, 0, 0
	BODY
	pushf
	popf
	END

	EVENT	28_data_access.yes, "two loads and two stores", 4
	COUNTS	DATA_READ_OR_WRITE, 4000, 4000
	BODY
	mov	(XSI), %eax
	mov	4(XSI), %ebx
	mov	%eax, 8(XSI)
	mov	%ebx, 12(XSI)
	END

	EVENT	28_data_access.no, "two adds between registers", 2
	COUNTS	DATA_READ_OR_WRITE, 0, 0
	BODY
	add	%ecx, %eax
	add	%ecx, %ebx
	END

	EVENT	29_data_miss.yes, "a load and a store of lines that were thrown out", 2
	COUNTS	DATA_READ_MISS_OR_WRITE_MISS, 2000, 2000
	INIT
	EVICT	0x800
	EVICT	0x840
	BODY
	mov	0x800(XSI), %eax
	mov	%ecx, 0x840(XSI)
	END

	EVENT	29_data_miss.no, "a load and a store of lines in the cache", 2
	COUNTS	DATA_READ_MISS_OR_WRITE_MISS, 0, 0
	INIT
	mov	0x800(XSI), %eax
	mov	0x840(XSI), %ecx
	BODY
	mov	0x800(XSI), %eax
	mov	%ecx, 0x840(XSI)
	END
