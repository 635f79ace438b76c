/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -T: how fast each kernel does each operation here.
 *
 * A row is an operation, a column a kernel. The kernels of a row take turns, so that whatever else the machine
 * does meets all of them; the best turn of each is shown. Megabytes a second are of data read. */
#include "command/speed.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/crc32c.h"
#include "base/mem.h"
#include "hash/kernel.h"
#include "os/clock.h"
#include "raid/cpu.h"
#include "raid/select.h"
#include "report/report.h"

#define SKEW	1792	/* as between the blocks of a stripe */
#define COLUMNS	16	/* kernels in a table, at most */
#define TURNS	10
#define XOR_SOURCES	4	/* with a row of their own, however few disks there are */

struct speed {
	unsigned disks, turn_ns;
	size_t size;
	void *memory;
	void *data[RAID_COLUMN_MAX], *parity[RAID_LEVEL_MAX], *spare[RAID_LEVEL_MAX];
	bool json;
	unsigned cells;		/* written so far, of the JSON */
	const char *kernel[COLUMNS];	/* the columns of the table at hand */
	unsigned kernels;
};

/* An operation: `run` does it once, with `argument`. */
struct row {
	const char *name;
	void (*run)(struct speed *speed, unsigned argument);
	unsigned argument;
	enum raid_operation operation;
	size_t blocks;		/* of data, in a run */
};

/* ---- what is measured ---- */

static const void *const *data_of(struct speed *speed)
{
	return (const void *const *)speed->data;
}

static void run_xor(struct speed *speed, unsigned sources)
{
	raid_xor(sources, data_of(speed), speed->size, speed->parity[0]);
}

static void run_gen(struct speed *speed, unsigned levels)
{
	raid_encode(raid_code(RAID_CAUCHY), levels, speed->disks, speed->size, data_of(speed), speed->parity);
}

static void run_genz(struct speed *speed, unsigned levels)
{
	raid_encode(raid_code(RAID_VANDERMONDE), levels, speed->disks, speed->size, data_of(speed), speed->parity);
}

static void run_ver(struct speed *speed, unsigned levels)
{
	raid_verify(raid_code(RAID_CAUCHY), levels, speed->disks, speed->size, data_of(speed),
		    (const void *const *)speed->parity);
}

/* Two levels, from old and new data of one disk. */
static void run_delta(struct speed *speed, unsigned column)
{
	const void *fresh = speed->spare[0];

	raid_update(raid_code(RAID_CAUCHY), 2, column, 1, speed->size, data_of(speed) + column, &fresh, speed->parity);
}

static void run_rec(struct speed *speed, unsigned lost)
{
	static const unsigned number[RAID_LEVEL_MAX] = { 0, 1, 2, 3, 4, 5 };

	raid_solve(raid_code(RAID_CAUCHY), speed->disks, speed->size, lost, number, number, speed->data,
		   (const void *const *)speed->parity);
}

static void run_rec_q(struct speed *speed, unsigned level)
{
	static const unsigned first = 0;

	raid_solve(raid_code(RAID_CAUCHY), speed->disks, speed->size, 1, &first, &level, speed->data,
		   (const void *const *)speed->parity);
}

static void run_hash(struct speed *speed, unsigned kind)
{
	struct hash_task task[RAID_COLUMN_MAX], *list[RAID_COLUMN_MAX];
	const struct hash_key key = { .kind = (enum hash_kind)kind };

	for (unsigned d = 0; d < speed->disks; ++d) {
		task[d] = (struct hash_task){ .data = speed->data[d], .size = speed->size };
		list[d] = &task[d];
	}
	hash_blocks(&key, list, speed->disks);
}

static void run_hash_single(struct speed *speed, unsigned kind)
{
	const struct hash_key key = { .kind = (enum hash_kind)kind };
	uint8_t digest[16];

	for (unsigned d = 0; d < speed->disks; ++d)
		hash_block(&key, speed->data[d], speed->size, digest);
}

static void run_memset(struct speed *speed, unsigned byte)
{
	for (unsigned d = 0; d < speed->disks; ++d)
		memset(speed->data[d], (int)byte, speed->size);
}

static void run_crc(struct speed *speed, unsigned crc)
{
	for (unsigned d = 0; d < speed->disks; ++d)
		crc = crc32c(crc, speed->data[d], speed->size);
	__asm__ volatile("" : : "r"(crc));	/* it is used */
}

/* ---- measuring ---- */

/* One turn: as often as its time allows, at least once. Megabytes a second. */
static unsigned take_turn(struct speed *speed, const struct row *row)
{
	uint64_t begin = os_monotonic_ns(), ns;
	unsigned runs = 0;

	do {
		row->run(speed, row->argument);
		++runs;
		ns = os_monotonic_ns() - begin + 1;
	} while (ns < speed->turn_ns);
	return (unsigned)((uint64_t)row->blocks * speed->size * runs * 1000 / ns);
}

static void use_raid(const struct speed *speed, const struct row *row, unsigned k)
{
	raid_force_one(row->operation, speed->kernel[k]);
}

static void use_hash(const struct speed *speed, const struct row *row, unsigned k)
{
	(void)row;
	hash_force(speed->kernel[k]);
}

typedef void use_fn(const struct speed *speed, const struct row *row, unsigned k);

static void measure(struct speed *speed, const struct row *row, use_fn *use, unsigned best[COLUMNS])
{
	memset(best, 0, COLUMNS * sizeof(best[0]));
	for (unsigned turn = 0; turn < TURNS; ++turn)
		for (unsigned k = 0; k < speed->kernels; ++k) {
			unsigned found;

			if (use != NULL)
				use(speed, row, k);
			found = take_turn(speed, row);
			best[k] = found > best[k] ? found : best[k];
		}
}

/* ---- showing ---- */

static void show_line(const struct speed *speed, const char *text)
{
	if (!speed->json)
		report(EV_SPEED, text);
}

static void show_head(struct speed *speed, const char *title)
{
	struct buf line = { 0 };

	buf_printf(&line, "\n%s\n%7s%8s", title, "", "best");
	for (unsigned k = 0; k < speed->kernels; ++k)
		buf_printf(&line, "%9s", speed->kernel[k]);
	show_line(speed, line.data);
	buf_done(&line);
}

/* The chosen one has a star. */
static void show_row(struct speed *speed, const struct row *row, const char *chosen, const unsigned value[COLUMNS])
{
	struct buf line = { 0 };
	unsigned best = 0;

	for (unsigned k = 1; k < speed->kernels; ++k)
		best = value[k] > value[best] ? k : best;
	buf_printf(&line, "%7s%8s", row->name, speed->kernel[best]);
	for (unsigned k = 0; k < speed->kernels; ++k) {
		bool is_chosen = strcmp(speed->kernel[k], chosen) == 0;

		buf_printf(&line, "%8u%c", value[k], is_chosen ? '*' : ' ');
		if (speed->json) {
			struct buf cell = { 0 };

			buf_printf(&cell, "%s{\"row\":\"%s\",\"kernel\":\"%s\",\"mb_per_s\":%u,\"chosen\":%s}",
				   speed->cells++ == 0 ? "[" : ",", row->name, speed->kernel[k], value[k],
				   is_chosen ? "true" : "false");
			report(EV_SPEED, cell.data);
			buf_done(&cell);
		}
	}
	while (line.data[line.size - 1] == ' ')
		line.data[--line.size] = '\0';
	show_line(speed, line.data);
	buf_done(&line);
}

/* ---- the tables ---- */

static void table_machine(struct speed *speed)
{
	const struct row rows[] = {
		{ "memset", run_memset, 0x5a, 0, speed->disks },
		{ "crc", run_crc, 0, 0, speed->disks },
		{ "murmur3", run_hash_single, HASH_MURMUR3, 0, speed->disks },
		{ "spooky2", run_hash_single, HASH_SPOOKY2, 0, speed->disks },
	};
	unsigned value[COLUMNS];

	speed->kernels = 1;
	speed->kernel[0] = "-";
	show_head(speed, "Writing memory; CRC of the content file; hashes of one block after the other:");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
		measure(speed, &rows[i], NULL, value);
		show_row(speed, &rows[i], "", value);
	}
}

static void table_hash(struct speed *speed)
{
	const struct row rows[] = {
		{ "murmur3", run_hash, HASH_MURMUR3, 0, speed->disks },
		{ "spooky2", run_hash, HASH_SPOOKY2, 0, speed->disks },
	};

	/* Before one is asked for, which is for both kinds. */
	const char *const chosen[] = { hash_kernel_name(HASH_MURMUR3), hash_kernel_name(HASH_SPOOKY2) };

	for (unsigned i = 0; i < 2; ++i) {
		unsigned value[COLUMNS];

		speed->kernels = 0;
		for (unsigned k = 0; hash_kernel_table[k] != NULL; ++k)
			if (hash_kernel_table[k]->kind == rows[i].argument &&
			    (hash_kernel_table[k]->needs & ~cpu_features()) == 0)
				speed->kernel[speed->kernels++] = hash_kernel_table[k]->name;
		show_head(speed, "Hashes of the blocks of a stripe at once:");
		measure(speed, &rows[i], use_hash, value);
		show_row(speed, &rows[i], chosen[i], value);
	}
}

static void list_raid_kernels(struct speed *speed)
{
	struct raid_candidate candidate;

	speed->kernels = 0;
	for (unsigned i = 0; raid_candidate(i, &candidate) && speed->kernels < COLUMNS; ++i) {
		if (candidate.verdict == RAID_ABLE || candidate.verdict == RAID_AVOIDED)
			speed->kernel[speed->kernels++] = candidate.kernel;
		if (candidate.verdict == RAID_WRONG)
			report(EV_KERNEL_WRONG, candidate.kernel);
	}
}

static void show_rows(struct speed *speed, const char *title, const struct row *rows, size_t count,
		      const struct raid_choice *choice)
{
	unsigned value[COLUMNS];

	show_head(speed, title);
	for (size_t i = 0; i < count; ++i) {
		measure(speed, &rows[i], use_raid, value);
		show_row(speed, &rows[i], choice[rows[i].operation].kernel, value);
	}
}

static void table_raid(struct speed *speed)
{
	const unsigned n = speed->disks;
	const struct row xor_rows[] = {
		{ "xor1", run_xor, 1, RAID_XOR, 1 }, { "xor2", run_xor, 2, RAID_XOR, 2 },
		{ "xor3", run_xor, 3, RAID_XOR, 3 }, { "xor4", run_xor, 4, RAID_XOR, 4 },
		{ "gen1", run_xor, n, RAID_XOR, n },
	};
	const struct row gen_rows[] = {
		{ "gen2", run_gen, 2, RAID_ENCODE, n }, { "genz", run_genz, 3, RAID_ENCODE, n },
		{ "gen3", run_gen, 3, RAID_ENCODE, n }, { "gen4", run_gen, 4, RAID_ENCODE, n },
		{ "gen5", run_gen, 5, RAID_ENCODE, n }, { "gen6", run_gen, 6, RAID_ENCODE, n },
	};
	const struct row ver_rows[] = {
		{ "ver1", run_ver, 1, RAID_VERIFY, n }, { "ver2", run_ver, 2, RAID_VERIFY, n },
		{ "ver3", run_ver, 3, RAID_VERIFY, n }, { "ver4", run_ver, 4, RAID_VERIFY, n },
		{ "ver5", run_ver, 5, RAID_VERIFY, n }, { "ver6", run_ver, 6, RAID_VERIFY, n },
	};
	const struct row delta_rows[] = {
		{ "first", run_delta, 0, RAID_UPDATE, n }, { "middle", run_delta, n / 2, RAID_UPDATE, n },
		{ "last", run_delta, n - 1, RAID_UPDATE, n },
	};
	const struct row rec_rows[] = {
		{ "rec1", run_rec, 1, RAID_XOR, n }, { "rec1q", run_rec_q, 1, RAID_SOLVE, n },
		{ "rec2", run_rec, 2, RAID_SOLVE, n }, { "rec3", run_rec, 3, RAID_SOLVE, n },
		{ "rec4", run_rec, 4, RAID_SOLVE, n }, { "rec5", run_rec, 5, RAID_SOLVE, n },
		{ "rec6", run_rec, 6, RAID_SOLVE, n },
	};
	struct raid_choice choice[RAID_OPERATIONS];

	for (unsigned o = 0; o < RAID_OPERATIONS; ++o)
		choice[o] = raid_choice((enum raid_operation)o);
	list_raid_kernels(speed);
	show_rows(speed, "XOR, by number of sources; gen1 is that of all disks:", xor_rows, 5, choice);
	show_rows(speed, "Parity of sync:", gen_rows, 6, choice);
	show_rows(speed, "Verifying, of scrub and check:", ver_rows, 6, choice);
	show_rows(speed, "Two levels brought up to date where one disk changed, counted as if all were read:", delta_rows, 3,
		  choice);
	show_rows(speed, "Recovery, of fix; rec1q is one disk from level 2:", rec_rows, n < 6 ? 2 + n - 1 : 7, choice);
}

/* ---- set up ---- */

static void lay_out(struct speed *speed)
{
	const unsigned sources = speed->disks < XOR_SOURCES ? XOR_SOURCES : speed->disks;
	size_t stride = speed->size + SKEW;
	char *at = speed->memory = mem_aligned(stride * (sources + 2 * RAID_LEVEL_MAX), 4096);

	memset(at, 0x33, stride * (sources + 2 * RAID_LEVEL_MAX));
	for (unsigned d = 0; d < sources; ++d, at += stride)
		speed->data[d] = at;
	for (unsigned l = 0; l < RAID_LEVEL_MAX; ++l, at += 2 * stride) {
		speed->parity[l] = at;
		speed->spare[l] = at + stride;
	}
}

static void choose(struct speed *speed)
{
	const struct raid_trial trial = {
		.code = raid_code(RAID_CAUCHY), .levels = 2, .columns = speed->disks, .size = speed->size,
		.data = speed->data, .parity = speed->parity, .now_ns = os_monotonic_ns, .most_ns = 20000000,
	};
	struct hash_task task[RAID_COLUMN_MAX], *list[RAID_COLUMN_MAX];

	raid_tune(&trial);
	for (unsigned d = 0; d < speed->disks; ++d) {
		task[d] = (struct hash_task){ .data = speed->data[d], .size = speed->size };
		list[d] = &task[d];
	}
	for (enum hash_kind kind = HASH_MURMUR3; kind <= HASH_SPOOKY2; ++kind)
		hash_tune(kind, list, speed->disks, os_monotonic_ns, 20000000);
}

int command_speed(const struct options *options)
{
	struct speed speed = {
		.disks = options->speed_disks > RAID_COLUMN_MAX ? RAID_COLUMN_MAX : options->speed_disks,
		.size = (size_t)options->speed_block_kib << 10,
		.turn_ns = options->speed_period_ms * (1000000 / TURNS) / 8,
		.json = options->json,
	};
	struct buf text = { 0 };

	lay_out(&speed);
	choose(&speed);
	buf_printf(&text,
		   "Speed test with %u blocks of %zu bytes, displaced by %u bytes each.\n"
		   "The values are megabytes of data a second, parity not counted. A star marks the\n"
		   "kernel that a short calibration, as a long run does one, has chosen with two\n"
		   "levels.",
		   speed.disks, speed.size, SKEW);
	show_line(&speed, text.data);
	table_machine(&speed);
	table_hash(&speed);
	table_raid(&speed);
	if (speed.json)
		report(EV_SPEED, "]");
	buf_done(&text);
	free(speed.memory);
	return EXIT_SUCCESS;
}

int kernels_force(const struct options *options)
{
	if (options->raid_kernel != NULL && raid_force(options->raid_kernel) < 0) {
		report(EV_KERNEL_UNKNOWN, "raid-kernel", options->raid_kernel);
		return -1;
	}
	if (options->hash_kernel != NULL && hash_force(options->hash_kernel) < 0) {
		report(EV_KERNEL_UNKNOWN, "hash-kernel", options->hash_kernel);
		return -1;
	}
	return 0;
}
