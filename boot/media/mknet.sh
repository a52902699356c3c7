#!/bin/sh
# Makes the files of a network boot, for a TFTP server whose root is DIRECTORY (docs/farm.md).
#
#	boot/media/mknet.sh [OPTIONS] DIRECTORY
#
# The options are those of boot/media/mkiso.sh. What is in DIRECTORY already stays there.
set -eu

here=$(dirname "$0")
. "$here/tree.sh"

cp "$build/32/cpl0.elf" "$root/boot/cpl0-32.elf"
cp "$build/64/cpl0.elf" "$root/boot/cpl0-64.elf"
cp "$build/grub/cpl0.0" "$build/grub/cpl0-x64.efi" "$build/grub/cpl0-ia32.efi" "$root"
mkdir -p "$root/pxelinux.cfg" "$out"
tree_menu "$arguments"
tree_fill cpl0.ipxe "$arguments" >"$root/cpl0.ipxe"
tree_fill syslinux.cfg "$arguments" >"$root/pxelinux.cfg/default"
cp -r "$root/." "$out"
