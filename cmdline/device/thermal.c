/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/thermal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "device/heat.h"
#include "device/smart.h"
#include "device/spin.h"
#include "os/clock.h"
#include "os/signal.h"
#include "os/thread.h"
#include "report/report.h"

#define MEASURE_MS	30000
#define MINUTE_MS	60000
#define PAUSE_STEP_MS	200	/* how soon a signal is seen */

struct thermal {
	struct device_set set;
	struct thermal_times times;
	unsigned limit;
	thread_t thread;

	mutex_t lock;		/* of what follows */
	cond_t changed;
	bool stopping;
	bool paused;		/* do not measure */
	unsigned now;		/* degrees */
	struct heat heat;	/* since the start or the last pause */
	const char *hottest;	/* the disk, in the configuration */
};

/* The hottest disk; 0 if none tells. */
static unsigned measure(const struct device_set *set, const char **hottest)
{
	struct smart *smart = mem_alloc(sizeof(*smart) * (set->device_count + 1));
	unsigned most = 0;

	smart_ask(set, SMARTCTL_TEMPERATURE, 0, smart, NULL);
	for (unsigned d = 0; d < set->device_count; ++d) {
		if (smart[d].temperature == SMART_UNKNOWN)
			continue;
		report(EV_THERMAL_DISK, set->device[d].path, set->device[d].name, smart[d].temperature);
		if (smart[d].temperature > most) {
			most = (unsigned)smart[d].temperature;
			*hottest = set->device[d].name;
		}
	}
	free(smart);
	return most;
}

static void *watch(void *argument)
{
	struct thermal *thermal = argument;

	mutex_lock(&thermal->lock);
	while (!thermal->stopping) {
		bool paused = thermal->paused;

		if (!paused) {
			const char *hottest = "";
			unsigned now;

			mutex_unlock(&thermal->lock);
			now = measure(&thermal->set, &hottest);
			mutex_lock(&thermal->lock);
			if (!thermal->paused) {
				thermal->now = now;
				heat_add(&thermal->heat, now);
				thermal->hottest = hottest;
			}
		}
		if (!thermal->stopping)
			cond_wait_ms(&thermal->changed, &thermal->lock, thermal->times.measure_ms);
	}
	mutex_unlock(&thermal->lock);
	return NULL;
}

static void leave_out_extra(struct device_set *set)
{
	for (unsigned d = 0; d < set->device_count; ++d)
		set->device[d].wanted = set->device[d].role != DEVICE_EXTRA;
}

struct thermal *thermal_start(const struct config *config, const struct options *options,
			      const struct thermal_times *times)
{
	struct options all = *options;
	struct thermal *thermal;

	if (config->temp_limit == 0)
		return NULL;
	/* Every disk of the array works, whatever -d says. One that cannot be found is no reason to stop. */
	all.filter_disk.count = 0;
	all.force_device = true;
	thermal = mem_zalloc(sizeof(*thermal));
	device_find(&thermal->set, config, &all);
	leave_out_extra(&thermal->set);
	thermal->limit = config->temp_limit;
	thermal->times = times != NULL ? *times
				       : (struct thermal_times){ MEASURE_MS, MEASURE_MS,
								 config->temp_sleep_minutes * MINUTE_MS };
	thermal->now = measure(&thermal->set, &thermal->hottest);
	if (thermal->now == 0) {
		report(EV_THERMAL_UNKNOWN, thermal->limit);
		device_set_done(&thermal->set);
		free(thermal);
		return NULL;
	}
	mutex_init(&thermal->lock);
	cond_init(&thermal->changed);
	thread_start(&thermal->thread, watch, thermal);
	return thermal;
}

void thermal_stop(struct thermal *thermal)
{
	if (thermal == NULL)
		return;
	mutex_lock(&thermal->lock);
	thermal->stopping = true;
	cond_signal(&thermal->changed);
	mutex_unlock(&thermal->lock);
	thread_join(thermal->thread);
	cond_done(&thermal->changed);
	mutex_done(&thermal->lock);
	device_set_done(&thermal->set);
	free(thermal);
}

unsigned thermal_now(struct thermal *thermal)
{
	unsigned now;

	if (thermal == NULL)
		return 0;
	mutex_lock(&thermal->lock);
	now = thermal->now;
	mutex_unlock(&thermal->lock);
	return now;
}

unsigned thermal_steady(struct thermal *thermal)
{
	unsigned steady;

	if (thermal == NULL)
		return 0;
	mutex_lock(&thermal->lock);
	steady = heat_steady(&thermal->heat);
	mutex_unlock(&thermal->lock);
	return steady;
}

bool thermal_is_hot(struct thermal *thermal)
{
	return thermal != NULL && thermal_now(thermal) > thermal->limit;
}

static void tell_pause(struct thermal *thermal)
{
	mutex_lock(&thermal->lock);
	report(EV_THERMAL_PAUSE, thermal->hottest, thermal->now, thermal->limit, thermal->times.pause_ms / MINUTE_MS);
	mutex_unlock(&thermal->lock);
}

static void set_paused(struct thermal *thermal, bool paused)
{
	mutex_lock(&thermal->lock);
	thermal->paused = paused;
	thermal->now = 0;	/* of before the pause */
	heat_reset(&thermal->heat);
	cond_signal(&thermal->changed);
	mutex_unlock(&thermal->lock);
}

static void sleep_all(struct thermal *thermal, struct spin *spin)
{
	spin_down(&thermal->set, spin);
	for (unsigned d = 0; d < thermal->set.device_count; ++d)
		smartctl_reply_done(&spin[d].reply);
}

/* false: a signal asks to stop. */
static bool wait_until(uint64_t time_ms)
{
	while (os_monotonic_ms() < time_ms && os_stop_signal() == 0)
		os_sleep_ms(PAUSE_STEP_MS);
	return os_stop_signal() == 0;
}

void thermal_pause(struct thermal *thermal)
{
	struct spin *spin;
	uint64_t end, next;

	if (thermal == NULL)
		return;
	end = os_monotonic_ms() + thermal->times.pause_ms;
	spin = mem_alloc(sizeof(*spin) * (thermal->set.device_count + 1));
	tell_pause(thermal);
	set_paused(thermal, true);
	do {
		sleep_all(thermal, spin);
		next = os_monotonic_ms() + thermal->times.again_ms;
	} while (wait_until(next < end ? next : end) && os_monotonic_ms() < end);
	if (os_stop_signal() == 0) {
		spin_up(&thermal->set, spin);
		report(EV_THERMAL_GO_ON);
	}
	set_paused(thermal, false);
	free(spin);
}
