/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan.h"

struct bitmap *plan_sync(const struct array *array, bool full)
{
	return full ? array_file_stripes(array) : array_unsynced_stripes(array);
}
