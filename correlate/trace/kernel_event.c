/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Kernel trace events: decodes raw records with the formats that a file carries.
 */
#include "kernel_event.h"
