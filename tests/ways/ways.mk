# Whole boots: a pairwise covering array of machines, and the persons (tests/ways/README.md).
# WAYS='part=2/6 jobs=1' and other words choose among them.
TESTS_LONG += ways-check ways-part
TESTS_ALONE += ways-part

ways: all floppy pxe-images
	@python3 -B tests/ways/ways.py $(B) $(WAYS)

# That the array is whole, and that what judges a boot sees what is wrong with it.
ways-check: $(B)/cpl0-log
	@python3 -B tests/ways/selftest.py $(B)

# A sixth of the array, another one for each commit, and the persons.
ways-part: all floppy pxe-images
	@python3 -B tests/ways/ways.py $(B) part=today/6 $(WAYS)

.PHONY: ways ways-check ways-part
