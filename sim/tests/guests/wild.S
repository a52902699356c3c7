/*
 * sim/tests/guests/wild.S - execution where no program belongs: outside of RAM, in the local
 * APIC's page, at address 0, across the end of RAM and through page tables to nowhere. All of it
 * must come back as an exception.
 */
#include "guest.inc"

	.macro	JUMP address
	TRY	9f
	mov	$\address, %eax
	jmp	*%eax
9:
	.endm

test:	JUMP	0xd0000000
	CHECK	"open bus is FF FF", last_vector, $6
	CHECK	"its address", last_ip, $0xd0000000
	JUMP	0xffffffff
	CHECK	"last byte", last_vector, $6
	CHECK	"its address", last_ip, $0xffffffff
	JUMP	0xfee00000
	CHECK	"registers are no code", last_vector, $6
	CHECK	"its address", last_ip, $0xfee00000

	/* inc %ebx, jmp *%edx */
	xor	%ebx, %ebx
	mov	0, %ecx
	movl	$0x90e2ff43, 0
	mov	$1f, %edx
	xor	%eax, %eax
	jmp	*%eax
1:	CHECK	"code at address 0", %ebx, $1
	mov	%ecx, 0

	/* the end of RAM as the loader states it; mov $imm32, %eax with one byte of it */
	mov	boot_info, %edi
	mov	8(%edi), %edi
	add	$1024, %edi
	shl	$10, %edi
	movb	$0x43, -2(%edi)
	movb	$0xb8, -1(%edi)
	TRY	1f
	lea	-2(%edi), %ecx
	xor	%ebx, %ebx
	jmp	*%ecx
1:	CHECK	"across the end", last_vector, $6
	CHECK	"executed there", %ebx, $1
	CHECK	"constant from the open bus", %eax, $0xffffffff
	lea	4(%edi), %ecx
	CHECK	"first byte that is none", last_ip, %ecx

	/* 4 MB pages: 40000000h has no page, 40400000h one without RAM, 40800000h one with code */
	mov	$page_directory, %edi
	mov	$0x83, %eax
	mov	$1024, %ecx
2:	stosl
	add	$0x400000, %eax
	loop	2b
	movl	$0, page_directory + 4 * 256
	movl	$0xd0000083, page_directory + 4 * 257
	movl	$0x00000083, page_directory + 4 * 258
	mov	%cr4, %eax
	or	$0x10, %eax
	mov	%eax, %cr4
	mov	$page_directory, %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	JUMP	0x40000123
	CHECK	"no page", last_vector, $14
	CHECK	"its address", last_ip, $0x40000123
	mov	%cr2, %eax
	CHECK	"cr2", %eax, $0x40000123
	JUMP	0x40400123
	CHECK	"page of nothing", last_vector, $6
	CHECK	"its address", last_ip, $0x40400123
	xor	%ebx, %ebx
	mov	$2f + 0x40800000, %eax
	mov	$1f, %edx
	jmp	*%eax
2:	inc	%ebx
	jmp	*%edx
1:	CHECK	"page of code", %ebx, $1

	/* data through such pages */
	CHECK	"load from elsewhere", value + 0x40800000, $0x13572468
	movl	$0x24681357, value + 0x40800000
	CHECK	"store to elsewhere", value, $0x24681357
	CHECK	"open bus", 0x40400000, $0xffffffff
	/* and from RAM's own addresses: 00c00000h to the page below it */
	movl	$0x00000083, page_directory + 4 * 3
	mov	%cr3, %eax
	mov	%eax, %cr3
	CHECK	"load from below", value + 0xc00000, $0x24681357
	movl	$0x11223344, value + 0xc00000
	CHECK	"store to below", value, $0x11223344
	/* 4 KB pages */
	mov	$page_table, %edi
	mov	$3, %eax
	mov	$1024, %ecx
2:	stosl
	add	$0x1000, %eax
	loop	2b
	mov	$value_page + 3, %eax
	mov	%eax, page_table + 4 * 0x3fe
	mov	%eax, page_table + 4 * 0x3ff
	mov	$page_table + 3, %eax
	mov	%eax, page_directory + 4 * 3
	mov	%eax, page_directory + 4 * 770	/* c0800000h */
	mov	%cr3, %eax
	mov	%eax, %cr3
	movl	$0x55667788, value_page + 0x10
	CHECK	"small page in RAM", 0x00ffe010, $0x55667788
	CHECK	"small page outside", 0xc0bfe010, $0x55667788
	movl	$0x99aabbcc, 0xc0bff010
	CHECK	"written outside", value_page + 0x10, $0x99aabbcc
	movl	$0x10203040, 0x00fff010
	CHECK	"written inside", value_page + 0x10, $0x10203040
	movl	$0x11112222, value_page + 0xffc
	movl	$0x33334444, value_page
	CHECK	"across two pages of one", 0x00ffeffe, $0x44441111
	CHECK	"the same outside", 0xc0bfeffe, $0x44441111

	mov	%cr0, %eax
	and	$0x7fffffff, %eax
	mov	%eax, %cr0
	ret

	.data
value:	.long	0x13572468
	.bss
	.balign	4096
page_directory:	.skip 4096
page_table:	.skip 4096
value_page:	.skip 4096
