/*
 * sim/pc/fw_cfg.h - QEMU's firmware configuration (QEMU, docs/specs/fw_cfg.rst): a selector at port
 * 510h and a byte at a time at 511h. It is there if --fw-cfg named a file; there is no DMA.
 */
#ifndef SIM_PC_FW_CFG_H
#define SIM_PC_FW_CFG_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Reads the files of opt.fw_cfg. False: `error` has the name of one that cannot be read. */
bool fw_cfg_open(struct machine *pc, const char **error);
void fw_cfg_close(struct machine *pc);
/* Ports 510h and 511h. */
uint32_t fw_cfg_read(struct machine *pc, uint16_t port, unsigned size);
void fw_cfg_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value);

#endif
