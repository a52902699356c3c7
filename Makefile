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

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

# The same commit gives the same bytes: all time stamps in images are the commit's.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export LC_ALL := C
export TZ := UTC

all: kernels iso

# --- kernels -----------------------------------------------------------------

WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   := -std=gnu11 -O2 -g -ffreestanding -fno-pic -fno-pie -fno-stack-protector \
	    -fno-asynchronous-unwind-tables -fcf-protection=none \
	    -ffunction-sections -fdata-sections -mgeneral-regs-only $(WARNINGS) -I. \
	    -ffile-prefix-map=$(CURDIR)=.
CFLAGS_32 := -m32 -march=i586
CFLAGS_64 := -m64 -march=x86-64 -mno-red-zone -mcmodel=small
LDFLAGS   := -nostdlib -static --gc-sections --build-id=none -z max-page-size=4096 \
	     -z noexecstack
LDFLAGS_32 := -m elf_i386
LDFLAGS_64 := -m elf_x86_64

KERNEL_DIRS := boot kernel pmu pmu/events bench bench/catalogue
KERNEL_SRC  := $(sort $(wildcard $(KERNEL_DIRS:%=%/*.c) $(KERNEL_DIRS:%=%/*.S)))

# Files named *_32 and *_64 belong to that width alone.
SRC_32 := $(filter-out %_64.c %_64.S,$(KERNEL_SRC))
SRC_64 := $(filter-out %_32.c %_32.S,$(KERNEL_SRC))

OBJ_32 := $(SRC_32:%=$(B)/32/%.o) $(B)/32/version.o
OBJ_64 := $(SRC_64:%=$(B)/64/%.o) $(B)/64/version.o

kernels: $(B)/32/cpl0.elf $(B)/64/cpl0.elf

# $(call width,BITS)
define width
$(B)/$(1)/%.c.o: %.c $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<

$(B)/$(1)/%.S.o: %.S $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<

$(B)/$(1)/version.o: $(B)/version.c $(B)/flags-$(1)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CFLAGS_$(1)) -ffile-prefix-map=$(B)=. -c -o $$@ $$<

$(B)/$(1)/cpl0.debug: $$(OBJ_$(1)) linker.ld
	$$(LD) $$(LDFLAGS) $$(LDFLAGS_$(1)) -T linker.ld -o $$@ $$(OBJ_$(1))

# An ELF32 container for both: what Multiboot loaders, QEMU's among them, accept.
$(B)/$(1)/cpl0.elf: $(B)/$(1)/cpl0.debug
	$$(OBJCOPY) --strip-all -O elf32-i386 $$< $$@
endef
$(eval $(call width,32))
$(eval $(call width,64))

-include $(OBJ_32:.o=.d) $(OBJ_64:.o=.d)

# Files that hold what a build depends on besides sources; written only when it changes.
# $(call remember,FILE,TEXT)
define remember
$(shell mkdir -p $(B); printf '%s\n' '$(2)' | cmp -s - $(1) || printf '%s\n' '$(2)' >$(1))
endef

$(B)/flags-%: ;
ifeq ($(filter clean help deps,$(MAKECMDGOALS)),)
$(call remember,$(B)/flags-32,$(CC) $(CFLAGS) $(CFLAGS_32))
$(call remember,$(B)/flags-64,$(CC) $(CFLAGS) $(CFLAGS_64))
$(call remember,$(B)/version.c,extern const char cpl0_version[]; const char cpl0_version[] = "$(VERSION)";)
endif
$(B)/version.c: ;
