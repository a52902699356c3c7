/*
 * The two 8259 interrupt controllers of a PC (Intel 8259A data sheet). Nothing else in the kernel
 * touches their ports.
 *
 * Request lines are numbered 0 to 15, as the board numbers them; line 2 is the second controller.
 */
#ifndef KERNEL_CHIPSET_PIC_H
#define KERNEL_CHIPSET_PIC_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PIC_VECTOR = 0x20,     /* the CPU's vector of line 0; the other lines follow in order */
	PIC_LINE_TIMER = 0,    /* channel 0 of the 8254 (kernel/chipset/pit.h) */
	PIC_LINE_SPURIOUS = 7, /* line of the first controller for a request that has gone away */
};

/*
 * Initializes both controllers: vectors from PIC_VECTOR on, every line masked, and no request
 * pending but those of lines that are active now. The caller has interrupts off.
 */
void pic_init(void);

/*
 * Is there a controller? The mask of a controller keeps a written value, an empty bus does not.
 * Masks every line.
 */
bool pic_present(void);

/*
 * Gives both controllers the state of a BIOS: the vectors of real mode, and the masks that the
 * first pic_init() found. pic_init() takes them back. The caller has interrupts off.
 */
void pic_give(void);

/*
 * Call it before the first pic_init() if the firmware stays in use: its vectors cannot be read.
 * From now on pic_init() only masks all lines, and pic_give() only puts the masks back.
 */
void pic_keep(void);

/* Has pic_keep() been called? Then the 8254 may be the firmware's as well. */
bool pic_is_kept(void);

/* Masks every line but the first controller's lines whose bits are set in `lines`. */
void pic_allow(uint8_t lines);

/* Ends the interrupt of the first controller that is in service. */
void pic_end(void);

/*
 * Asks the first controller for its request, which takes the request into service as an interrupt
 * would. Returns the line, or -1 if there is no request; a line must be ended by pic_end().
 */
int pic_poll(void);

/* Bit n is line n: lines that are masked, and lines that wait to be served. */
uint16_t pic_masked(void);
uint16_t pic_pending(void);

#endif
