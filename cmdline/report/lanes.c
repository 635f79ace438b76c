/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

#define NAME_MIN	8
#define NAME_MAX_SHOWN	20	/* longer ones are cut: the table fits 80 columns */
#define BAR_WIDTH	20
#define MB		1e6
#define MOST_PERCENT	50	/* waited for so much: it is the slowest */

/* What a lane did in some time. */
struct share {
	double us, bytes, busy_us, waited_us;
};

struct lanes {
	struct lane_source source;
	struct lane *now;
	struct share *recent;
	int name_width;
};

struct lanes *lanes_new(const struct lane_source *source)
{
	struct lanes *lanes = mem_zalloc(sizeof(*lanes));

	lanes->source = *source;
	lanes->now = mem_zalloc(sizeof(*lanes->now) * (source->count + 1));
	lanes->recent = mem_zalloc(sizeof(*lanes->recent) * (source->count + 1));
	source->ask(source->argument, lanes->now);
	lanes->name_width = NAME_MIN;
	for (unsigned i = 0; i < source->count; ++i) {
		size_t length = strlen(lanes->now[i].name);

		if (length > NAME_MAX_SHOWN)
			length = NAME_MAX_SHOWN;
		if ((int)length > lanes->name_width)
			lanes->name_width = (int)length;
	}
	return lanes;
}

void lanes_free(struct lanes *lanes)
{
	if (lanes == NULL)
		return;
	free(lanes->now);
	free(lanes->recent);
	free(lanes);
}

/* Each second counts half of the one after it. */
static void fade(double *sum, uint64_t more)
{
	*sum = *sum / 2 + (double)more;
}

void lanes_sample(struct lanes *lanes, uint64_t ms)
{
	unsigned count = lanes->source.count;
	struct lane *before = lanes->now;

	lanes->now = mem_zalloc(sizeof(*lanes->now) * (count + 1));
	lanes->source.ask(lanes->source.argument, lanes->now);
	for (unsigned i = 0; i < count; ++i) {
		struct share *recent = &lanes->recent[i];

		fade(&recent->us, ms * 1000);
		fade(&recent->bytes, lanes->now[i].bytes - before[i].bytes);
		fade(&recent->busy_us, lanes->now[i].busy_us - before[i].busy_us);
		fade(&recent->waited_us, lanes->now[i].waited_us - before[i].waited_us);
	}
	free(before);
}

static unsigned percent(double part, double whole)
{
	double value = whole > 0 ? part * 100 / whole : 0;

	return value > 100 ? 100 : (unsigned)(value + 0.5);
}

const char *lanes_slowest(const struct lanes *lanes)
{
	for (unsigned i = 0; i < lanes->source.count; ++i)
		if (percent(lanes->recent[i].waited_us, lanes->recent[i].us) > MOST_PERCENT)
			return lanes->now[i].name;
	return NULL;
}

/* `now`: with what is in their buffers. */
static void add_head(const struct lanes *lanes, bool now, struct buf *out)
{
	buf_printf(out, "  %-*s    MB/s  Busy%s  Waited for", lanes->name_width, "Name", now ? "   Buffers" : "");
}

static void add_row(const struct lanes *lanes, unsigned i, const struct share *share, bool now, struct buf *out)
{
	static const char *const what[] = { [LANE_READS] = "read", [LANE_WRITES] = "left" };
	const struct lane *lane = &lanes->now[i];
	unsigned waited = percent(share->waited_us, share->us);
	char cell[2][32] = { "", "" }, queue[32] = "";

	if (lane->kind != LANE_OTHER) {
		snprintf(cell[0], sizeof(cell[0]), "%.1f", share->us > 0 ? share->bytes / MB / (share->us / 1e6) : 0);
		snprintf(cell[1], sizeof(cell[1]), "%u%%", percent(share->busy_us, share->us));
	}
	if (now && lane->kind != LANE_OTHER)
		snprintf(queue, sizeof(queue), "%" PRIu64 " %s", lane->queue, what[lane->kind]);
	buf_printf(out, "  %-*.*s %7s %5s", lanes->name_width, NAME_MAX_SHOWN, lane->name, cell[0], cell[1]);
	if (now)
		buf_printf(out, " %9s", queue);
	buf_printf(out, "  %3u%%", waited);
	if (waited > 0)
		buf_char(out, ' ');
	for (unsigned c = 0; c < (waited * BAR_WIDTH + 99) / 100; ++c)
		buf_char(out, '*');
}

void lanes_render(const struct lanes *lanes, struct buf *out)
{
	add_head(lanes, true, out);
	buf_char(out, '\n');
	for (unsigned i = 0; i < lanes->source.count; ++i) {
		add_row(lanes, i, &lanes->recent[i], true, out);
		buf_char(out, '\n');
	}
}

unsigned lanes_height(const struct lanes *lanes)
{
	return lanes->source.count + 1;
}

static void report_row(const struct lanes *lanes, unsigned i, const struct share *share)
{
	const struct lane *lane = &lanes->now[i];
	struct buf row = { 0 };

	add_row(lanes, i, share, false, &row);
	report(EV_STATS_ROW, row.data, lane->name, lane->bytes, lane->busy_us / 1000, lane->waited_us / 1000);
	buf_done(&row);
}

void lanes_report(const struct lanes *lanes, uint64_t ms)
{
	struct buf head = { 0 };
	unsigned slowest = 0, most = 0;

	if (lanes->source.count == 0)
		return;
	add_head(lanes, false, &head);
	report(EV_STATS_HEAD, head.data);
	buf_done(&head);
	for (unsigned i = 0; i < lanes->source.count; ++i) {
		const struct lane *lane = &lanes->now[i];
		struct share share = { (double)ms * 1000, (double)lane->bytes, (double)lane->busy_us,
				       (double)lane->waited_us };

		report_row(lanes, i, &share);
		if (lane->waited_us > lanes->now[slowest].waited_us)
			slowest = i;
	}
	most = percent((double)lanes->now[slowest].waited_us, (double)ms * 1000);
	if (most > 0)
		report(EV_STATS_SLOWEST, lanes->now[slowest].name, most);
}
