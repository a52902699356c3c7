# What people download and install. Included by the Makefile.
PREFIX  ?= /usr/local
DESTDIR ?=
DIST    ?= $(B)/dist

HOST_PROGRAMS := cpl0-log cpl0-native cpl0-sim
INSTALLED     := $(HOST_PROGRAMS:%=$(B)/%) $(HELP_FILES) kernels

# make install PREFIX=/usr DESTDIR=staging
install: $(INSTALLED)
	$(call say,INST,$(DESTDIR)$(PREFIX))
	$(Q)tools/dist/install.sh $(B) $(B) '$(DESTDIR)$(PREFIX)'

# For any Linux whose glibc is not older than that of the build: cpl0-native is static, the others
# have their libraries beside them. DT_RPATH, because DT_RUNPATH is not for libraries of libraries.
PORTABLE := $(HOST_PROGRAMS:%=$(B)/portable/%)
$(B)/portable/cpl0-native: override HOSTLDFLAGS += -static
$(B)/portable/cpl0-log $(B)/portable/cpl0-sim: \
	override HOSTLDFLAGS += -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib'

deb: $(INSTALLED)
	$(call say,DEB,$(DIST))
	$(Q)tools/dist/mkdeb.sh $(B) $(RELEASE) '$(DIST)'

# Everything that is published, with checksums; the package where there is a dpkg-deb.
dist: $(INSTALLED) $(PORTABLE) iso usb floppy pxe-images
	$(call say,DIST,$(DIST))
	$(Q)tools/dist/mkdist.sh $(B) $(RELEASE) '$(DIST)'

.PHONY: install deb dist

# Names, modes, checksums, and that the programs run from where they lie.
TESTS += packages
packages: $(INSTALLED) $(PORTABLE) iso usb floppy pxe-images
	@MAKE="$(MAKE)" tests/checks/test-packages.sh $(B) $(RELEASE)
.PHONY: packages
