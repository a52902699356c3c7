# cpl0: two kernels, their boot media, and the host programs around them. GNU make.
#
#	make deps run		from a fresh clone to a log
#	make help		all targets

B       ?= build
CC      ?= gcc
HOSTCC  ?= cc
OBJCOPY ?= objcopy
LD      ?= ld

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# make's built-in CC is cc, which may be anything
ifeq ($(origin CC),default)
CC      := gcc
endif
ifeq ($(origin LD),default)
LD      := ld
endif

# The release and the commit, 0.3.0+g723f6f5a1c; without a repository the release alone. Left alone,
# git writes as many digits as the repository's size asks for; a log's length, and with it each time
# of a simulated run, would depend on the clone.
RELEASE := $(shell cat VERSION)
COMMIT  := $(shell git describe --always --abbrev=10 --dirty --exclude='*' 2>/dev/null)

# What `git describe` does not look at: files that git does not know, but that are compiled in.
ifneq ($(shell git ls-files --others -- $(foreach d,boot kernel pmu bench native,\
	'$d/*.[chS]' '$d/*.inc' '$d/*.csv') 2>/dev/null),)
COMMIT  := $(COMMIT:%-dirty=%)-dirty
endif
VERSION := $(RELEASE)$(COMMIT:%=+g%)

# The same commit gives the same bytes: all time stamps in images are the commit's.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export LC_ALL := C
export TZ := UTC

# Fails with a clear message if the host lacks a program. $(call need,PROGRAM)
need = command -v $(1) >/dev/null || { echo "$(1) is missing: run \`make deps\`" >&2; exit 3; }

# Names the step; V=1 shows the commands instead, -s nothing. $(call say,WHAT,FILE)
Q   := $(if $(V),,@)
say = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),@:,@printf '  %-5s %s\n' $(1) $(2))

# What `make test` and `make bench` consist of; fragments add to it. `make test-all` runs TESTS_LONG
# too. Those of TESTS_ALONE measure time, or keep all CPUs busy by themselves.
TESTS   := layers
TESTS_LONG :=
BENCHES := bench-boot
TESTS_ALONE := machines machines-more native fuzz-code

all: kernels iso usb

-include pmu/pmu.mk
-include bench/instr/instr.mk
-include tools/tools.mk
-include native/native.mk
-include sim/sim.mk
-include tools/dist/dist.mk
-include tests/tests.mk
-include bench/bench.mk

all: $(B)/cpl0-log $(B)/cpl0-native $(if $(wildcard sim/sim.mk),$(B)/cpl0-sim)

# --- kernels -----------------------------------------------------------------

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   := -std=gnu11 -Os -g1 -ffreestanding -fno-pic -fno-pie -fno-stack-protector \
	    -fno-asynchronous-unwind-tables -fcf-protection=none \
	    -ffunction-sections -fdata-sections -mgeneral-regs-only $(WARNINGS) -I. \
	    -ffile-prefix-map=$(abspath $(B))=build -ffile-prefix-map=$(B)=build \
	    -ffile-prefix-map=$(CURDIR)=.
# Arguments go in EAX, EDX and ECX, as in Linux on 32 bits: boot/*_32.S calls C that way.
CFLAGS_32 := -m32 -march=i586 -mregparm=3 -fomit-frame-pointer
CFLAGS_64 := -m64 -march=x86-64 -mno-red-zone -mcmodel=small
LDFLAGS   := -nostdlib -static --gc-sections --build-id=none -z max-page-size=4096 \
	     -z noexecstack
LDFLAGS_32 := -m elf_i386
LDFLAGS_64 := -m elf_x86_64

# Every source below these folders; pmu/gen holds a program of the build host.
KERNEL_SRC := $(sort $(filter-out pmu/gen/%,\
	$(foreach d,boot kernel pmu bench,$(wildcard $(d)/*.[cS] $(d)/*/*.[cS]))))

# Files named *_32 and *_64 belong to that width alone.
SRC_32 := $(filter-out %_64.c %_64.S,$(KERNEL_SRC))
SRC_64 := $(filter-out %_32.c %_32.S,$(KERNEL_SRC))

OBJ_32 := $(SRC_32:%=$(B)/32/%.o) $(B)/32/version.o \
	  $(patsubst $(B)/%,$(B)/32/%.o,$(PMU_TABLES_32) $(INSTR_TABLES_32))
OBJ_64 := $(SRC_64:%=$(B)/64/%.o) $(B)/64/version.o \
	  $(patsubst $(B)/%,$(B)/64/%.o,$(PMU_TABLES_64) $(INSTR_TABLES_64))

kernels: $(B)/32/cpl0.elf $(B)/64/cpl0.elf

# $(call width,BITS)
define width
$(B)/$(1)/%.c.o: %.c $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<

$(B)/$(1)/%.S.o: %.S $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<

$(B)/$(1)/version.o: $(B)/version.c $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -c -o $$@ $$<

$(B)/$(1)/gen/%.c.o: $(B)/gen/%.c $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<

$(B)/$(1)/cpl0.debug: $$(OBJ_$(1)) linker.ld
	$$(call say,LD,$$@)
	$$(Q)$$(LD) $$(LDFLAGS) $$(LDFLAGS_$(1)) -T linker.ld -o $$@ $$(OBJ_$(1))

# The kernel file, without symbols. It is an ELF32 file in both widths, because QEMU's -kernel takes
# no ELF64 file with a Multiboot header.
$(B)/$(1)/%.elf: $(B)/$(1)/%.debug
	$$(call say,STRIP,$$@)
	$$(Q)$$(OBJCOPY) --strip-all -O elf32-i386 $$< $$@

# What the boot media carry: GRUB reads xz, an eighth smaller than gzip. Its dictionary lies in
# memory beside the kernel: with 512 KB a machine with 4 MB has too little, and 128 KB do as well.
$(B)/$(1)/%.xz: $(B)/$(1)/%.elf
	@$$(call need,xz)
	$$(call say,XZ,$$@)
	$$(Q)xz -T1 --check=crc32 --x86 --lzma2=preset=9e,dict=128KiB,pb=0 -c <$$< >$$@

# The kernel with a header that keeps a UEFI of its width alive.
$(B)/$(1)/multiboot-uefi.o: boot/multiboot.S $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -DKEEP_BOOT_SERVICES -c -o $$@ $$<

$(B)/$(1)/cpl0-uefi.debug: $$(OBJ_$(1)) $(B)/$(1)/multiboot-uefi.o linker.ld
	$$(call say,LD,$$@)
	$$(Q)$$(LD) $$(LDFLAGS) $$(LDFLAGS_$(1)) -T linker.ld -o $$@ \
		$$(filter-out %/boot/multiboot.S.o,$$(filter %.o,$$^))
endef
$(eval $(call width,32))
$(eval $(call width,64))
# Rules with % made them, and make would remove them again.
.SECONDARY: $(B)/32/cpl0-uefi.elf $(B)/64/cpl0-uefi.elf

-include $(OBJ_32:.o=.d) $(OBJ_64:.o=.d)

# Files that hold what a build depends on besides sources; written only when it changes.
# $(call remember,TEXT)
remember = @mkdir -p $(@D); printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@

$(B)/flags-32: FORCE
	$(call remember,$(CC) $(CFLAGS) $(CFLAGS_32))

$(B)/flags-64: FORCE
	$(call remember,$(CC) $(CFLAGS) $(CFLAGS_64))

$(B)/version.c: FORCE
	$(call remember,extern const char cpl0_version[]; const char cpl0_version[] = "$(VERSION)";)

$(B)/epoch: FORCE
	$(call remember,$(SOURCE_DATE_EPOCH))

FORCE:

# What one of these would ignore is refused. Only the command line counts: make hands its variables
# on to other makes.
TAKE_ARGS    := run iso iso-with usb floppy pxe snippet all
TAKE_MODULES := iso iso-with usb pxe all
# $(call refuse,VARIABLE,TARGETS)
refuse = $(if $(filter command%,$(origin $(1))),$(if $(filter-out $(2),$(MAKECMDGOALS)),$(error \
	make $(firstword $(filter-out $(2),$(MAKECMDGOALS))) takes no $(1)=: these do: $(2))))
$(call refuse,ARGS,$(TAKE_ARGS))
$(call refuse,MODULES,$(TAKE_MODULES))

# What is installed first must be there when the rest begins.
ifneq ($(filter deps deps-test clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

# --- boot media --------------------------------------------------------------

GRUB_DIR     ?= /usr/lib/grub
GRUB_MKIMAGE ?= $(firstword $(shell command -v grub-mkimage grub2-mkimage) grub-mkimage)

GRUB_MODULES      := iso9660 part_msdos part_gpt normal search_fs_uuid multiboot multiboot2 boot \
		     xzio serial terminal cpuid test echo reboot
GRUB_MODULES_BIOS := $(GRUB_MODULES) biosdisk
GRUB_MODULES_FLOPPY := biosdisk fat normal multiboot boot xzio serial terminal test reboot
GRUB_MODULES_EFI  := $(GRUB_MODULES) fat efi_gop efi_uga efifwsetup
GRUB_MODULES_USB  := $(GRUB_MODULES) fat

# By which GRUB finds the ISO again: the commit's time, as the volume's UUID and as its date.
iso_time = $(shell date -u -d @$(SOURCE_DATE_EPOCH) +$(1))

iso: $(B)/cpl0.iso
	@$(call with,boot/media/mkiso.sh,$(MODULES:%=-m %),$(B)/cpl0-with.iso)

# Of an image with the user's kernel arguments and modules, beside the one without.
# $(call with,SCRIPT,-m MODULES,IMAGE)
with = $(if $(ARGS)$(MODULES),$(1) -b $(B) -a '$(ARGS)' $(2) $(3) && echo $(3),:)

$(B)/cpl0.iso: $(addprefix boot/media/,mkiso.sh tree.sh grub.cfg) $(B)/32/cpl0.xz $(B)/64/cpl0.xz \
		$(B)/grub/eltorito.img $(B)/grub/efi.img
	$(call say,ISO,$@)
	$(Q)boot/media/mkiso.sh -b $(B) $@

$(B)/grub/early.cfg: boot/media/grub-early.cfg Makefile $(B)/epoch
	@mkdir -p $(@D)
	$(Q)printf '%s00' '$(call iso_time,%Y%m%d%H%M%S)' >$(@D)/date
	$(Q)sed 's/@UUID@/$(call iso_time,%Y-%m-%d-%H-%M-%S)-00/' $< >$@

$(B)/grub/eltorito.img: $(B)/grub/early.cfg
	@$(call need,$(GRUB_MKIMAGE))
	@$(call grub_platform,i386-pc)
	$(call say,GRUB,$@)
	$(Q)cp $(GRUB_DIR)/i386-pc/boot_hybrid.img $(@D)/
	$(Q)$(GRUB_MKIMAGE) -O i386-pc-eltorito -d $(GRUB_DIR)/i386-pc -c $< -p /boot/grub -o $@ \
		$(GRUB_MODULES_BIOS)

$(B)/grub/bootx64.efi: GRUB_PLATFORM := x86_64-efi
$(B)/grub/bootia32.efi: GRUB_PLATFORM := i386-efi
$(B)/grub/boot%.efi: $(B)/grub/early.cfg
	@$(call need,$(GRUB_MKIMAGE))
	@$(call grub_platform,$(GRUB_PLATFORM))
	$(call say,GRUB,$@)
	$(Q)$(GRUB_MKIMAGE) -O $(GRUB_PLATFORM) -d $(GRUB_DIR)/$(GRUB_PLATFORM) -c $< \
		-p /boot/grub \
		-o $@ $(GRUB_MODULES_EFI)

# What network cards boot: GRUB with its menu's folder on the TFTP server.
$(B)/grub/cpl0.0: GRUB_PLATFORM := i386-pc
$(B)/grub/cpl0-x64.efi: GRUB_PLATFORM := x86_64-efi
$(B)/grub/cpl0-ia32.efi: GRUB_PLATFORM := i386-efi
$(B)/grub/cpl0.0 $(B)/grub/cpl0-x64.efi $(B)/grub/cpl0-ia32.efi: Makefile
	@$(call need,$(GRUB_MKIMAGE))
	@$(call grub_platform,$(GRUB_PLATFORM))
	@mkdir -p $(@D)
	$(call say,GRUB,$@)
	$(Q)$(GRUB_MKIMAGE) -O $(GRUB_PLATFORM)$(if $(findstring efi,$@),,-pxe) -p /boot/grub \
		-d $(GRUB_DIR)/$(GRUB_PLATFORM) -o $@ $(GRUB_MODULES) tftp \
		$(if $(findstring efi,$@),efinet efi_gop efi_uga efifwsetup,pxe)

pxe-images: kernels $(B)/32/cpl0.xz $(B)/64/cpl0.xz $(B)/grub/cpl0.0 $(B)/grub/cpl0-x64.efi \
		$(B)/grub/cpl0-ia32.efi

# A folder for any TFTP server: make pxe ARGS='bench=p5.* exit=reboot'
pxe: pxe-images
	$(call say,NET,$(B)/pxe)
	$(Q)boot/media/mknet.sh -b $(B) -a '$(ARGS)' $(MODULES:%=-m %) $(B)/pxe

grub_platform = test -d $(GRUB_DIR)/$(1) || \
	{ echo "GRUB for $(1) is missing in $(GRUB_DIR): run \`make deps\`" >&2; exit 3; }

$(B)/grub/efi.img: $(B)/grub/bootx64.efi $(B)/grub/bootia32.efi
	@$(call need,mformat)
	$(call say,FAT,$@)
	$(Q)rm -rf $@ $(@D)/efi
	$(Q)mkdir -p $(@D)/efi
	$(Q)cp $^ $(@D)/efi
	$(Q)touch -d @$(SOURCE_DATE_EPOCH) $(@D)/efi/*
	$(Q)mformat -i $@ -C -f 1440 -N 0 ::
	$(Q)mmd -i $@ ::/EFI ::/EFI/BOOT
	$(Q)mcopy -m -i $@ $(@D)/efi/* ::/EFI/BOOT

# An ISO that also holds boot modules: make iso-with MODULES='a.elf b.elf' ARGS='bench=my.*'
iso-with: $(B)/cpl0.iso
	$(Q)boot/media/mkiso.sh -b $(B) -a '$(ARGS)' $(MODULES:%=-m %) $(B)/cpl0-with.iso
	@echo $(B)/cpl0-with.iso

# The same for a stick or disk: one FAT partition, with a file that takes the log home.
usb: $(B)/cpl0-usb.img
	@$(call with,boot/media/mkusb.sh,$(MODULES:%=-m %),$(B)/cpl0-usb-with.img)

$(B)/cpl0-usb.img: $(addprefix boot/media/,mkusb.sh tree.sh grub.cfg logfile.awk README.txt) \
		$(addprefix $(B)/,32/cpl0.xz 32/cpl0-uefi.xz 64/cpl0.xz 64/cpl0-uefi.xz epoch) \
		$(addprefix $(B)/grub/usb/,core.img bootx64.efi bootia32.efi)
	$(call say,USB,$@)
	$(Q)boot/media/mkusb.sh -b $(B) $@

$(B)/grub/usb/core.img: Makefile $(B)/grub/floppy.img
	@mkdir -p $(@D)
	$(call say,GRUB,$@)
	$(Q)$(GRUB_MKIMAGE) -O i386-pc -d $(GRUB_DIR)/i386-pc -p '(,msdos1)/boot/grub' -o $@ \
		$(GRUB_MODULES_USB) biosdisk

$(B)/grub/usb/bootx64.efi: GRUB_PLATFORM := x86_64-efi
$(B)/grub/usb/bootia32.efi: GRUB_PLATFORM := i386-efi
$(B)/grub/usb/boot%.efi: Makefile
	@$(call need,$(GRUB_MKIMAGE))
	@$(call grub_platform,$(GRUB_PLATFORM))
	@mkdir -p $(@D)
	$(call say,GRUB,$@)
	$(Q)$(GRUB_MKIMAGE) -O $(GRUB_PLATFORM) -d $(GRUB_DIR)/$(GRUB_PLATFORM) -p /boot/grub \
		-o $@ $(GRUB_MODULES_USB) efi_gop efi_uga efifwsetup

# A floppy for machines that boot nothing else: the 32-bit kernel.
$(B)/grub/floppy.img: Makefile
	@$(call need,$(GRUB_MKIMAGE))
	@$(call grub_platform,i386-pc)
	@mkdir -p $(@D)
	$(call say,GRUB,$@)
	$(Q)cp $(GRUB_DIR)/i386-pc/boot.img $(@D)/
	$(Q)$(GRUB_MKIMAGE) -O i386-pc -d $(GRUB_DIR)/i386-pc -p / -o $@ $(GRUB_MODULES_FLOPPY)

floppy: $(B)/cpl0.img
	@$(call with,boot/media/mkfloppy.sh,,$(B)/cpl0-with.img)

$(B)/cpl0.img: $(addprefix boot/media/,mkfloppy.sh grub-floppy.cfg logfile.awk README.txt) \
		$(B)/32/cpl0.xz $(B)/grub/floppy.img $(B)/epoch
	$(call say,FAT,$@)
	$(Q)boot/media/mkfloppy.sh -b $(B) $@

# --- running and checking ----------------------------------------------------

# $(1) if QEMU has no hardware virtualization here.
without_kvm = $(if $(findstring -accel tcg,$(shell ./run-qemu.sh --direct --build $(B) --dry-run \
	2>/dev/null)),$(1))

comma := ,

# make run ARGS='bench=p5.*'. QEMU without hardware virtualization proves that the ISO boots, but it
# has no counters and its times are no CPU's. So it then measures next to nothing, and the figures
# come from the simulated Pentium, without the footprints that take half of its time and are memory
# for it like the smaller ones.
run: $(B)/cpl0.iso $(B)/cpl0-sim $(B)/cpl0-log
	@./run-qemu.sh --build $(B) --log $(B)/run.log -- $(or $(ARGS),$(call without_kvm,\
		bench=alu.add_latency))
	@$(B)/cpl0-log check $(B)/run.log
	@if grep -q 'hypervisor=TCGTCGTCGTCG' $(B)/run.log; then \
		printf '\nThe ISO boots. The same kernel on a simulated Pentium, %s:\n\n' \
			$(B)/run-p5.log; \
		$(B)/cpl0-sim --cpu p5 --log $(B)/run-p5.log $(B)/32/cpl0.elf exit=debug \
			$(or $(ARGS),skip=latency.*m*$(comma)bandwidth.*.memory) \
			>$(B)/run-p5.txt 2>&1 || { cat $(B)/run-p5.txt; exit 1; }; \
		$(B)/cpl0-log show $(B)/run-p5.log; \
	fi

# Each of them whatever becomes of the others, and a sum at the end. Targets run side by side, so
# what more than one of them needs is made before: make does not know of what another make makes.
# In `test` is what takes 30 minutes on two cores. `test-all` has all rows of tests/machines, all
# targets, and by LONG more of some of them: before a release, and after changes of the kernel.
test test-all: all floppy pxe-images $(PORTABLE) $(B)/tests/pmu_tables.o
test:
	+@ALONE='$(TESTS_ALONE)' tests/run-all.sh $(B) $(TESTS)
test-all:
	+@LONG=1 ALONE='$(TESTS_ALONE)' tests/run-all.sh $(B) $(TESTS) $(TESTS_LONG)

# Those of them that need no machine, no browser and little time: for each change.
CHECKS := house links format log-keys layers lint log-tool names splices kvm-check run-qemu unit
check: all
	+@tests/run-all.sh $(B) $(CHECKS)

# The pictures of docs/screen.md.
screens: iso $(B)/cpl0-sim
	$(Q)docs/screens/make.sh $(B) docs/screens

bench: $(BENCHES)

bench-boot: kernels
	@tests/checks/bench-boot.sh $(B)

# Who may know whom, by the sources and by the symbols of the objects.
layers: all
	@tests/checks/check-layers.sh $(B)
	@tests/checks/check-layers.sh --self-test >$(B)/layers.txt || \
		{ cat $(B)/layers.txt; exit 1; }

# Debian and Ubuntu packages: what building and `make run` need, and what the tests need besides.
DEPS := gcc libc6-dev make binutils git gzip xz-utils \
	grub-common grub-pc-bin grub-efi-amd64-bin grub-efi-ia32-bin xorriso mtools \
	qemu-system-x86 libunicorn-dev libzydis-dev libsqlite3-dev libjs-dygraphs
DEPS_TEST := clang clang-format cppcheck python3 libcmocka-dev libpfm4-dev sqlite3 dosfstools \
	ovmf ovmf-ia32 bochs bochsbios vgabios chromium \
	pxelinux isolinux syslinux-common memtest86+ grub-coreboot-bin

# These two use the network, and nothing else does.
deps: PACKAGES := $(DEPS)
deps-test: PACKAGES := $(DEPS) $(DEPS_TEST)
deps deps-test:
	@if command -v apt-get >/dev/null; then \
		set -x; \
		$(if $(filter 0,$(shell id -u)),,sudo) apt-get update && \
		$(if $(filter 0,$(shell id -u)),,sudo) env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y --no-install-recommends $(PACKAGES); \
	else \
		echo "No apt-get here. Install what Debian calls:"; \
		printf '\t%s\n' $(PACKAGES); \
	fi

clean:
	@rm -rf $(B)

help:
	@printf '%s\n' \
	'make deps     install what the host lacks (Debian, Ubuntu; elsewhere: list it)' \
	'make deps-test   what the tests need as well' \
	'make          both kernels, the ISO, sim, tools, native' \
	'make run      boot the ISO in QEMU, print log and figures; ARGS=... are kernel arguments' \
	'make check    the quick tests: sources, units, the host programs' \
	'make unit     the unit tests alone' \
	'make test     everything CI runs: about 30 minutes on two cores' \
	'make test-all everything, before a release: over an hour' \
	'make iso      $(B)/cpl0.iso: BIOS, UEFI x64 and ia32, CD or USB stick;' \
	'              with MODULES=... ARGS=... (kernel arguments) $(B)/cpl0-with.iso as well' \
	'make usb      $(B)/cpl0-usb.img: the same for a USB stick, which takes the log home;' \
	'              with MODULES=... ARGS=... $(B)/cpl0-usb-with.img as well' \
	'make floppy   $(B)/cpl0.img: 1.44 MB, 32-bit kernel; with ARGS=... cpl0-with.img, too' \
	'make pxe ARGS=...   $(B)/pxe: for a TFTP server; PXE, iPXE, PXELINUX (docs/farm.md)' \
	'make dist     $(B)/dist: images, host programs and package to publish, with checksums' \
	'make install  the host programs; PREFIX=/usr/local, DESTDIR=' \
	'make deb      the host programs as a Debian package, in $(B)/dist' \
	'make bench    figures: sizes, boot time, speed' \
	'make snippet FILE=my.S   boot modules of your own snippets' \
	'make snippet FILE=f.c FUNCTION=sum ARGS=100   the same of a C function, or of f.o' \
	'make catalogue docs/catalogue.md from the sources, and build/catalogue.md with all forms' \
	'make tables   the tables of docs/log-format.md and docs/kernel-arguments.md' \
	'make screens  pictures of the screen for docs/screen.md' \
	'make lies     counters that lie, drawn from a seed; SEED=N COUNT=N choose' \
	'make policies caches with drawn replacement policies; SEED=N COUNT=N choose' \
	'make guest    guests of drawn hypervisors; SEED=N COUNT=N choose, GUEST=GLOB takes rows' \
	'make machines   rows of tests/machines; make machines-more: those of test-all alone' \
	'make ways     whole boots of many machines (tests/ways/README.md); WAYS=... chooses' \
	'make sim      cpl0-sim alone; make sim-test tests it (sim/README.md)' \
	'make layers   check which file may know which' \
	'make house    list long lines and long functions' \
	'make clean    remove $(B)/' \
	'Variables: B=build directory, CC=gcc|clang, HOSTCC, GRUB_DIR, V=1'

.PHONY: pxe pxe-images
.PHONY: all screens kernels iso iso-with usb floppy run test test-all check bench bench-boot layers
.PHONY: deps deps-test clean help
.DEFAULT_GOAL := all
