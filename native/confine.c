/*
 * System calls of the measuring process (native/confine.h). Sources: Linux
 * Documentation/userspace-api/seccomp_filter.rst, seccomp(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "native/confine.h"

enum { X32_BIT = 0x40000000, RULES = 128 };

/*
 * What the engine, its threads and the C library call while benchmarks run. None of them reaches a
 * file, another process or the network: write() is held to the log by a rule of its own, and
 * clone() to threads.
 */
static const unsigned allowed[] = {
	__NR_rt_sigreturn,
	__NR_rt_sigprocmask,
	__NR_rt_sigaction,
	__NR_sigaltstack,
	__NR_setitimer,
	__NR_clock_gettime,
	__NR_clock_nanosleep,
	__NR_nanosleep,
	__NR_gettimeofday,
	__NR_time,
	__NR_futex,
	__NR_exit,
	__NR_exit_group,
	__NR_mmap,
	__NR_munmap,
	__NR_mprotect,
	__NR_mremap,
	__NR_madvise,
	__NR_brk,
	__NR_set_robust_list,
	__NR_rseq,
	__NR_sched_setaffinity,
	__NR_sched_getaffinity,
	__NR_sched_yield,
	__NR_getcpu,
	__NR_gettid,
	__NR_getpid,
	__NR_restart_syscall,
	__NR_mlock,
	__NR_munlock,
};

struct program {
	struct sock_filter rule[RULES];
	unsigned n;
};

static void add(struct program *p, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
	p->rule[p->n++] = (struct sock_filter){ .code = code, .jt = jt, .jf = jf, .k = k };
}

static void load(struct program *p, size_t offset)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(struct program *p, uint32_t action)
{
	add(p, BPF_RET | BPF_K, action, 0, 0);
}

/* Calls from [start, start + size), which lies below 4 GiB, are trapped. */
static void refuse_from(struct program *p, struct confine_range r)
{
	load(p, offsetof(struct seccomp_data, instruction_pointer) + 4);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4);
	load(p, offsetof(struct seccomp_data, instruction_pointer));
	add(p, BPF_JMP | BPF_JGE | BPF_K, r.start, 0, 2);
	/* Behind the call instruction, so the end itself belongs to the range. */
	add(p, BPF_JMP | BPF_JGT | BPF_K, r.start + r.size, 1, 0);
	end(p, SECCOMP_RET_TRAP);
}

/* The call `number` with an argument that has all bits of `mask` as `want`, else a trap. */
static void allow_if(struct program *p, unsigned number, unsigned argument, uint32_t mask,
                     uint32_t want)
{
	load(p, offsetof(struct seccomp_data, nr));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5);
	load(p, offsetof(struct seccomp_data, args[argument]));
	add(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, want, 0, 1);
	end(p, SECCOMP_RET_ALLOW);
	end(p, SECCOMP_RET_TRAP);
}

/* To standard output and error, which are 1 and 2. */
static void allow_write(struct program *p)
{
	load(p, offsetof(struct seccomp_data, nr));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 5);
	load(p, offsetof(struct seccomp_data, args[0]));
	add(p, BPF_ALU | BPF_SUB | BPF_K, 1, 0, 0);
	add(p, BPF_JMP | BPF_JGE | BPF_K, 2, 1, 0);
	end(p, SECCOMP_RET_ALLOW);
	end(p, SECCOMP_RET_TRAP);
}

static void build(struct program *p, const struct confine_range *ranges, unsigned n)
{
	load(p, offsetof(struct seccomp_data, arch));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	end(p, SECCOMP_RET_TRAP); /* INT 80h */
	for (unsigned i = 0; i < n; i++)
		refuse_from(p, ranges[i]);
	allow_write(p);
	allow_if(p, __NR_tgkill, 0, ~0u, (uint32_t)getpid());
	allow_if(p, __NR_clone, 0, CLONE_VM | CLONE_THREAD, CLONE_VM | CLONE_THREAD);
	/* Its flags lie in memory: the C library takes clone() instead. */
	load(p, offsetof(struct seccomp_data, nr));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1);
	end(p, SECCOMP_RET_ERRNO | ENOSYS);
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		end(p, SECCOMP_RET_ALLOW);
	}
	end(p, SECCOMP_RET_TRAP);
}

bool native_confine(const struct confine_range *ranges, unsigned n)
{
	static const struct rlimit none = { 0, 0 };
	static struct program p;
	struct sock_fprog filter = { .filter = p.rule };

	p.n = 0;
	build(&p, ranges, n);
	filter.len = (unsigned short)p.n;
	setrlimit(RLIMIT_CORE, &none);
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}
