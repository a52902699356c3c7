/*
 * sim/pc/fw_cfg.c - QEMU's firmware configuration.
 */
#include "sim/pc/fw_cfg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/pc/state.h"

enum { SELECTOR = 0x510, DATA = 0x511 };
enum {
	KEY_SIGNATURE = 0x00,
	KEY_ID = 0x01,
	KEY_RAM_SIZE = 0x03,
	KEY_CPUS = 0x05,
	KEY_MAX_CPUS = 0x0f,
	KEY_DIRECTORY = 0x19,
	KEY_FILE = 0x20,
};

/* An entry of the directory: size and key, big-endian, and the name. */
enum { ENTRY = 64, ENTRY_NAME = 8, DIRECTORY_SIZE = 4 + MAX_FW_CFG * ENTRY };

static bool read_file(const char *path, struct fw_cfg_item *item)
{
	FILE *f = fopen(path, "rb");
	bool whole;
	size_t n;

	if (!f)
		return false;
	item->data = malloc(FW_CFG_FILE);
	n = item->data ? fread(item->data, 1, FW_CFG_FILE, f) : 0;
	item->size = (uint32_t)n;
	whole = item->data && fgetc(f) == EOF && !ferror(f);
	fclose(f);
	return whole;
}

bool fw_cfg_open(struct machine *pc, const char **error)
{
	for (unsigned i = 0; i < pc->opt.fw_cfg_count; i++) {
		*error = pc->opt.fw_cfg[i].path;
		if (!read_file(*error, &pc->dev->fw_cfg.file[i]))
			return false;
	}
	return true;
}

void fw_cfg_close(struct machine *pc)
{
	for (unsigned i = 0; pc->dev && i < MAX_FW_CFG; i++)
		free(pc->dev->fw_cfg.file[i].data);
}

static void put_big(uint8_t *to, unsigned size, uint32_t value)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

static uint32_t directory(const struct machine *pc, uint8_t to[DIRECTORY_SIZE])
{
	memset(to, 0, DIRECTORY_SIZE);
	put_big(to, 4, pc->opt.fw_cfg_count);
	for (unsigned i = 0; i < pc->opt.fw_cfg_count; i++) {
		uint8_t *entry = to + 4 + ENTRY * i;

		put_big(entry, 4, pc->dev->fw_cfg.file[i].size);
		put_big(entry + 4, 2, KEY_FILE + i);
		strncpy((char *)entry + ENTRY_NAME, pc->opt.fw_cfg[i].name, ENTRY - ENTRY_NAME - 1);
	}
	return 4 + ENTRY * pc->opt.fw_cfg_count;
}

/* The byte of the selected item at the offset; 0 behind its end. */
static uint8_t item_byte(const struct machine *pc)
{
	const struct fw_cfg *fw = &pc->dev->fw_cfg;
	unsigned file = fw->key - KEY_FILE;
	uint8_t small[DIRECTORY_SIZE] = { 0 };
	uint32_t size = 8;
	uint64_t value = 0;

	if (file < pc->opt.fw_cfg_count)
		return fw->at < fw->file[file].size ? fw->file[file].data[fw->at] : 0;
	if (fw->key == KEY_DIRECTORY)
		size = directory(pc, small);
	else if (fw->key == KEY_SIGNATURE)
		memcpy(&value, "QEMU", 4);
	else if (fw->key == KEY_ID)
		value = 1; /* the interface by ports */
	else if (fw->key == KEY_RAM_SIZE)
		value = pc->ram_size + pc->ram_high;
	else if (fw->key == KEY_CPUS || fw->key == KEY_MAX_CPUS)
		value = pc->cpus;
	if (value)
		memcpy(small, &value, 8);
	return fw->at < size ? small[fw->at] : 0;
}

uint32_t fw_cfg_read(struct machine *pc, uint16_t port, unsigned size)
{
	uint32_t value = 0;

	if (!pc->opt.fw_cfg_count || port != DATA || size != 1)
		return UINT32_MAX;
	value = item_byte(pc);
	pc->dev->fw_cfg.at++;
	return value;
}

/* Nothing can be written through the data port. */
void fw_cfg_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	if (port != SELECTOR || size != 2)
		return;
	pc->dev->fw_cfg.key = (uint16_t)value;
	pc->dev->fw_cfg.at = 0;
}
