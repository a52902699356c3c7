# Boot modules of snippets: `make snippet FILE=my.S` gives one for each kernel, and a loader may get
# both: a kernel takes its own and says that it skipped the other. FILE=f.c FUNCTION=sum ARGS=100
# gives two that call a C function, and FILE=f.o FUNCTION=sum one, of the width of the object.

SNIPPET_FLAGS := -ffreestanding -fno-pic -fno-pie -fcf-protection=none -Wall -Werror -I.
SNIPPET_NAME   = $(basename $(notdir $(FILE)))

# $(1) width, $(2) flags of the compiler, $(3) emulation of the linker
define snippet_module
	$(call say,CC,$(B)/snippets/$(SNIPPET_NAME).$(1).o)
	$(Q)$(CC) -m$(1) $(2) $(SNIPPET_FLAGS) -c -o $(B)/snippets/$(SNIPPET_NAME).$(1).o $(FILE)
	$(call say,LD,$(B)/snippets/$(SNIPPET_NAME).$(1).elf)
	$(Q)$(LD) -m $(3) -T bench/snippet.ld -z max-page-size=4 --build-id=none -s \
		-o $(B)/snippets/$(SNIPPET_NAME).$(1).elf $(B)/snippets/$(SNIPPET_NAME).$(1).o
endef

# A file that makes no snippet, of whatever kind, leaves no module behind.
snippet:
	@test -n "$(FILE)" || { echo "snippet: say which: make snippet FILE=my.S" >&2; exit 1; }
	@test -r "$(FILE)" || { echo "snippet: cannot read $(FILE)" >&2; exit 1; }
	@case "$(FILE)$(if $(FUNCTION),:)" in \
	*.S | *.[co]:) ;; \
	*.[co]) echo "snippet: which function of $(FILE)? FUNCTION=sum ARGS=100" \
		"(docs/your-own-code.md)" >&2; exit 1 ;; \
	*.S:) echo "snippet: FUNCTION= goes with a .c or .o file" >&2; exit 1 ;; \
	*) echo "snippet: $(FILE) is neither a .S file (docs/adding-a-benchmark.md) nor a .c" \
		"or .o file (docs/your-own-code.md)" >&2; exit 1 ;; \
	esac
	@mkdir -p $(B)/snippets
	@rm -f $(B)/snippets/$(SNIPPET_NAME).32.* $(B)/snippets/$(SNIPPET_NAME).64.*
	$(call $(if $(FUNCTION),snippet_function,snippet_file))
	@ls $(B)/snippets/$(SNIPPET_NAME).32.elf $(B)/snippets/$(SNIPPET_NAME).64.elf \
		2>/dev/null | xargs

define snippet_function
	$(call say,CC,$(B)/snippets/$(SNIPPET_NAME).*.elf)
	$(Q)for width in $(if $(filter %.o,$(FILE)),$$(bench/function.sh '$(FILE)'),32 64); do \
		CC="$(CC)" LD="$(LD)" OBJCOPY="$(OBJCOPY)" bench/function.sh '$(FILE)' \
			'$(FUNCTION)' '$(ARGS)' $$width $(B)/snippets/$(SNIPPET_NAME) || { \
			rm -f $(B)/snippets/$(SNIPPET_NAME).*; exit 1; }; \
	done
endef

define snippet_file
	$(call snippet_module,32,-march=i586,elf_i386)
	$(call snippet_module,64,,elf_x86_64)
	@cd $(B)/snippets && readelf -SW $(SNIPPET_NAME).32.elf $(SNIPPET_NAME).64.elf | \
		grep -q ' snippets ' || { \
		rm -f $(SNIPPET_NAME).*; \
		echo "snippet: $(FILE) has no snippet: see SNIPPET in bench/snippet.inc" >&2; \
		exit 1; }
endef

.PHONY: snippet
