/*
 * Segment selectors, the same in both widths, and where the trap stubs find things.
 * For C and assembly.
 */
#ifndef BOOT_SEGMENTS_H
#define BOOT_SEGMENTS_H

#define KERNEL_CS 0x08
#define KERNEL_DS 0x10
#define USER_CS   0x1b /* GDT entry 3, RPL 3 */
#define USER_DS   0x23 /* GDT entry 4, RPL 3 */
#define MAIN_TSS  0x28 /* 16 bytes long in 64-bit mode */
#define DF_TSS    0x30 /* the tasks behind the 32-bit task gates */
#define NMI_TSS   0x38
#define MC_TSS    0x40
#define SPARE_TSS 0x48 /* 32-bit: that of MAIN_TSS once more (kernel/trap/trap_32.c) */

#define STUB_SIZE     32   /* bytes between the entries of two vectors */
#define TRAP_STACK    8192 /* bytes of stack for one level of trap */
#define TRAP_LEVELS   4    /* 64-bit: traps inside traps that still have a stack */
#define TSS64_IST1    36   /* offset in the 64-bit TSS, SDM volume 3, figure "64-Bit TSS Format" */
#define BOOT_STACK    32768
#define AP_BLOCK      16384 /* what kernel/smp/ keeps of a CPU; its stacks are at the end */
#define AP_RETURNS    64 /* bytes above the stack of a trap from CPL 3, where INT finds its way */
#define AP_STUB       16 /* bytes between the trap entries of CPUs other than the first */
#define AP_PAGE_CODE  64 /* bytes of ap_page in boot/ap.S, at most */
#define SNIPPET_STACK 32768 /* where trap_protect() runs its function */

#endif
