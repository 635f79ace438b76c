/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/tune.h"

#include "os/clock.h"
#include "raid/select.h"
#include "report/report.h"

/* In a run of less data a wrong guess costs less than the measuring. */
#define WORTH_BYTES	(UINT64_C(1) << 30)
/* 20 ms in all: for what is begun when the time is over there is one left. */
#define HASH_NS		4000000
#define RAID_NS		15000000

static unsigned used_data(const struct slot *slot, void *data[COLUMN_MAX])
{
	unsigned count = 0;

	for (column_t c = 0; c < slot->column_count; ++c)
		if (slot->cell[c].data != NULL)
			data[count++] = slot->cell[c].data;
	return count;
}

static void measure(const struct slot *slot, const struct array *array)
{
	void *data[COLUMN_MAX], *parity[LEVEL_MAX];
	struct hash_task task[COLUMN_MAX], *list[COLUMN_MAX];
	struct raid_trial trial = {
		.code = slot->code, .levels = slot->level_count, .columns = used_data(slot, data), .size = slot->block_size,
		.data = data, .parity = parity, .now_ns = os_monotonic_ns, .most_ns = RAID_NS,
	};
	size_t bytes = 0;
	unsigned count;

	for (level_t l = 0; l < slot->level_count; ++l)
		parity[l] = slot->parity[l].fresh;
	raid_tune(&trial);
	/* What raid_tune wrote to, and so much that a round of hashing takes less than a millisecond. */
	for (count = 0; count < trial.columns && bytes < (2u << 20); ++count) {
		task[count] = (struct hash_task){ .data = data[count], .size = slot->block_size };
		list[count] = &task[count];
		bytes += slot->block_size;
	}
	hash_tune(array->hash.kind, list, count, os_monotonic_ns, HASH_NS);
}

static void tell(const char *operation, const char *kernel, const char *why, uint64_t bytes_per_second)
{
	report(EV_KERNEL, operation, kernel, bytes_per_second / 1000000, why);
}

void stripe_tune(const struct slot *slot, const struct array *array, uint64_t stripes)
{
	struct hash_choice hash;

	if (slot->column_count == 0 || slot->level_count == 0)
		return;
	if (stripes * slot->block_size >= WORTH_BYTES / slot->column_count)
		measure(slot, array);
	hash = hash_choice(array->hash.kind);
	tell(hash_name(array->hash.kind), hash.kernel, hash.why, hash.bytes_per_second);
	for (unsigned o = 0; o < RAID_OPERATIONS; ++o) {
		struct raid_choice choice = raid_choice((enum raid_operation)o);

		tell(choice.operation, choice.kernel, choice.why, choice.bytes_per_second);
	}
	for (unsigned i = 0; raid_wrong(i) != NULL; ++i)
		report(EV_KERNEL_WRONG, raid_wrong(i));
}
