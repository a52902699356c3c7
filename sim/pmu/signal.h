/*
 * sim/pmu/signal.h - what one retired instruction did, in numbers that a counter can count.
 *
 * The execution side (decoder, cache, TLB and predictor models, P5 pipeline) fills a
 * struct sim_step; the counter models (sim/pmu) read it. A fact that no part of the simulator
 * can derive has no signal here: the event then has nothing to count and is listed as "not
 * derived".
 *
 * Two kinds of signals: EVENT, so many occurrences, all in the last clock of the instruction;
 * LEVEL, so many clocks during which a condition held, one per clock, in the first clocks of the
 * instruction (a stall comes before the retirement). Thresholds, inversion and edge detection of
 * the counters see exactly that order.
 */
#ifndef SIM_PMU_SIGNAL_H
#define SIM_PMU_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define SIM_SIGNALS(X) \
	/* time */ \
	X(CLOCKS,            LEVEL, "core clocks, not halted (taken from step->clocks)") \
	X(REF_CLOCKS,        LEVEL, "clocks at the rate of the TSC, not halted") \
	X(BUS_CLOCKS,        LEVEL, "bus clocks, not halted (made by the PMU from CLOCKS)") \
	X(BUS_CLOCKS_ALONE,  LEVEL, "those while the core's other thread is halted (by the PMU)") \
	X(INT_MASKED,        LEVEL, "clocks with EFLAGS.IF = 0") \
	X(INT_PENDING,       LEVEL, "clocks with IF = 0 and an interrupt pending") \
	X(RING0_CLOCKS,      LEVEL, "clocks at CPL 0") \
	X(RING123_CLOCKS,    LEVEL, "clocks at CPL 1 to 3") \
	X(NEVER,             EVENT, "what this machine never has or does (sim/docs/counters.md)") \
	/* instructions by class */ \
	X(INSTRUCTIONS,      EVENT, "instructions retired (a REP string instruction is one)") \
	X(UOPS,              EVENT, "uops retired, documented approximation") \
	X(X87_INSNS,         EVENT, "x87 instructions") \
	X(X87_OPS,           EVENT, "x87 arithmetic, compares, transcendental functions") \
	X(MMX_INSNS,         EVENT, "instructions on MMX registers, EMMS included") \
	X(EMMS,              EVENT, "EMMS") \
	X(MMX_SATURATING,    EVENT, "MMX instructions that may saturate") \
	X(MMX_MUL,           EVENT, "MMX multiplies") \
	X(MMX_SHIFT,         EVENT, "MMX shifts") \
	X(MMX_PACK,          EVENT, "MMX pack") \
	X(MMX_UNPACK,        EVENT, "MMX unpack") \
	X(MMX_LOGICAL,       EVENT, "MMX logical") \
	X(MMX_ARITH,         EVENT, "MMX add, subtract, compare") \
	X(MMX_SHUFFLE,       EVENT, "MMX shuffles") \
	X(MMX_ADD,           EVENT, "MMX adds") \
	X(MMX_SUB,           EVENT, "MMX subtracts") \
	X(MMX_CMP,           EVENT, "MMX compares") \
	X(MMX_MUL_ONLY,      EVENT, "MMX multiplies that add nothing") \
	X(MMX_MAC,           EVENT, "MMX multiplies that add too") \
	X(MMX_MOV,           EVENT, "MMX moves") \
	X(MMX_OTHER,         EVENT, "MMX instructions of no kind that has a signal, EMMS too") \
	X(MMX_TO_FP,         EVENT, "first x87 instruction after MMX") \
	X(FP_TO_MMX,         EVENT, "first MMX instruction after x87") \
	X(SSE_PS,            EVENT, "packed single instructions, all") \
	X(SSE_SS,            EVENT, "scalar single instructions, all") \
	X(SSE_PD,            EVENT, "packed double instructions, all") \
	X(SSE_SD,            EVENT, "scalar double instructions, all") \
	X(SSE_PS_OPS,        EVENT, "packed single computation (no moves)") \
	X(SSE_SS_OPS,        EVENT, "scalar single computation") \
	X(SSE_PD_OPS,        EVENT, "packed double computation") \
	X(SSE_SD_OPS,        EVENT, "scalar double computation") \
	X(SSE_INSNS,         EVENT, "instructions on XMM registers, moves included") \
	X(SSE_INT,           EVENT, "128-bit integer instructions") \
	X(SSE_INT_ADD,       EVENT, "128-bit integer adds") \
	X(SSE_INT_SUB,       EVENT, "128-bit integer subtracts") \
	X(SSE_INT_CMP,       EVENT, "128-bit integer compares") \
	X(SSE_INT_MUL,       EVENT, "128-bit integer multiplies") \
	X(SSE_INT_MAC,       EVENT, "128-bit integer multiplies that add too") \
	X(SSE_INT_SHIFT,     EVENT, "128-bit integer shifts") \
	X(SSE_INT_PACK,      EVENT, "128-bit integer pack") \
	X(SSE_INT_UNPACK,    EVENT, "128-bit integer unpack") \
	X(SSE_INT_LOGICAL,   EVENT, "128-bit integer logical") \
	X(SSE_INT_SHUFFLE,   EVENT, "128-bit integer shuffles") \
	X(SSE_INT_MOV,       EVENT, "moves of XMM registers' integers") \
	X(SSE_INT_OTHER,     EVENT, "128-bit integer instructions of no other kind") \
	X(AES,               EVENT, "AES instructions on XMM registers") \
	X(CARRYLESS_MUL,     EVENT, "PCLMULQDQ") \
	X(FP_ARITH_PS,       EVENT, "packed single add to divide, min, max, roots") \
	X(FP_ARITH_SS,       EVENT, "scalar single add to divide, min, max, roots") \
	X(FP_ARITH_PD,       EVENT, "packed double add to divide, min, max, roots") \
	X(FP_ARITH_SD,       EVENT, "scalar double add to divide, min, max, roots") \
	X(FP_SCALAR_ADD,     EVENT, "scalar SSE instructions: add") \
	X(FP_SCALAR_SUB,     EVENT, "scalar SSE instructions: subtract") \
	X(FP_SCALAR_MUL,     EVENT, "scalar SSE instructions: multiply") \
	X(FP_SCALAR_DIV,     EVENT, "scalar SSE instructions: divide") \
	X(FP_SCALAR_SQRT,    EVENT, "scalar SSE instructions: square root") \
	X(FP_SCALAR_CMP,     EVENT, "scalar SSE instructions: compare") \
	X(FP_SCALAR_CVT,     EVENT, "scalar SSE instructions: convert") \
	X(FP_VECTOR_ADD,     EVENT, "vector SSE instructions: add") \
	X(FP_VECTOR_SUB,     EVENT, "vector SSE instructions: subtract") \
	X(FP_VECTOR_MUL,     EVENT, "vector SSE instructions: multiply") \
	X(FP_VECTOR_DIV,     EVENT, "vector SSE instructions: divide") \
	X(FP_VECTOR_SQRT,    EVENT, "vector SSE instructions: square root") \
	X(FP_VECTOR_CMP,     EVENT, "vector SSE instructions: compare") \
	X(FP_VECTOR_CVT,     EVENT, "vector SSE instructions: convert") \
	X(FP_VECTOR_SHUFFLE, EVENT, "vector SSE instructions: shuffle, unpack") \
	X(FP_VECTOR_LOGICAL, EVENT, "vector SSE instructions: and, or, xor") \
	X(FP_VECTOR_BLEND,   EVENT, "vector SSE instructions: blend") \
	X(FP_SCALAR_OTHER,   EVENT, "scalar SSE computation of no other kind") \
	X(FP_VECTOR_OTHER,   EVENT, "vector SSE computation of no other kind") \
	X(FLOPS_ADD_SUB,     EVENT, "SSE additions and subtractions, one for each element") \
	X(FLOPS_MUL,         EVENT, "SSE multiplications, one for each element") \
	X(FLOPS_DIV,         EVENT, "SSE divisions and square roots, one for each element") \
	X(X87_ADD_SUB,       EVENT, "x87 additions and subtractions") \
	X(CPUIDS,            EVENT, "CPUID") \
	X(SSE_DIV,           EVENT, "SSE divides and square roots") \
	X(MUL,               EVENT, "integer multiplies") \
	X(DIV,               EVENT, "integer divides") \
	X(FP_MUL,            EVENT, "x87 multiplies") \
	X(FP_DIV,            EVENT, "x87 divides and square roots") \
	X(NOPS,              EVENT, "NOP of any length") \
	X(PAUSES,            EVENT, "PAUSE") \
	X(SINGLE_MUL,        EVENT, "SSE multiplications of single precision") \
	X(SLOW_LEA,          EVENT, "LEA with base, index and displacement") \
	X(CODE_WRITTEN,      EVENT, "writes of code in L1I that ran since it was last written") \
	X(TRACES_LOST,       EVENT, "writes of 1 KiB of code that the trace cache has (NetBurst)") \
	X(LFENCES,           EVENT, "LFENCE") \
	X(REP_ITERATIONS,    EVENT, "iterations of repeated string instructions") \
	X(TLB_FLUSHES,       EVENT, "writes of CR0, CR3 or CR4, which empty the TLBs") \
	X(LOCKED,            EVENT, "locked operations, XCHG with memory included") \
	X(SEGMENT_LOADS,     EVENT, "segment register loads, far transfers included") \
	X(SEGMENT_LOADS_ES,  EVENT, "loads of ES by MOV, POP and LES") \
	X(SEGMENT_LOADS_DS,  EVENT, "the same of DS") \
	X(SEGMENT_LOADS_FS,  EVENT, "of FS") \
	X(SEGMENT_LOADS_GS,  EVENT, "of GS") \
	X(IO_READ,           EVENT, "port reads") \
	X(IO_WRITE,          EVENT, "port writes") \
	X(PREFETCH_NTA,      EVENT, "PREFETCHNTA") \
	X(PREFETCH_T0,       EVENT, "PREFETCHT0") \
	X(PREFETCH_T1,       EVENT, "PREFETCHT1") \
	X(PREFETCH_T2,       EVENT, "PREFETCHT2") \
	X(PREFETCH_W,        EVENT, "PREFETCHW, PREFETCH") \
	X(WEAK_STORES,       EVENT, "non-temporal stores: MOVNTQ, MASKMOVQ and kin") \
	X(CLFLUSH,           EVENT, "CLFLUSH and kin") \
	X(SERIALIZING,       EVENT, "serializing instructions (CPUID, WRMSR, IRET, ...)") \
	X(FENCES,            EVENT, "SFENCE, LFENCE, MFENCE") \
	/* memory accesses as operands */ \
	X(LOADS,             EVENT, "data reads") \
	X(STORES,            EVENT, "data writes") \
	X(LOAD_INSNS,        EVENT, "instructions with at least one read") \
	X(STORE_INSNS,       EVENT, "instructions with at least one write") \
	X(LOAD_STORES,       EVENT, "instructions that read and write one operand in memory") \
	X(PLAIN_LOADS,       EVENT, "data reads of other instructions") \
	X(PLAIN_STORES,      EVENT, "data writes of other instructions") \
	X(MEDIA_LOADS,       EVENT, "data reads of x87, MMX and SSE instructions") \
	X(MEDIA_STORES,      EVENT, "data writes of these") \
	X(MEDIA_MOVES,       EVENT, "of these, moves between registers, FXCH included") \
	X(UNCACHED_READ,     EVENT, "reads of uncacheable memory") \
	X(UNCACHED_WRITE,    EVENT, "writes of uncacheable memory") \
	X(MISALIGNED,        EVENT, "accesses across 4 bytes (size up to 4) or 8 bytes (larger)") \
	X(MISALIGNED8,       EVENT, "accesses across an 8-byte boundary") \
	X(SPLIT_LOAD,        EVENT, "reads across a cache line") \
	X(SPLIT_STORE,       EVENT, "writes across a cache line") \
	X(BASE_ELSEWHERE,    EVENT, "reads at a register + 1 to 2047, which is in another page") \
	X(PAGE_SPLIT_LOAD,   EVENT, "reads across a page of 4 KiB") \
	X(PAGE_SPLIT_STORE,  EVENT, "writes across a page of 4 KiB") \
	X(MMX_LOADS,         EVENT, "reads of MMX instructions") \
	X(MMX_STORES,        EVENT, "writes of MMX instructions") \
	X(MMX_LOAD_MISS,     EVENT, "L1D read misses of MMX instructions") \
	X(MMX_STORE_MISS,    EVENT, "L1D write misses of MMX instructions") \
	X(MMX_MISALIGNED,    EVENT, "misaligned accesses of MMX instructions") \
	/* branches */ \
	X(BRANCHES,          EVENT, "branch instructions, near and far") \
	X(TAKEN,             EVENT, "taken branches, near and far") \
	X(NEAR_TAKEN,        EVENT, "taken near branches") \
	X(COND,              EVENT, "conditional branches (LOOP, JCXZ included)") \
	X(COND_TAKEN,        EVENT, "conditional, taken") \
	X(COND_NOT_TAKEN,    EVENT, "conditional, not taken") \
	X(JUMPS,             EVENT, "direct unconditional near jumps") \
	X(INDIRECT_JUMPS,    EVENT, "indirect near jumps") \
	X(DIRECT_CALLS,      EVENT, "direct near calls") \
	X(INDIRECT_CALLS,    EVENT, "indirect near calls") \
	X(RETURNS,           EVENT, "near returns") \
	X(FAR_TRANSFERS,     EVENT, "far jumps, calls, returns, INT, IRET, SYSCALL and kin") \
	X(MISPREDICTED,      EVENT, "mispredicted branches, all") \
	X(MISP_TAKEN,        EVENT, "mispredicted and taken") \
	X(MISP_COND,         EVENT, "mispredicted conditional") \
	X(MISP_COND_TAKEN,   EVENT, "mispredicted conditional, taken") \
	X(MISP_RETURN,       EVENT, "mispredicted returns") \
	X(MISP_INDIRECT_JUMP, EVENT, "mispredicted indirect jumps") \
	X(MISP_INDIRECT_CALL, EVENT, "mispredicted indirect calls") \
	X(MISP_DIRECT,       EVENT, "mispredicted direct jumps and calls") \
	X(MISP_DIRECT_CALL,  EVENT, "mispredicted direct calls") \
	X(MISP_JUMP,         EVENT, "mispredicted direct jumps") \
	X(NOT_TAKEN_GOOD,    EVENT, "not taken and predicted so") \
	X(NOT_TAKEN_BAD,     EVENT, "not taken, mispredicted") \
	X(TAKEN_GOOD,        EVENT, "taken, predicted right") \
	X(BTB_HIT,           EVENT, "branches found in the branch target buffer") \
	X(BTB_MISS,          EVENT, "branches not found there") \
	X(FOUND_TAKEN,       EVENT, "of these, those that were predicted taken nevertheless") \
	X(BTB_MISS_CALLS,    EVENT, "calls and returns not found there") \
	X(LBR_INSERTS,       EVENT, "branches that are recorded (made by the PMU)") \
	/* caches: E = unmodified, M = modified; sharing is not modelled, so S never occurs */ \
	X(L1D_LOAD_HIT,      EVENT, "reads that hit L1D (per line touched)") \
	X(L1D_LOAD_MISS,     EVENT, "reads that miss L1D") \
	X(L1D_STORE_HIT,     EVENT, "writes that hit L1D") \
	X(L1D_STORE_MISS,    EVENT, "writes that miss L1D") \
	X(L1D_LOAD_READY,    EVENT, "of the hits, those that wait for no line") \
	X(L1D_LOAD_HIT_E,    EVENT, "reads that hit an unmodified line of L1D") \
	X(L1D_LOAD_HIT_M,    EVENT, "reads that hit a modified line of L1D") \
	X(L1D_STORE_HIT_E,   EVENT, "writes that hit an unmodified line of L1D") \
	X(L1D_STORE_HIT_M,   EVENT, "writes that hit a modified line of L1D") \
	X(LOCK_HIT_E,        EVENT, "reads of locked operations that hit L1D, not modified") \
	X(LOCK_HIT_M,        EVENT, "reads of locked operations that hit L1D, modified") \
	X(L2_LOCK_HIT_E,     EVENT, "those that miss L1D and hit an unmodified line of L2") \
	X(L2_LOCK_HIT_M,     EVENT, "those that miss L1D and hit a modified line of L2") \
	X(L2_LOCK_MISS,      EVENT, "those that miss both") \
	X(SPLIT_LOCKS,       EVENT, "locked operations across a line") \
	X(UNCACHED_LOCKS,    EVENT, "locked operations on uncacheable memory") \
	X(L1D_FILL,          EVENT, "lines brought into L1D") \
	X(L1D_FILL_M,        EVENT, "lines brought into L1D to be written") \
	X(L1D_EVICT,         EVENT, "lines thrown out of L1D") \
	X(L1D_EVICT_CLEAN,   EVENT, "unmodified lines thrown out of L1D") \
	X(L1D_CONFLICT,      EVENT, "lines thrown out for one of a like address (NetBurst)") \
	X(L1D_WRITEBACK,     EVENT, "modified lines thrown out of L1D") \
	X(WRITEBACK_HIT_E,   EVENT, "of these, those that hit an unmodified line of L2") \
	X(WRITEBACK_HIT_M,   EVENT, "those that hit a modified line of L2") \
	X(L1I_FETCH,         EVENT, "instruction fetches from L1I or trace cache") \
	X(L1I_HIT,           EVENT, "of these, hits") \
	X(L1I_MISS,          EVENT, "L1I (trace cache) misses") \
	X(L2_LOAD_HIT_E,     EVENT, "L2 data reads that hit an unmodified line") \
	X(L2_LOAD_HIT_M,     EVENT, "L2 data reads that hit a modified line") \
	X(L2_LOAD_MISS,      EVENT, "L2 data read misses") \
	X(L2_STORE_HIT_E,    EVENT, "L2 requests for ownership that hit an unmodified line") \
	X(L2_STORE_HIT_M,    EVENT, "L2 requests for ownership that hit a modified line") \
	X(L2_STORE_MISS,     EVENT, "L2 requests for ownership that miss") \
	X(L2_CODE_HIT_E,     EVENT, "L2 instruction fetches that hit an unmodified line") \
	X(L2_CODE_HIT_M,     EVENT, "L2 instruction fetches that hit a modified line") \
	X(L2_CODE_HIT,       EVENT, "L2 instruction fetches that hit") \
	X(L2_CODE_MISS,      EVENT, "L2 instruction fetches that miss") \
	X(L2_FILL,           EVENT, "lines brought into L2") \
	X(L2_EVICT,          EVENT, "lines thrown out of L2") \
	X(L2_EVICT_CLEAN,    EVENT, "unmodified lines thrown out of L2") \
	X(L2_WRITEBACK,      EVENT, "modified lines thrown out of L2") \
	X(L2_WRITE_MISS,     EVENT, "modified lines thrown out of L1D that L2 does not have") \
	X(SW_PREFETCH_L2,    EVENT, "lines that prefetch instructions bring into L1D from L2") \
	X(SW_PREFETCH_LLC,   EVENT, "the same from the last level beyond L2") \
	X(SW_PREFETCH_MEMORY, EVENT, "from memory") \
	X(NTA_MEMORY,        EVENT, "of these, by PREFETCHNTA") \
	X(T1_MEMORY,         EVENT, "by PREFETCHT1") \
	X(T2_MEMORY,         EVENT, "by PREFETCHT2") \
	X(READ_PREFETCH_HIT, EVENT, "lines from L2 by PREFETCHNTA and PREFETCHT0 to T2") \
	X(READ_PREFETCH_LLC, EVENT, "lines from the last level beyond L2 by these") \
	X(READ_PREFETCH_MEMORY, EVENT, "lines from memory by these") \
	X(LATE_LOADS,        EVENT, "locked and uncacheable reads, and reads across a page") \
	X(L2_ALL,            EVENT, "requests, fills and write-backs of L2, write-backs of L1D") \
	X(LLC_REFERENCE,     EVENT, "requests to the last-level cache") \
	X(LLC_MISS,          EVENT, "requests that miss it") \
	X(LLC_LOAD_HIT,      EVENT, "data reads that hit it") \
	X(LLC_LOAD_MISS,     EVENT, "data reads that miss it") \
	X(LLC_STORE_HIT,     EVENT, "requests for ownership that hit it") \
	X(LLC_STORE_MISS,    EVENT, "requests for ownership that miss it") \
	X(LLC_CODE_HIT,      EVENT, "instruction fetches that hit it") \
	X(LLC_LOAD_HIT_E,    EVENT, "of LLC_LOAD_HIT, those of unmodified lines") \
	X(LLC_LOAD_HIT_M,    EVENT, "those of modified lines") \
	X(LLC_STORE_HIT_E,   EVENT, "of LLC_STORE_HIT, those of unmodified lines") \
	X(LLC_STORE_HIT_M,   EVENT, "those of modified lines") \
	X(LLC_CODE_HIT_E,    EVENT, "of LLC_CODE_HIT, those of unmodified lines") \
	X(LLC_CODE_HIT_M,    EVENT, "those of modified lines") \
	X(OFFCORE_RESPONSE,  EVENT, "requests that MSR 1A6H or 1A7H selects (made by the PMU)") \
	X(LLC_CODE_MISS,     EVENT, "instruction fetches that miss it") \
	/* translation; a walk is a miss of every TLB level */ \
	X(DTLB_LOAD_MISS,    EVENT, "reads that miss the first data TLB") \
	X(DTLB_STORE_MISS,   EVENT, "writes that miss the first data TLB") \
	X(DTLB_LOAD_STLB,    EVENT, "of these, found in the second level") \
	X(DTLB_STORE_STLB,   EVENT, "of these, found in the second level") \
	X(DTLB_LOAD_WALK,    EVENT, "page walks for reads") \
	X(DTLB_STORE_WALK,   EVENT, "page walks for writes") \
	X(ITLB_HIT,          EVENT, "instruction page references that hit (one per page entered)") \
	X(ITLB_LARGE_HIT,    EVENT, "of these, hits of the TLB of large pages") \
	X(ITLB_MISS,         EVENT, "instruction page references that miss the first TLB") \
	X(ITLB_STLB,         EVENT, "of these, found in the second level") \
	X(ITLB_WALK,         EVENT, "page walks for instructions") \
	X(DTLB_LOAD_WALK_4K, EVENT, "page walks for reads, pages of 4 KiB") \
	X(DTLB_LOAD_WALK_2M, EVENT, "page walks for reads, pages of 2 or 4 MiB") \
	X(DTLB_LOAD_WALK_1G, EVENT, "page walks for reads, pages of 1 GiB") \
	X(DTLB_STORE_WALK_4K, EVENT, "page walks for writes, pages of 4 KiB") \
	X(DTLB_STORE_WALK_2M, EVENT, "page walks for writes, pages of 2 or 4 MiB") \
	X(DTLB_STORE_WALK_1G, EVENT, "page walks for writes, pages of 1 GiB") \
	X(ITLB_WALK_4K,      EVENT, "page walks for instructions, pages of 4 KiB") \
	X(ITLB_WALK_2M,      EVENT, "page walks for instructions, pages of 2 or 4 MiB") \
	X(ITLB_WALK_1G,      EVENT, "page walks for instructions, pages of 1 GiB") \
	X(DTLB_STLB_4K,      EVENT, "data, found in the second level, pages of 4 KiB") \
	X(DTLB_STLB_2M,      EVENT, "data, found in the second level, pages of 2 or 4 MiB") \
	X(DTLB_STLB_1G,      EVENT, "data, found in the second level, pages of 1 GiB") \
	/* asynchronous: own step, without INSTRUCTIONS */ \
	X(INTERRUPTS_HW,     EVENT, "hardware interrupts taken (NMI and SMI included)") \
	X(EXCEPTIONS,        EVENT, "faults and traps delivered") \
	X(PAGE_FAULTS,       EVENT, "of these, page faults") \
	/* Pentium pipeline (sim/timing/p5.h) */ \
	X(V_PIPE,            EVENT, "instructions in the V pipe") \
	X(BREAKPOINT_0,      EVENT, "the breakpoint of DR0 matched, enabled or not (Pentium)") \
	X(BREAKPOINT_1,      EVENT, "that of DR1") \
	X(BREAKPOINT_2,      EVENT, "that of DR2") \
	X(BREAKPOINT_3,      EVENT, "that of DR3") \
	X(MMX_U,             EVENT, "MMX instructions in the U pipe") \
	X(MMX_V,             EVENT, "MMX instructions in the V pipe") \
	X(BOTH_PIPES_MEM,    EVENT, "pairs with a memory access in both pipes") \
	X(BANK_CONFLICT,     EVENT, "bank conflicts") \
	X(STORE_HIT_EM,      EVENT, "writes that hit an E or M line of L1D") \
	X(TAKEN_OR_BTB_HIT,  EVENT, "taken branches or BTB hits") \
	X(PIPELINE_FLUSH,    EVENT, "pipeline flushes, all causes") \
	X(FLUSH_BRANCH,      EVENT, "flushes by wrong predictions") \
	X(FLUSH_BRANCH_WB,   EVENT, "of these, resolved in WB") \
	X(BTB_NOT_TAKEN,     EVENT, "predicted taken, was not taken") \
	X(RETURN_PREDICTED,  EVENT, "returns that had a prediction") \
	X(RETURN_MISSED,     EVENT, "returns predicted wrong or not predicted") \
	X(AGI_STALL,         LEVEL, "clocks lost to address generation interlock") \
	X(READ_STALL,        LEVEL, "clocks waiting for data reads") \
	X(WRITE_STALL,       LEVEL, "clocks with write buffers full") \
	X(EM_STALL,          LEVEL, "clocks stalled on a write to an E or M line") \
	X(DTLB_STALL,        LEVEL, "clocks stalled on a data TLB miss") \
	X(FP_STALL,          LEVEL, "clocks stalled on x87 results") \
	X(MMX_READ_STALL,    LEVEL, "clocks waiting for reads of MMX instructions") \
	X(MMX_MUL_STALL,     LEVEL, "clocks waiting for an MMX multiply") \
	X(MMX_STORE_STALL,   LEVEL, "clocks a MOVD/MOVQ store waited for an MMX result") \
	X(BUS_BUSY,          LEVEL, "clocks with a bus cycle of this CPU in progress") \
	X(ISSUED,            EVENT, "uops renamed; those that are fused count one") \
	X(EXECUTED,          EVENT, "uops that a port took") \
	X(RETIRED_SLOTS,     EVENT, "uops retired; those that are fused count one") \
	X(HEAVY_SLOTS,       EVENT, "of these, all but the last of each instruction") \
	/* superscalar core (sim/timing/core.h); nothing makes them on models without */ \
	X(PORT0,             EVENT, "uops that port 0 took") \
	X(PORT1,             EVENT, "uops that port 1 took") \
	X(PORT2,             EVENT, "uops that port 2 took") \
	X(PORT3,             EVENT, "uops that port 3 took") \
	X(PORT4,             EVENT, "uops that port 4 took") \
	X(PORT5,             EVENT, "uops that port 5 took") \
	X(PORT6,             EVENT, "uops that port 6 took") \
	X(PORT7,             EVENT, "uops that port 7 took") \
	X(PORT8,             EVENT, "uops that port 8 took") \
	X(PORT9,             EVENT, "uops that port 9 took") \
	X(PORT10,            EVENT, "uops that port 10 took") \
	X(PORT11,            EVENT, "uops that port 11 took") \
	X(PORT12,            EVENT, "uops that port 12 took") \
	X(PORT13,            EVENT, "uops that port 13 took") \
	X(PORT14,            EVENT, "uops that port 14 took") \
	X(PORT15,            EVENT, "uops that port 15 took") \
	X(ELIMINATED,        EVENT, "instructions done by renaming") \
	X(MACRO_FUSED,       EVENT, "branches that are one uop with the instruction before") \
	X(X87_UOPS,          EVENT, "uops of x87 instructions that a port took") \
	X(MMX_UOPS,          EVENT, "uops of MMX instructions that a port took") \
	X(CACHED_UOPS,       EVENT, "uops issued that came from the uop cache") \
	X(COMPLEX_DECODED,   EVENT, "decoded instructions that only the first decoder takes") \
	X(TWO_UOPS_DECODED,  EVENT, "decoded instructions of two uops") \
	X(FP_PORT0,          EVENT, "uops of SSE additions and multiplications that port 0 took") \
	X(FP_PORT1,          EVENT, "uops of SSE additions and multiplications that port 1 took") \
	X(FP_PORT5,          EVENT, "uops of SSE additions and multiplications that port 5 took") \
	X(LOCK_FILL_HIT,     EVENT, "FILL_HIT of locked operations") \
	X(DECODED_UOPS,      EVENT, "uops issued that came from the decoders") \
	X(MICROCODE_UOPS,    EVENT, "of both, those of microcoded instructions") \
	X(FILL_HIT,          EVENT, "reads that wait for a line which another one asked for") \
	X(ALIASED,           EVENT, "reads like a store in flight in 12 address bits alone") \
	X(FORWARDED,         EVENT, "instructions that load what a store in flight has") \
	X(DELIVERED_UOPS,    EVENT, "uops issued from the uop cache, without microcode") \
	X(BUILT_UOPS,        EVENT, "uops issued from the decoders, without microcode") \
	X(FUSED_LOADS,       EVENT, "loads that are one uop with what computes") \
	X(FUSED_STORES,      EVENT, "address and data of a store that are one uop") \
	X(FETCH_STALL,       LEVEL, "clocks that fetch waits for code and its translation") \
	X(STACK_INSNS,       EVENT, "PUSH, POP, CALL and RET, of all kinds") \
	X(BUFFER_WAITED,     EVENT, "loads that waited for a line-fill buffer") \
	X(FORWARD_WAITED,    EVENT, "instructions that wait for the data of a store") \
	X(WAITED_CODE,       EVENT, "instructions for whose code rename waited") \
	X(WAITED_JUMP,       EVENT, "because of these: a taken branch before it") \
	X(WAITED_TLB,        EVENT, "a translation") \
	X(WAITED_LINE,       EVENT, "a line") \
	X(WAITED_MICROCODE,  EVENT, "the decoding of its microcode") \
	X(WAITED_DECODE,     EVENT, "its decoding") \
	X(WAITED_OTHER,      EVENT, "another cause") \
	X(WAITED_CLOCKS,     EVENT, "clocks that rename waited for code") \
	X(FRONTEND_TAGGED,   EVENT, "instructions that MSR 3F7H selects (made by the PMU)") \
	X(SLOW_LOADS,        EVENT, "loads of more clocks than MSR 3F6H says (made by the PMU)") \
	X(FORWARD_FAILED,    EVENT, "instructions that wait for a store which lacks some bytes") \
	X(FORWARD_UNALIGNED, EVENT, "those that wait for a store which begins elsewhere") \
	X(ROB_STALL,         LEVEL, "clocks in which rename waits for the reorder buffer") \
	X(SCHEDULER_STALL,   LEVEL, "clocks in which rename waits for the scheduler") \
	X(LOAD_STALL,        LEVEL, "clocks in which rename waits for the load queue") \
	X(STORE_STALL,       LEVEL, "clocks in which rename waits for the store queue") \
	X(BARRIER_STALL,     LEVEL, "clocks in which rename waits behind a fence") \
	X(LCP_STALL,         LEVEL, "clocks that length-changing prefixes cost the decoders") \
	/* known clock by clock alone (SIM_LANES); slot: room for a uop in a clock of rename */ \
	X(CODE_STALL,        LEVEL, "clocks in which rename has no code at all") \
	X(RECOVERY,          LEVEL, "clocks from a wrong branch's execution to the next code") \
	X(LOST_SLOTS,        EVENT, "slots without a uop for want of code") \
	X(LATENCY_SLOTS,     EVENT, "of these, those of clocks without any uop") \
	X(BAD_SLOTS,         EVENT, "slots between a wrong branch and the code behind it") \
	X(BACKEND_SLOTS,     EVENT, "slots without a uop for any other cause") \
	X(MEMORY_SLOTS,      EVENT, "of these: nothing executes and a load waits, or stores do") \
	X(SCHEDULER_EMPTY,   LEVEL, "clocks in which no uop waits in the scheduler") \
	X(EXECUTING_0,       LEVEL, "clocks in which no port takes a uop") \
	X(EXECUTING_1,       LEVEL, "clocks in which one does, and more wait") \
	X(EXECUTING_2,       LEVEL, "clocks in which two do, and more wait") \
	X(EXECUTING_3,       LEVEL, "clocks in which three do, and more wait") \
	X(EXECUTING_4,       LEVEL, "clocks in which four do, and more wait") \
	X(CORE_BOUND,        LEVEL, "clocks in which none does, uops wait, and no memory") \
	X(STORE_BOUND,       LEVEL, "clocks in which rename waits for the store queue, no load") \
	X(LOAD_CLOCKS,       LEVEL, "clocks in which a load has begun and has no data") \
	X(L1D_MISSES,        EVENT, "loads that missed L1D and have no data, in every clock") \
	X(L1D_MISS_CLOCKS,   LEVEL, "clocks in which there is one") \
	X(L2_MISSES,         EVENT, "loads that missed L2 and have no data, in every clock") \
	X(L2_MISS_CLOCKS,    LEVEL, "clocks in which there is one") \
	X(LLC_MISSES,        EVENT, "loads that missed the last level and wait, in every clock") \
	X(LLC_MISS_CLOCKS,   LEVEL, "clocks in which there is one") \
	X(L2_OWNERSHIPS,     EVENT, "stores that missed L2 and have no line, in every clock") \
	X(BUFFERS_FULL,      LEVEL, "clocks in which a load waits for a line-fill buffer") \
	X(INT_DIVIDER,       LEVEL, "clocks in which the divider works for DIV or IDIV") \
	X(FP_DIVIDER,        LEVEL, "clocks in which it works for anything else") \
	X(LOAD_WALKS,        EVENT, "page walks for reads under way, in every clock") \
	X(LOAD_WALK_CLOCKS,  LEVEL, "clocks in which there is one") \
	X(STORE_WALKS,       EVENT, "page walks for writes under way, in every clock") \
	X(STORE_WALK_CLOCKS, LEVEL, "clocks in which there is one") \
	X(CODE_WALK_CLOCKS,  LEVEL, "clocks of page walks for instructions") \
	X(CODE_TLB_STALL,    LEVEL, "clocks in which fetch waits for a translation") \
	X(CODE_LINE_STALL,   LEVEL, "clocks in which it waits for a line") \
	X(FETCH_CLOCKS,      LEVEL, "clocks in which it waits for either") \
	X(L2_CODE_MISSES,    LEVEL, "clocks in which it waits for a line that L2 does not have") \
	X(SWITCHES,          EVENT, "switches from the uop cache to the decoders") \
	X(SWITCH_CLOCKS,     LEVEL, "clocks of fetch that they cost") \
	X(MICROCODE_CLOCKS,  LEVEL, "clocks in which uops of microcode are renamed") \
	X(MICROCODE_CACHED,  EVENT, "uops of microcoded instructions that the uop cache has") \
	X(MICROCODE_DECODED, EVENT, "uops of microcoded instructions that it has not") \
	X(DECODERS,          EVENT, "instructions from the decoders; one that is fused is none") \
	X(DECODER0,          EVENT, "uops of instructions that the first decoder took") \
	X(READ_PORT_STALL,   LEVEL, "clocks in which rename waits for register read ports") \
	X(EMPTY_RESOURCE,    LEVEL, "clocks of a stall of the back end without waiting uops") \
	X(ROB_SLOTS,         EVENT, "slots of the back end while the reorder buffer is full") \
	X(BARRIER_SLOTS,     EVENT, "slots of the back end behind a fence") \
	X(HEAD_WALK,         LEVEL, "clocks in which the oldest load waits for a page walk") \
	X(HEAD_MISS,         LEVEL, "clocks in which the oldest load waits for a line") \
	X(RETIRE_WALK,       LEVEL, "clocks in which retirement waits for a load's page walk") \
	X(HEAD_TLB,          LEVEL, "clocks in which the oldest load waits for the second TLB") \
	X(HEAD_BUFFER,       LEVEL, "clocks in which it waits for a line-fill buffer") \
	X(RETIRE_TLB,        LEVEL, "clocks in which retirement waits for a load's second TLB") \
	X(RETIRE_BUFFER,     LEVEL, "clocks in which retirement waits for a load's buffer") \
	X(RETIRE_L2,         LEVEL, "clocks in which it waits for a load's line that L2 has") \
	X(RETIRE_LLC,        LEVEL, "clocks in which it waits for one that the last level has") \
	X(RETIRE_MEMORY,     LEVEL, "clocks in which it waits for one that no cache has") \
	X(HEAD_STORE,        LEVEL, "clocks in which the oldest load waits for a store") \
	X(SLOW_LEA_CLOCKS,   LEVEL, "clocks in which a slow LEA is renamed") \
	X(LOST_JUMP,         EVENT, "of LOST_SLOTS, those behind a taken branch") \
	X(LOST_TLB,          EVENT, "those while fetch waits for a translation") \
	X(LOST_LINE,         EVENT, "those while fetch waits for a line") \
	X(LOST_MICROCODE,    EVENT, "those while an instruction of microcode is decoded") \
	X(LOST_DECODE,       EVENT, "those while another instruction is decoded") \
	X(LOST_OTHER,        EVENT, "the rest") \
	X(CODE_TLB_BOUND,    LEVEL, "clocks of CODE_STALL in which fetch waits for a translation") \
	X(CODE_L2_BOUND,     LEVEL, "those in which it waits for a line that L2 has") \
	X(CODE_LLC_BOUND,    LEVEL, "those in which it waits for one that the last level has") \
	X(CODE_MEMORY_BOUND, LEVEL, "those in which it waits for one that no cache has") \
	X(LOCK_CLOCKS,       LEVEL, "clocks in which a locked instruction has its line") \
	X(BUS_LOCK_CLOCKS,   LEVEL, "clocks in which one has two lines or uncacheable memory") \
	X(PAUSE_CLOCKS,      LEVEL, "clocks in which PAUSE waits") \
	/* behind a wrongly predicted branch, never retired (sim/step/wrong_path.h) */ \
	X(BOGUS_INSNS,       EVENT, "instructions renamed on the wrong path") \
	X(BOGUS_UOPS,        EVENT, "uops of these, counted as UOPS") \
	X(BOGUS_ISSUED,      EVENT, "uops of these, counted as ISSUED") \
	X(BOGUS_LOADS,       EVENT, "data reads of these") \
	X(BOGUS_STORES,      EVENT, "data writes of these") \
	X(BOGUS_LOAD_INSNS,  EVENT, "of these, those that read") \
	X(BOGUS_STORE_INSNS, EVENT, "of these, those that write") \
	X(BOGUS_MEMORY_INSNS, EVENT, "of these, those that read or write") \
	X(BOGUS_BRANCHES,    EVENT, "branches of these") \
	X(BOGUS_EXECUTED,    EVENT, "uops executed on the wrong path, counted as EXECUTED") \
	X(BOGUS_EXEC_LOADS,  EVENT, "reads executed on the wrong path") \
	X(BOGUS_LOAD_MISS,   EVENT, "of these, first ones of an instruction that miss L1D") \
	X(BOGUS_L2_MISS,     EVENT, "of these, those that miss L2 too") \
	X(BOGUS_EXEC_BRANCHES, EVENT, "branches executed on the wrong path") \
	X(BOGUS_TAKEN,       EVENT, "of these, predicted taken") \
	X(BOGUS_NON_CALLS,   EVENT, "of these, no calls and no returns") \
	X(BOGUS_COND_TAKEN,  EVENT, "conditional branches executed there, predicted taken") \
	X(BOGUS_COND_NOT_TAKEN, EVENT, "conditional branches executed there, predicted not taken") \
	X(BOGUS_JUMPS,       EVENT, "direct near jumps executed there") \
	X(BOGUS_INDIRECT_JUMPS, EVENT, "indirect near jumps executed there") \
	X(BOGUS_DIRECT_CALLS, EVENT, "direct near calls executed there") \
	X(BOGUS_INDIRECT_CALLS, EVENT, "indirect near calls executed there") \
	X(BOGUS_RETURNS,     EVENT, "near returns executed there") \
	X(BOGUS_MUL,         EVENT, "integer and x87 multiplies executed there") \
	X(BOGUS_DIV,         EVENT, "integer and x87 divides executed there") \
	X(BOGUS_X87_OPS,     EVENT, "x87 arithmetic executed there") \
	X(BOGUS_MMX,         EVENT, "MMX instructions executed there") \
	X(BOGUS_SSE_PS,      EVENT, "packed single instructions executed there") \
	X(BOGUS_SSE_SS,      EVENT, "scalar single instructions executed there") \
	X(BOGUS_SSE_PD,      EVENT, "packed double instructions executed there") \
	X(BOGUS_SSE_SD,      EVENT, "scalar double instructions executed there") \
	X(BOGUS_SSE_INT,     EVENT, "128-bit integer instructions executed there")
/* clang-format on */

/*
 * Signals of which a superscalar core says how often they occur in each single clock. Their
 * thresholds, inversion and edges are those of the core's clocks, not of the instruction's.
 */
/* clang-format off */
#define SIM_LANES(X) \
	X(CLOCKS) X(INSTRUCTIONS) X(UOPS) X(ISSUED) X(EXECUTED) X(RETIRED_SLOTS) \
	X(HEAVY_SLOTS) \
	X(PORT0) X(PORT1) X(PORT2) X(PORT3) X(PORT4) X(PORT5) X(PORT6) X(PORT7) \
	X(PORT8) X(PORT9) X(PORT10) X(PORT11) X(PORT12) X(PORT13) X(PORT14) X(PORT15) \
	X(CACHED_UOPS) X(DECODED_UOPS) X(MICROCODE_UOPS) X(BOGUS_ISSUED) X(BOGUS_EXECUTED) \
	X(ROB_STALL) X(SCHEDULER_STALL) X(LOAD_STALL) X(STORE_STALL) X(BARRIER_STALL) \
	X(CODE_STALL) X(RECOVERY) X(LOST_SLOTS) X(LATENCY_SLOTS) X(BAD_SLOTS) \
	X(BACKEND_SLOTS) X(MEMORY_SLOTS) X(SCHEDULER_EMPTY) X(EXECUTING_0) X(EXECUTING_1) \
	X(EXECUTING_2) X(EXECUTING_3) X(EXECUTING_4) X(CORE_BOUND) X(STORE_BOUND) \
	X(LOAD_CLOCKS) X(L1D_MISSES) X(L1D_MISS_CLOCKS) X(L2_MISSES) X(L2_MISS_CLOCKS) \
	X(LLC_MISSES) X(LLC_MISS_CLOCKS) X(L2_OWNERSHIPS) X(BUFFERS_FULL) X(INT_DIVIDER) \
	X(FP_DIVIDER) X(LOAD_WALKS) X(LOAD_WALK_CLOCKS) X(STORE_WALKS) X(STORE_WALK_CLOCKS) \
	X(CODE_WALK_CLOCKS) X(CODE_TLB_STALL) X(CODE_LINE_STALL) X(FETCH_CLOCKS) X(L2_CODE_MISSES) \
	X(SWITCHES) X(SWITCH_CLOCKS) X(MICROCODE_CLOCKS) X(MICROCODE_CACHED) X(MICROCODE_DECODED) \
	X(DECODERS) X(DECODER0) X(READ_PORT_STALL) X(EMPTY_RESOURCE) X(ROB_SLOTS) \
	X(BARRIER_SLOTS) X(HEAD_WALK) X(HEAD_MISS) X(RETIRE_WALK) X(HEAD_TLB) \
	X(HEAD_BUFFER) X(RETIRE_TLB) X(RETIRE_BUFFER) X(RETIRE_L2) X(RETIRE_LLC) \
	X(RETIRE_MEMORY) X(HEAD_STORE) X(SLOW_LEA_CLOCKS) \
	X(LOST_JUMP) X(LOST_TLB) X(LOST_LINE) X(LOST_MICROCODE) \
	X(LOST_DECODE) X(LOST_OTHER) X(CODE_TLB_BOUND) X(CODE_L2_BOUND) X(CODE_LLC_BOUND) \
	X(CODE_MEMORY_BOUND) X(LOCK_CLOCKS) X(BUS_LOCK_CLOCKS) X(PAUSE_CLOCKS)
/* clang-format on */

enum sim_lane {
#define SIM_LANE_ENUM(name) LANE_##name,
	SIM_LANES(SIM_LANE_ENUM)
#undef SIM_LANE_ENUM
		LANE_COUNT,
};

/* So many clocks of the core that are all alike. */
struct sim_run {
	uint32_t clocks;
	uint8_t n[LANE_COUNT]; /* occurrences in each of them */
};

enum sim_signal {
#define SIM_SIGNAL_ENUM(name, kind, text) SIG_##name,
	SIM_SIGNALS(SIM_SIGNAL_ENUM)
#undef SIM_SIGNAL_ENUM
		SIG_COUNT,
	SIG_CORE = SIG_PORT0, /* the first of those that a superscalar core makes */
};

/* Of what never retires. */
static inline bool sim_signal_bogus(enum sim_signal sig)
{
	return sig >= SIG_BOGUS_INSNS && sig <= SIG_BOGUS_SSE_INT;
}

/* Known is how often they occur in a clock, and not how often in an instruction. */
static inline bool sim_signal_clocked(enum sim_signal sig)
{
	return sig >= SIG_CODE_STALL && sig <= SIG_PAUSE_CLOCKS;
}

enum sim_signal_kind { SIGNAL_EVENT, SIGNAL_LEVEL };

struct sim_signal_info {
	const char *name; /* as in the enumeration, without SIG_ */
	const char *text;
	enum sim_signal_kind kind;
};

/* Indexed by enum sim_signal. */
extern const struct sim_signal_info sim_signal_info[SIG_COUNT];

/* The lane of a signal, or LANE_COUNT. */
unsigned sim_signal_lane(enum sim_signal sig);

/* SIG_COUNT when there is no signal of that name. */
enum sim_signal sim_signal_by_name(const char *name);

enum sim_branch {
	BRANCH_NONE,
	BRANCH_COND,
	BRANCH_JUMP,
	BRANCH_JUMP_INDIRECT,
	BRANCH_CALL,
	BRANCH_CALL_INDIRECT,
	BRANCH_RETURN,
	BRANCH_FAR, /* instructions, interrupts and exceptions */
};

/* Where the data of an access came from, for PEBS records. */
enum sim_level { LEVEL_L1, LEVEL_L2, LEVEL_LLC, LEVEL_MEMORY };

#define SIM_STEP_ACCESSES 2
#define SIM_STEP_LOADS    6

struct sim_access {
	uint64_t linear;
	uint8_t size; /* bytes; 255 = more */
	bool write;
	bool dtlb_miss;
	enum sim_level level;
};

/*
 * What one retired instruction did. The producer keeps one of these per CPU, calls sim_step_clear()
 * before each instruction, sim_step_add() for what happened and fills the other fields. An
 * interrupt or exception that is delivered is a step of its own, without INSTRUCTIONS, with branch
 * = BRANCH_FAR, at the privilege level from which it came.
 */
struct sim_step {
	uint32_t n[SIG_COUNT]; /* write through sim_step_add() */
	uint16_t touched[SIG_COUNT];
	uint16_t touched_count;
	uint8_t cpl;
	uint8_t branch; /* enum sim_branch */
	bool taken;
	bool mispredicted;
	uint8_t accesses; /* entries in access[]; the first ones are kept */
	struct sim_access access[SIM_STEP_ACCESSES];
	uint8_t loads; /* entries in load_clocks[], which a superscalar core makes */
	uint16_t load_clocks[SIM_STEP_LOADS]; /* from a port to the data; 65535 = or more */
	uint32_t clocks;   /* core clocks; 0 only for the second instruction of a P5 pair */
	uint64_t rip;      /* linear address of the instruction */
	uint64_t next_rip; /* linear address of what executes next: target of a taken branch */
	/* Clocks of a superscalar core that became final; none if no counter asks. */
	struct sim_run *run;
	uint32_t runs;
};

/* Adds n occurrences of the signal to the step. */
static inline void sim_step_add(struct sim_step *step, enum sim_signal sig, uint32_t n)
{
	if (!n)
		return;
	if (!step->n[sig])
		step->touched[step->touched_count++] = (uint16_t)sig;
	step->n[sig] += n;
}

/*
 * For a branch instruction: sets branch, taken, mispredicted and every branch signal (but BTB_*) of
 * the step.
 */
void sim_step_branch(struct sim_step *step, enum sim_branch kind, bool taken, bool mispredicted);

/*
 * For the step of an interrupt or exception that is delivered: sets branch and taken and adds
 * INTERRUPTS_HW or EXCEPTIONS, but no branch signal, since no branch instruction retired.
 */
void sim_step_interrupt(struct sim_step *step, bool hardware);

/* Makes the step empty; cpl, rip and next_rip stay. */
static inline void sim_step_clear(struct sim_step *step)
{
	for (unsigned i = 0; i < step->touched_count; i++)
		step->n[step->touched[i]] = 0;
	step->touched_count = 0;
	step->branch = BRANCH_NONE;
	step->taken = false;
	step->mispredicted = false;
	step->accesses = 0;
	step->loads = 0;
	step->clocks = 0;
	step->runs = 0;
}

#endif
