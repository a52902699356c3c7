/*
 * USB controllers taken from the firmware, which otherwise polls them for a legacy keyboard in
 * system management mode: the commonest source of SMIs in a machine without an operating system.
 *
 * Sources: UHCI 1.1 appendix (LEGSUP), OHCI 1.0a section 5.1.1.3.3, EHCI 1.0 section 2.1.7-8, xHCI
 * 1.2 section 7.1; PCI 3.0 configuration mechanism #1.
 */
#ifndef KERNEL_CHIPSET_USB_H
#define KERNEL_CHIPSET_USB_H

/*
 * Takes each controller from the firmware, and prints a `usb` record with the outcome. Each wait
 * ends after a bounded number of reads.
 */
void usb_take_over(void);

#endif
