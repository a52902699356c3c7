/*
 * The two headers by which boot loaders recognize the kernel: Multiboot 1 (0.6.96, section 3.1) and
 * Multiboot 2 (2.0, section 3.1). linker.ld puts them first in the image.
 *
 * The screen shall stay in text mode on a BIOS and be a framebuffer on UEFI. Multiboot 2 says that
 * any framebuffer will do; boot/media/grub.cfg keeps text on a BIOS. The Multiboot 1 header says
 * nothing, or QEMU would complain; GRUB on UEFI hands over a framebuffer anyway.
 *
 * With KEEP_BOOT_SERVICES the header asks UEFI of the kernel's own width to stay alive
 * (boot/efi_32.S, boot/efi_64.S). A loader that does not know the tags ignores them. GRUB for
 * either width of UEFI knows the first of them, so it must not be given the other width's kernel.
 */
#define MB1_MAGIC		0x1badb002
#define MB1_ALIGN_MODULES	0x1
#define MB1_MEMORY_INFO		0x2
#define MB1_FLAGS		(MB1_ALIGN_MODULES | MB1_MEMORY_INFO)

#define MB2_MAGIC		0xe85250d6
#define MB2_I386		0	/* protected mode, also for the 64-bit kernel */
#define MB2_OPTIONAL		1
#define MB2_HEADER_REQUEST	1
#define MB2_HEADER_FRAMEBUFFER	5
#define MB2_HEADER_MODULE_ALIGN	6
#define MB2_HEADER_EFI_BOOT	7
#define MB2_HEADER_EFI64_ENTRY	9
#define MB2_INFO_BASIC_MEMORY	4
#define MB2_INFO_MEMORY_MAP	6

	.section .multiboot, "a"

	.balign 4
	.long	MB1_MAGIC
	.long	MB1_FLAGS
	.long	-(MB1_MAGIC + MB1_FLAGS)

	.balign 8
mb2:	.long	MB2_MAGIC
	.long	MB2_I386
	.long	mb2_end - mb2
	.long	-(MB2_MAGIC + MB2_I386 + (mb2_end - mb2))

	.balign 8
	.short	MB2_HEADER_REQUEST, MB2_OPTIONAL
	.long	16
	.long	MB2_INFO_BASIC_MEMORY, MB2_INFO_MEMORY_MAP

	.balign 8
	.short	MB2_HEADER_FRAMEBUFFER, MB2_OPTIONAL
	.long	20
	.long	0, 0, 0			/* width, height, depth: any */

	.balign 8
	.short	MB2_HEADER_MODULE_ALIGN, MB2_OPTIONAL
	.long	8

#ifdef KEEP_BOOT_SERVICES
	.balign 8
	.short	MB2_HEADER_EFI_BOOT, MB2_OPTIONAL
	.long	8

#ifdef __x86_64__
	.balign 8
	.short	MB2_HEADER_EFI64_ENTRY, MB2_OPTIONAL
	.long	12
	.long	start_efi
#endif
#endif

	.balign 8
	.short	0, 0			/* end of tags */
	.long	8
mb2_end:

	.section .note.GNU-stack, "", @progbits
