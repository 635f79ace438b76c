/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates are those of a window that slides with the job: a slow start or one slow disk is forgotten after it.
 */
#include "report/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/thread.h"
#include "report/lanes.h"
#include "report/report.h"

#define SAMPLE_COUNT	100	/* one a second */
#define WARM_UP_MS	5000	/* before it a rate says nothing */
#define INTERVAL_MS	1000
#define MB		1000000

struct sample {
	uint64_t ms;
	stripe_t done;
	uint64_t bytes;
	uint64_t cpu_ms;
};

struct progress {
	stripe_t count;
	struct sample begin, now;
	struct sample window[SAMPLE_COUNT];	/* ring */
	unsigned long sample_count;		/* ever taken */
	bool always;
	bool shown;
	bool table;
	struct lanes *lanes;			/* NULL: not known */
	unsigned (*degrees)(void *argument, unsigned *steady);
	void *degrees_argument;
};

struct rates {
	bool known;
	uint64_t mb_per_second, stripes_per_second, cpu_percent, eta_seconds;
};

static uint64_t cpu_ms(void)
{
	return (uint64_t)clock() / (CLOCKS_PER_SEC / 1000);
}

struct progress *progress_begin(const struct progress_job *job)
{
	struct progress *progress = mem_zalloc(sizeof *progress);

	progress->count = job->count;
	progress->always = job->always;
	progress->table = job->table;
	progress->degrees = job->degrees;
	progress->degrees_argument = job->degrees_argument;
	if (job->lanes != NULL)
		progress->lanes = lanes_new(job->lanes);
	progress->begin = (struct sample){ .ms = os_monotonic_ms(), .cpu_ms = cpu_ms() };
	progress->now = progress->begin;
	report(EV_RUN_BEGIN, job->first, job->end, job->count);
	return progress;
}

static unsigned percent_done(const struct progress *progress)
{
	double part;

	if (progress->now.done >= progress->count)
		return 100;
	part = (double)progress->now.done / (double)progress->count;
	return (unsigned)(part * 100);
}

static struct rates measure(const struct progress *progress)
{
	const struct sample *now = &progress->now;
	const struct sample *old = &progress->begin;
	struct rates rates = { 0 };
	uint64_t ms, stripes;

	if (progress->sample_count >= SAMPLE_COUNT)
		old = &progress->window[progress->sample_count % SAMPLE_COUNT];
	ms = now->ms - old->ms;
	stripes = now->done - old->done;
	if (now->ms - progress->begin.ms < WARM_UP_MS || ms == 0 || stripes == 0)
		return rates;
	rates.known = true;
	rates.mb_per_second = (uint64_t)((double)(now->bytes - old->bytes) / MB * 1000 / (double)ms);
	rates.stripes_per_second = (uint64_t)((double)stripes * 1000 / (double)ms);
	rates.cpu_percent = (now->cpu_ms - old->cpu_ms) * 100 / (ms * thread_cpu_count());
	if (now->done < progress->count)
		rates.eta_seconds = (uint64_t)((double)(progress->count - now->done) * (double)ms /
					       (double)stripes / 1000);
	return rates;
}

static unsigned ask_degrees(const struct progress *progress, unsigned *steady)
{
	*steady = 0;
	return progress->degrees == NULL ? 0 : progress->degrees(progress->degrees_argument, steady);
}

static void add_degrees(const struct progress *progress, struct buf *line)
{
	unsigned steady, now = ask_degrees(progress, &steady);

	if (now != 0)
		buf_printf(line, ", Tmax %u", now);
	if (now != 0 && steady != 0)
		buf_printf(line, " (%u)", steady);
}

static void add_line(const struct progress *progress, const struct rates *rates, struct buf *line)
{
	const char *slowest = progress->lanes == NULL ? NULL : lanes_slowest(progress->lanes);

	buf_printf(line, "%u%%, %" PRIu64 " MB", percent_done(progress), progress->now.bytes / MB);
	if (!rates->known)
		return;
	buf_printf(line, ", %" PRIu64 " MB/s, %" PRIu64 " stripe/s, CPU %" PRIu64 "%%", rates->mb_per_second,
		   rates->stripes_per_second, rates->cpu_percent);
	add_degrees(progress, line);
	buf_printf(line, ", %" PRIu64 ":%02" PRIu64 " ETA", rates->eta_seconds / 3600, rates->eta_seconds / 60 % 60);
	if (slowest != NULL)
		buf_printf(line, ", slowest %s", slowest);
}

static void show_line(const struct progress *progress, const struct rates *rates)
{
	struct buf text = { 0 };

	if (progress->table && progress->lanes != NULL && lanes_height(progress->lanes) + 1 < report_moving_height())
		lanes_render(progress->lanes, &text);
	add_line(progress, rates, &text);
	report_moving(text.data);
	buf_done(&text);
}

/* A field of run:pos that may not be known. */
struct cell {
	char text[24];
};

static struct cell cell_of(bool known, uint64_t value)
{
	struct cell cell = { "" };

	if (known)
		snprintf(cell.text, sizeof(cell.text), "%" PRIu64, value);
	return cell;
}

static void show_gui(const struct progress *progress, stripe_t at, const struct rates *rates)
{
	const struct sample *now = &progress->now;
	unsigned steady, degrees = ask_degrees(progress, &steady);
	const struct cell eta = cell_of(rates->known, rates->eta_seconds);
	const struct cell speed = cell_of(rates->known, rates->mb_per_second);
	const struct cell cpu = cell_of(rates->known, rates->cpu_percent);
	const struct cell heat = cell_of(degrees != 0, degrees);
	const struct cell end = cell_of(degrees != 0 && steady != 0, steady);

	report(EV_RUN_POS, at, now->done, now->bytes, percent_done(progress), (const char *)eta.text,
	       (const char *)speed.text, (const char *)cpu.text, (now->ms - progress->begin.ms) / 1000,
	       (const char *)heat.text, (const char *)end.text);
}

void progress_step(struct progress *progress, stripe_t at, uint64_t bytes)
{
	uint64_t ms = os_monotonic_ms();
	struct rates rates;

	progress->now.done++;
	progress->now.bytes += bytes;
	if (progress->shown && !progress->always && ms - progress->now.ms < INTERVAL_MS)
		return;
	if (progress->lanes != NULL && ms - progress->now.ms > 0)
		lanes_sample(progress->lanes, ms - progress->now.ms);
	progress->shown = true;
	progress->now.ms = ms;
	progress->now.cpu_ms = cpu_ms();
	rates = measure(progress);
	progress->window[progress->sample_count++ % SAMPLE_COUNT] = progress->now;
	if (report_gui())
		show_gui(progress, at, &rates);
	else
		show_line(progress, &rates);
	report_flush();
}

void progress_end(struct progress *progress, bool complete)
{
	uint64_t ms = os_monotonic_ms() - progress->begin.ms, minutes = ms / 60000;

	report_moving(NULL);
	if (progress->table && progress->lanes != NULL) {
		lanes_sample(progress->lanes, 0);
		lanes_report(progress->lanes, ms);
	}
	if (report_gui())
		report(EV_RUN_END);
	else
		report(EV_PROGRESS_DONE, complete ? 100 : percent_done(progress), progress->now.bytes / MB,
		       minutes / 60, minutes % 60);
	lanes_free(progress->lanes);
	free(progress);
}
