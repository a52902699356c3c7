# Boot modules of snippets: `make snippet FILE=my.S` gives one for each kernel, and a loader may get
# both: a kernel takes its own and says that it skipped the other.

SNIPPET_FLAGS := -ffreestanding -fno-pic -fno-pie -fcf-protection=none -Wall -Werror -I.
SNIPPET_NAME   = $(basename $(notdir $(FILE)))

snippet:
	@test -n "$(FILE)" || { echo "snippet: say which: make snippet FILE=my.S"; exit 1; }
	@mkdir -p $(B)/snippets
	$(call say,CC,$(B)/snippets/$(SNIPPET_NAME).32.o)
	$(Q)$(CC) -m32 -march=i586 $(SNIPPET_FLAGS) -c -o $(B)/snippets/$(SNIPPET_NAME).32.o $(FILE)
	$(call say,CC,$(B)/snippets/$(SNIPPET_NAME).64.o)
	$(Q)$(CC) -m64 $(SNIPPET_FLAGS) -c -o $(B)/snippets/$(SNIPPET_NAME).64.o $(FILE)
	$(call say,LD,$(B)/snippets/$(SNIPPET_NAME).32.elf)
	$(Q)$(LD) -m elf_i386 -T bench/snippet.ld -z max-page-size=4 --build-id=none -s \
		-o $(B)/snippets/$(SNIPPET_NAME).32.elf $(B)/snippets/$(SNIPPET_NAME).32.o
	$(call say,LD,$(B)/snippets/$(SNIPPET_NAME).64.elf)
	$(Q)$(LD) -m elf_x86_64 -T bench/snippet.ld -z max-page-size=4 --build-id=none -s \
		-o $(B)/snippets/$(SNIPPET_NAME).64.elf $(B)/snippets/$(SNIPPET_NAME).64.o
	@echo "$(B)/snippets/$(SNIPPET_NAME).32.elf $(B)/snippets/$(SNIPPET_NAME).64.elf"
.PHONY: snippet
