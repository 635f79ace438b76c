/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --test-fake-device: what made-up devices answer, in the words of smartctl, so that all behind it is the real
 * thing. */
#ifndef DEVICE_FAKE_H
#define DEVICE_FAKE_H

#include "base/buf.h"
#include "device/device.h"

void fake_answer(const struct device *device, struct buf *out);

#endif
