/*
 * sim/pc/state.h - the state of the devices.
 */
#ifndef SIM_PC_STATE_H
#define SIM_PC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/options.h"

enum { UART_FIFO = 16, PCI_REGISTERS = 32, IOAPIC_PINS = 24, HPET_TIMERS = 3 };
enum { FW_CFG_FILE = 1 << 20 }; /* bytes of a file that can be seen */

struct uart {
	uint8_t ier, lcr, mcr, scr, fcr;
	uint16_t divisor;
	bool fifo;
	uint8_t rx[UART_FIFO];
	unsigned rx_count;
	bool overrun;
	bool thre_interrupt;  /* transmitter went empty since the last look */
	uint64_t sent;        /* bytes */
	uint64_t tx_busy;     /* clock at which the last byte has left */
	uint64_t rx_next;     /* clock of the next input byte */
	const uint8_t *input; /* bytes that will arrive */
	uint64_t input_size, input_at;
	const char *typed; /* characters yet to be typed; NULL: none */
	unsigned looks;    /* at the line status in vain, since something happened */
};

struct pit_channel {
	uint16_t reload;
	uint8_t mode, access; /* access: 1 low, 2 high, 3 both */
	bool write_high, read_high;
	bool latched, status_latched;
	uint16_t latch;
	uint8_t status;
	uint8_t low;     /* of a two-byte write */
	uint64_t start;  /* PIT tick at which counting began */
	uint64_t paused; /* ticks counted when the gate went low */
	bool counting;
	bool gate;
	uint64_t fired; /* output edges that were passed on (channel 0) */
};

struct pic {
	uint8_t irr, isr, imr, base, icw, read_isr;
	bool auto_eoi, poll;
};

struct ioapic {
	uint8_t select, id;
	uint32_t lines; /* bit n: the level at pin n */
	uint32_t entry[IOAPIC_PINS][2];
};

struct hpet_timer {
	uint32_t config;
	uint64_t comparator, period;
	bool sets; /* the low half last written was the comparator's, too */
};

struct hpet {
	uint32_t config, status;
	uint64_t
		count; /* of the main counter at the tick `start`, when it was stopped or started */
	uint64_t start;
	uint64_t seen; /* the count to which the timers have been brought */
	struct hpet_timer timer[HPET_TIMERS];
};

struct fw_cfg_item {
	uint8_t *data;
	uint32_t size;
};

struct fw_cfg {
	uint16_t key;
	uint32_t at;
	struct fw_cfg_item file[MAX_FW_CFG];
};

struct keyboard {
	uint8_t byte; /* for the guest, if `full` */
	bool full;
	uint8_t command; /* the controller's, whose data byte comes next */
	unsigned looks;  /* at the status in vain */
};

struct devices {
	struct uart uart;
	struct pit_channel pit[3];
	uint8_t port61;
	struct keyboard keyboard;
	struct pic pic[2];
	bool pic_level; /* the output of the master */
	struct ioapic ioapic;
	struct hpet hpet;
	struct fw_cfg fw_cfg;
	uint8_t cmos_index;
	uint8_t cmos_b;
	uint8_t shutdown_match;
	uint16_t pm_control, pm_enable;
	uint32_t pm_reads; /* of the PM timer */
	uint32_t pci_address, pci[PCI_REGISTERS];
	uint8_t crtc_index, crtc[32]; /* VGA text: the CRT controller keeps what is written */
};

#endif
