/*
 * KVM's page of stolen time (kernel/cpu/steal.h).
 * Sources: Linux, Documentation/virt/kvm/x86/cpuid.rst (KVM_FEATURE_STEAL_TIME) and msr.rst
 * (MSR_KVM_STEAL_TIME).
 */
#include "kernel/cpu/steal.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"

enum { MSR_STEAL_TIME = 0x4b564d03, ENABLED = 1, FEATURE_STEAL_TIME = 1 << 5, READS = 64 };

static volatile struct steal_page page; /* of the boot CPU */
static uint64_t msr_before;
static uint64_t ns_before; /* KVM's first sum has what it took before this run */
static bool active;

static bool ask(volatile struct steal_page *for_page)
{
	return msr_write(MSR_STEAL_TIME, (uintptr_t)for_page | ENABLED);
}

static uint64_t steal_ns(void)
{
	uint64_t ns = 0;

	for (unsigned i = 0; active && i < READS; i++) {
		const uint32_t version = page.version;

		ns = page.steal_ns;
		if (!(version & 1) && page.version == version)
			break;
	}
	return ns;
}

bool steal_begin(uint32_t leaf)
{
	active = leaf && x86_cpuid(leaf + 1, 0).eax & FEATURE_STEAL_TIME &&
	         msr_read(MSR_STEAL_TIME, &msr_before) && ask(&page);
	ns_before = steal_ns();
	return active;
}

void steal_follow(volatile struct steal_page *other)
{
	if (active)
		ask(other);
}

uint32_t steal_version(void)
{
	return active ? steal_version_in(&page) : 0;
}

/* The version is even between two writes of the host. */
uint32_t steal_version_in(const volatile struct steal_page *of)
{
	return of->version ^ (of->preempted & 1u) << 31;
}

uint64_t steal_us(void)
{
	return active ? (steal_ns() - ns_before) / 1000 : 0;
}

void steal_leave(void)
{
	if (active)
		msr_write(MSR_STEAL_TIME, 0);
}

void steal_end(void)
{
	if (active)
		msr_write(MSR_STEAL_TIME, msr_before);
	active = false;
}
