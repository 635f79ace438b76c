/* SPDX-License-Identifier: GPL-3.0-or-later */
/* raid/ against ISA-L, and against the speed test of another program, in one process.
 *
 *	raid-vs [-k KERNEL] [-r ROUNDS] [-d DISKS] [-w L2|L3|memory]
 *	raid-vs [-k KERNEL] [-r ROUNDS] -p PROGRAM
 *
 * Whoever is compared takes turns, round by round; what is printed are the minimum, median and maximum of the
 * ratios of the rounds: over 1, ours is faster. Timing is by the CPU time of this thread; each turn begins with a run
 * that is not timed, so that nobody meets the caches as the one before has left them. A block of 4 KiB stays
 * in the second cache, one of 256 KiB in the third; "memory" goes through 96 MiB of stripes.
 * Like meets like: ISA-L computes with vectors as wide as those of our kernel, and with all it has if those have
 * 512 bits. Its functions for P and P+Q store past the caches, as those of RAID do; ec_encode_data does not.
 *
 *	gcc -O2 -I. -o raid-vs test/bench/raid-vs.c raid/libraid.a -lisal -lpthread */
#include <isa-l/erasure_code.h>
#include <isa-l/raid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "raid/raid.h"
#include "raid/select.h"

#define DISKS_MAX  24
#define SKEW	   1792
#define MEMORY	   (96u << 20)
#define ROUNDS_MAX 101

static unsigned rounds = 21;

/* What ISA-L has for one width of vectors. */
struct isal {
	const char *name;
	const char *kernels; /* of ours that it is compared with */
	int (*xor_gen)(int blocks, int size, void **block);
	int (*pq_gen)(int blocks, int size, void **block);
	void (*encode)(int size, int sources, int rows, unsigned char *tables, unsigned char **in, unsigned char **out);
	void (*update)(int size, int sources, int rows, int source, unsigned char *tables, unsigned char *in,
		       unsigned char **out);
};

static const struct isal isal_table[] = {
	{ "SSE", "scalar sse2 ssse3", xor_gen_sse, pq_gen_sse, ec_encode_data_sse, ec_encode_data_update_sse },
	{ "AVX2", "avx2 gfni", xor_gen_avx, pq_gen_avx2, ec_encode_data_avx2, ec_encode_data_update_avx2 },
	{ "the best it has", "avx512 gfni512", xor_gen, pq_gen, ec_encode_data, ec_encode_data_update },
};
static const struct isal *isal;

/* One stripe: data, then parity, then a second set of parity. */
struct stripe {
	unsigned char *block[DISKS_MAX + 2 * RAID_LEVEL_MAX];
};

struct bench {
	unsigned disks, levels;
	size_t size;
	unsigned stripes, at;
	struct stripe *stripe;
	void *memory;
	unsigned char tables[32 * DISKS_MAX * RAID_LEVEL_MAX];	   /* of ISA-L: encoding */
	unsigned char rec_tables[32 * DISKS_MAX * RAID_LEVEL_MAX]; /* and as many of any coefficients */
};

typedef void bench_fn(struct bench *bench);

static struct stripe *next(struct bench *bench)
{
	bench->at = bench->at + 1 < bench->stripes ? bench->at + 1 : 0;
	return &bench->stripe[bench->at];
}

#define DATA(s)	  ((const void *const *)(s)->block)
#define PARITY(s) ((void *const *)(s)->block + bench->disks)

static const struct raid_code *code(void)
{
	return raid_code(RAID_CAUCHY);
}

static void our_gen(struct bench *bench)
{
	struct stripe *s = next(bench);

	raid_encode(code(), bench->levels, bench->disks, bench->size, DATA(s), PARITY(s));
}

static void their_ec(struct bench *bench)
{
	struct stripe *s = next(bench);

	isal->encode((int)bench->size, (int)bench->disks, (int)bench->levels, bench->tables, s->block,
		     s->block + bench->disks);
}

static void their_xor(struct bench *bench)
{
	isal->xor_gen((int)bench->disks + 1, (int)bench->size, (void **)next(bench)->block);
}

static void their_pq(struct bench *bench)
{
	isal->pq_gen((int)bench->disks + 2, (int)bench->size, (void **)next(bench)->block);
}

/* What is made is written to a disk after: the kernel copies it. */
static void write_out(struct bench *bench, const struct stripe *s)
{
	static unsigned char page_cache[256 << 10];

	for (unsigned l = 0; l < bench->levels; ++l)
		memcpy(page_cache, PARITY(s)[l], bench->size);
	__asm__ volatile("" : : "r"(page_cache) : "memory");
}

static void our_gen_write(struct bench *bench)
{
	our_gen(bench);
	write_out(bench, &bench->stripe[bench->at]);
}

static void their_gen_write(struct bench *bench)
{
	if (bench->levels == 1)
		their_xor(bench);
	else
		their_pq(bench);
	write_out(bench, &bench->stripe[bench->at]);
}

static void our_verify(struct bench *bench)
{
	struct stripe *s = next(bench);

	if (raid_verify(code(), bench->levels, bench->disks, bench->size, DATA(s), (const void *const *)PARITY(s)) != 0)
		abort();
}

/* What verifying is without a function for it: compute beside, and compare with what is stored. */
static void compare_stored(struct bench *bench, const struct stripe *s)
{
	for (unsigned l = 0; l < bench->levels; ++l)
		if (memcmp(PARITY(s)[l], PARITY(s)[RAID_LEVEL_MAX + l], bench->size) != 0)
			abort();
}

static void our_gen_compare(struct bench *bench)
{
	struct stripe *s = next(bench);

	raid_encode(code(), bench->levels, bench->disks, bench->size, DATA(s), PARITY(s) + RAID_LEVEL_MAX);
	compare_stored(bench, s);
}

/* xor_gen and pq_gen want the results to follow the data. */
static void their_gen_compare(struct bench *bench)
{
	struct stripe *s = next(bench);
	void *block[DISKS_MAX + 2];

	memcpy(block, s->block, bench->disks * sizeof(block[0]));
	memcpy(block + bench->disks, PARITY(s) + RAID_LEVEL_MAX, 2 * sizeof(block[0]));
	if (bench->levels == 1)
		isal->xor_gen((int)bench->disks + 1, (int)bench->size, block);
	else if (bench->levels == 2)
		isal->pq_gen((int)bench->disks + 2, (int)bench->size, block);
	else
		isal->encode((int)bench->size, (int)bench->disks, (int)bench->levels, bench->tables, s->block,
			     s->block + bench->disks + RAID_LEVEL_MAX);
	compare_stored(bench, s);
}

/* From a difference that is at hand, as ISA-L wants it. */
static void our_delta(struct bench *bench)
{
	struct stripe *s = next(bench);
	const void *none = NULL;

	raid_update(code(), bench->levels, 1, 1, bench->size, DATA(s) + 1, &none, PARITY(s) + RAID_LEVEL_MAX);
}

static void their_delta(struct bench *bench)
{
	struct stripe *s = next(bench);

	isal->update((int)bench->size, (int)bench->disks, (int)bench->levels, 1, bench->tables, s->block[1],
		     s->block + bench->disks + RAID_LEVEL_MAX);
}

/* The first `levels` blocks are lost: they are where ISA-L would write them, too. */
static void our_rec(struct bench *bench)
{
	static const unsigned number[] = { 0, 1, 2, 3, 4, 5 };
	struct stripe *s = next(bench);

	raid_solve(code(), bench->disks, bench->size, bench->levels, number, number, (void *const *)s->block,
		   (const void *const *)PARITY(s));
}

static void their_rec(struct bench *bench)
{
	struct stripe *s = next(bench);

	isal->encode((int)bench->size, (int)bench->disks, (int)bench->levels, bench->rec_tables,
		     s->block + bench->levels, s->block);
}

static void our_rec_q(struct bench *bench)
{
	static const unsigned lost = 0, use = 1;
	struct stripe *s = next(bench);

	raid_solve(code(), bench->disks, bench->size, 1, &lost, &use, (void *const *)s->block,
		   (const void *const *)PARITY(s));
}

static void their_rec_q(struct bench *bench)
{
	struct stripe *s = next(bench);

	isal->encode((int)bench->size, (int)bench->disks, 1, bench->rec_tables, s->block + 1, s->block);
}

/* ---- measuring ---- */

static double seconds_of(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double turn(struct bench *bench, bench_fn *run)
{
	const unsigned repeat = (unsigned)((32u << 20) / (bench->disks * bench->size)) + 1;
	double begin;

	run(bench);
	begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	for (unsigned i = 0; i < repeat; ++i)
		run(bench);
	return (seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin) / repeat;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void compare(struct bench *bench, const char *what, bench_fn *ours, const char *with, bench_fn *theirs)
{
	double ratio[ROUNDS_MAX], best = 1e9;

	for (unsigned r = 0; r < rounds; ++r) {
		double mine = turn(bench, ours);

		ratio[r] = turn(bench, theirs) / mine;
		best = mine < best ? mine : best;
	}
	qsort(ratio, rounds, sizeof(ratio[0]), by_value);
	printf("  %-12s %-22s %5.2f %5.2f %5.2f  %7.1f GB/s\n", what, with, ratio[0], ratio[rounds / 2],
	       ratio[rounds - 1], (double)(bench->disks * bench->size) / best / 1e9);
}

static void set_levels(struct bench *bench, unsigned levels)
{
	unsigned char matrix[RAID_LEVEL_MAX * DISKS_MAX], any[RAID_LEVEL_MAX * DISKS_MAX];

	bench->levels = levels;
	for (unsigned l = 0; l < levels; ++l)
		for (unsigned d = 0; d < bench->disks; ++d) {
			matrix[l * bench->disks + d] = raid_coefficient(code(), l, d);
			any[l * bench->disks + d] = (unsigned char)(3 + 7 * l + 11 * d);
		}
	ec_init_tables((int)bench->disks, (int)levels, matrix, bench->tables);
	ec_init_tables((int)bench->disks, (int)levels, any, bench->rec_tables);
}

/* Both must compute the same, or there is nothing to compare. */
static void check_same(struct bench *bench)
{
	struct stripe *s = &bench->stripe[0];

	raid_encode(code(), bench->levels, bench->disks, bench->size, DATA(s), PARITY(s));
	isal->encode((int)bench->size, (int)bench->disks, (int)bench->levels, bench->tables, s->block,
		     s->block + bench->disks + RAID_LEVEL_MAX);
	for (unsigned l = 0; l < bench->levels; ++l)
		if (memcmp(PARITY(s)[l], PARITY(s)[RAID_LEVEL_MAX + l], bench->size) != 0)
			abort();
}

static void set_up(struct bench *bench, unsigned disks, size_t size, size_t memory)
{
	const unsigned blocks = disks + 2 * RAID_LEVEL_MAX;
	const size_t stride = size + SKEW;
	unsigned char *at;

	*bench = (struct bench){ .disks = disks, .size = size, .stripes = (unsigned)(memory / (blocks * stride)) };
	if (bench->stripes == 0)
		bench->stripes = 1;
	at = bench->memory = aligned_alloc(4096, (bench->stripes * blocks * stride + 4095) / 4096 * 4096);
	bench->stripe = malloc(bench->stripes * sizeof(*bench->stripe));
	if (at == NULL || bench->stripe == NULL)
		abort();
	for (unsigned i = 0; i < bench->stripes; ++i)
		for (unsigned b = 0; b < blocks; ++b, at += stride) {
			bench->stripe[i].block[b] = at;
			for (size_t k = 0; k < size; ++k)
				at[k] = (unsigned char)(b * 31 + k * 7 + (k >> 8));
		}
}

static void tear_down(struct bench *bench)
{
	free(bench->memory);
	free(bench->stripe);
}

static void encode_all(struct bench *bench)
{
	for (unsigned i = 0; i < bench->stripes; ++i)
		our_gen(bench);
}

static void run_set(unsigned disks, size_t size, size_t memory, const char *where)
{
	static const char *const gen[] = { "", "P", "P+Q", "3 levels", "4 levels", "5 levels", "6 levels" };
	static const char *const rec[] = { "", "lost 1 by P", "lost 2", "lost 3" };
	static const char *const check[] = { "", "xor_gen + memcmp", "pq_gen + memcmp" };
	struct bench bench;

	set_up(&bench, disks, size, memory);
	printf("\n%u disks, blocks of %zu KiB, %s\n", disks, size >> 10, where);
	for (unsigned levels = 1; levels <= RAID_LEVEL_MAX; ++levels) {
		set_levels(&bench, levels);
		check_same(&bench);
		if (levels == 1)
			compare(&bench, gen[1], our_gen, "xor_gen", their_xor);
		if (levels == 2)
			compare(&bench, gen[2], our_gen, "pq_gen", their_pq);
		if (levels <= 2)
			compare(&bench, "  and copy", our_gen_write, levels == 1 ? "xor_gen + copy" : "pq_gen + copy", their_gen_write);
		compare(&bench, gen[levels], our_gen, "ec_encode_data", their_ec);
		encode_all(&bench);
		compare(&bench, "  verify", our_verify, "generate + memcmp", our_gen_compare);
		compare(&bench, "  verify", our_verify, levels <= 2 ? check[levels] : "ec_encode + memcmp", their_gen_compare);
		if (levels == 2) {
			compare(&bench, "  delta", our_delta, "ec_encode_data_update", their_delta);
			compare(&bench, "  delta", our_delta, "generating", our_gen);
			compare(&bench, "lost 1 by Q", our_rec_q, "ec_encode_data", their_rec_q);
		}
		if (levels <= 3)
			compare(&bench, rec[levels], our_rec, "ec_encode_data", their_rec);
	}
	tear_down(&bench);
}

static void run_xor(void)
{
	static const char *const name[] = { "", "", "2 sources", "3 sources", "4 sources", "5 sources" };

	for (unsigned kib = 4; kib <= 64; kib *= 16) {
		printf("\nXOR, blocks of %u KiB\n", kib);
		for (unsigned disks = 2; disks <= 5; ++disks) {
			struct bench bench;

			set_up(&bench, disks, (size_t)kib << 10, 0);
			set_levels(&bench, 1);
			compare(&bench, name[disks], our_gen, "xor_gen", their_xor);
			tear_down(&bench);
		}
	}
}

/* The largest number of a line of a table, and its name. */
static int parse_line(const char *line, char name[16], double *best)
{
	int at;

	if (sscanf(line, "%15s %*s%n", name, &at) != 1)
		return 0;
	*best = 0;
	for (const char *p = line + at; *p != '\0';) {
		char *end;
		double value = strtod(p, &end);

		if (end == p)
			break;
		*best = value > *best ? value : *best;
		p = end;
	}
	return *best > 0;
}

/* Megabytes a second of data, as its table has them: the mean of half a second. */
static double mean_rate(struct bench *bench, bench_fn *run)
{
	double begin, seconds;
	unsigned runs = 0;

	run(bench);
	begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	do {
		run(bench);
		++runs;
		seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
	} while (seconds < 0.5);
	return (double)bench->disks * (double)bench->size * runs / seconds / 1e6;
}

static FILE *start_peer(const char *program, pid_t *pid)
{
	int end[2];

	if (pipe(end) != 0)
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		dup2(end[1], STDOUT_FILENO);
		close(end[0]);
		execlp("stdbuf", "stdbuf", "-oL", program, "-T", (char *)NULL);
		_exit(127);
	}
	close(end[1]);
	return fdopen(end[0], "r");
}

struct peer_row {
	const char *name;
	bench_fn *run;
	unsigned levels;
	unsigned count;
	double ratio[ROUNDS_MAX];
};

static struct peer_row peer_table[] = {
	{ .name = "gen1", .run = our_gen, .levels = 1 }, { .name = "gen2", .run = our_gen, .levels = 2 },
	{ .name = "gen3", .run = our_gen, .levels = 3 }, { .name = "gen4", .run = our_gen, .levels = 4 },
	{ .name = "gen5", .run = our_gen, .levels = 5 }, { .name = "gen6", .run = our_gen, .levels = 6 },
	{ .name = "rec1", .run = our_rec, .levels = 1 }, { .name = "rec2", .run = our_rec, .levels = 2 },
	{ .name = "rec3", .run = our_rec, .levels = 3 }, { .name = "rec4", .run = our_rec, .levels = 4 },
	{ .name = "rec5", .run = our_rec, .levels = 5 }, { .name = "rec6", .run = our_rec, .levels = 6 },
};

#define PEER_ROWS (sizeof(peer_table) / sizeof(peer_table[0]))

/* Its table has 8 disks and blocks of 256 KiB. After each of its lines it is stopped, and ours is measured. It measures by
 * the clock on the wall: what is counted is by the part of the processor that it had while it made the line. */
static void take_peer_turn(struct bench *bench, const char *program)
{
	char line[256], name[16];
	double theirs;
	clockid_t its_time;
	pid_t pid;
	FILE *f = start_peer(program, &pid);
	double wall = seconds_of(CLOCK_MONOTONIC), cpu = 0;

	if (f == NULL || clock_getcpuclockid(pid, &its_time) != 0)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		const double share = (seconds_of(its_time) - cpu) / (seconds_of(CLOCK_MONOTONIC) - wall);

		kill(pid, SIGSTOP);
		for (size_t i = 0; i < PEER_ROWS; ++i) {
			struct peer_row *row = &peer_table[i];

			if (!parse_line(line, name, &theirs) || strcmp(name, row->name) != 0)
				continue;
			set_levels(bench, row->levels);
			encode_all(bench);
			row->ratio[row->count++] = mean_rate(bench, row->run) * share / theirs;
		}
		cpu = seconds_of(its_time);
		wall = seconds_of(CLOCK_MONOTONIC);
		kill(pid, SIGCONT);
	}
	fclose(f);
	waitpid(pid, NULL, 0);
}

static void run_peer(const char *program, unsigned times)
{
	struct bench bench;

	set_up(&bench, 8, 256 << 10, 0);
	for (unsigned t = 0; t < times; ++t)
		take_peer_turn(&bench, program);
	printf("\n8 disks, blocks of 256 KiB, against the best of each line of '%s -T', %u times\n", program, times);
	for (struct peer_row *row = peer_table; row < peer_table + PEER_ROWS; ++row) {
		qsort(row->ratio, row->count, sizeof(row->ratio[0]), by_value);
		if (row->count != 0)
			printf("  %-12s %5.2f %5.2f %5.2f\n", row->name, row->ratio[0], row->ratio[row->count / 2],
			       row->ratio[row->count - 1]);
	}
	tear_down(&bench);
}

static const struct isal *isal_for(const char *kernel)
{
	unsigned i = 0;

	while (i + 1 < sizeof(isal_table) / sizeof(isal_table[0]) && strstr(isal_table[i].kernels, kernel) == NULL)
		++i;
	return &isal_table[i];
}

/* All sets, or those of so many disks, or of one place. */
static void run_isal(unsigned only, const char *where)
{
	static const unsigned disks[] = { 4, 8, 24 };
	static const struct { const char *name; size_t size, memory; } place[] = {
		{ "L2", 4 << 10, 0 }, { "L3", 256 << 10, 0 }, { "memory", 256 << 10, MEMORY },
	};

	isal = isal_for(raid_choice(RAID_ENCODE).kernel);
	printf("kernel %s, ISA-L with %s; ratios: minimum, median, maximum\n", raid_choice(RAID_ENCODE).kernel, isal->name);
	if (where == NULL && only == 0)
		run_xor();
	for (unsigned i = 0; i < 3; ++i)
		for (unsigned k = 0; k < 3; ++k)
			if ((only == 0 || only == disks[i]) && (where == NULL || strcmp(where, place[k].name) == 0))
				run_set(disks[i], place[k].size, place[k].memory, place[k].name);
}

int main(int argc, char *argv[])
{
	const char *peer = NULL, *where = NULL;
	unsigned only = 0;
	int option;

	while ((option = getopt(argc, argv, "k:p:r:d:w:")) != -1) {
		if (option == 'k' && raid_force(optarg) < 0) {
			fprintf(stderr, "kernel %s does not run here\n", optarg);
			return 1;
		}
		if (option == 'p')
			peer = optarg;
		if (option == 'r')
			rounds = (unsigned)atoi(optarg) % ROUNDS_MAX;
		if (option == 'd')
			only = (unsigned)atoi(optarg);
		if (option == 'w')
			where = optarg;
	}
	if (rounds == 0)
		rounds = 1;
	if (peer != NULL)
		run_peer(peer, rounds);
	else
		run_isal(only, where);
	return 0;
}
