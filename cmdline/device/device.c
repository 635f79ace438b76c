/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "config/filter.h"
#include "os/block.h"
#include "os/thread.h"
#include "report/report.h"

/* A disk of the configuration, before its devices are known. */
struct place {
	const char *name, *dir, *smartctl;
	enum device_role role;
};

static unsigned add_device(struct device_set *set, const struct place *place, const struct device *fresh)
{
	for (unsigned i = 0; i < set->device_count; ++i) {
		struct device *known = &set->device[i];

		if (known->number != fresh->number)
			continue;
		if (known->smartctl == NULL)
			known->smartctl = place->smartctl;
		return i;
	}
	mem_grow(&set->device, set->device_count, &set->device_room, sizeof(*set->device));
	set->device[set->device_count] = *fresh;
	set->device[set->device_count].path = mem_strdup(fresh->path);
	return set->device_count++;
}

/* Takes over `mount_path`. */
static void add_use(struct device_set *set, const struct place *place, const struct device *device,
		    uint64_t mount_number, char *mount_path)
{
	struct device_use use = {
		.name = place->name,
		.dir = place->dir,
		.device = add_device(set, place, device),
		.mount_number = mount_number,
		.mount_path = mount_path,
	};

	for (unsigned i = 0; i < set->use_count; ++i)
		if (set->use[i].device == use.device && strcmp(set->use[i].name, use.name) == 0) {
			free(mount_path);	/* another split of the level */
			return;
		}
	mem_grow(&set->use, set->use_count, &set->use_room, sizeof(*set->use));
	set->use[set->use_count++] = use;
}

static void add_fake(struct device_set *set, const struct place *place)
{
	unsigned n = set->device_count;
	struct device device = {
		.number = n + 1,
		.path = mem_printf("/dev/fake%u", n + 1),
		.rotational = true,
		.role = place->role,
		.name = place->name,
		.fake = true,
	};

	add_use(set, place, &device, device.number, mem_strdup(device.path));
	free(device.path);
}

static void add_real(struct device_set *set, const struct place *place, bool force)
{
	struct os_disk_list below = { 0 };
	uint64_t number;
	int rc = os_block_below(place->dir, &number, &below);

	if (rc < 0)
		report(force ? EV_DEVICE_UNREACHABLE_SKIP : EV_DEVICE_UNREACHABLE, place->name, place->dir,
		       strerror(errno));
	else if (below.count == 0)
		report(force ? EV_DEVICE_NONE_SKIP : EV_DEVICE_NONE, place->name, place->dir);
	if (below.count == 0 && !force)
		++set->unreachable;
	for (unsigned i = 0; i < below.count; ++i) {
		struct device device = {
			.number = below.disk[i].number,
			.path = below.disk[i].path,
			.rotational = below.disk[i].rotational,
			.role = place->role,
			.name = place->name,
			.smartctl = place->smartctl,
		};

		add_use(set, place, &device, number, os_block_path("", number));
	}
	os_disk_list_done(&below);
}

static void add_place(struct device_set *set, const struct place *place, const struct options *options)
{
	if (options->test.fake_device)
		add_fake(set, place);
	else
		add_real(set, place, options->force_device);
}

static void add_disks(struct device_set *set, const struct config_disk *disk, unsigned count, enum device_role role,
		      const struct options *options)
{
	for (unsigned d = 0; d < count; ++d)
		add_place(set, &(struct place){ disk[d].name, disk[d].dir, disk[d].smartctl, role }, options);
}

/* A parity file need not be there yet; its directory must. */
static void add_level(struct device_set *set, const struct config *config, level_t l, const struct options *options)
{
	const struct config_level *level = &config->level[l];

	for (unsigned s = 0; s < level->split_count; ++s) {
		char *dir = path_dir(level->path[s]);
		struct place place = { config_level_name(config, l), dir, level->smartctl, DEVICE_PARITY };
		unsigned first = set->use_count;

		add_place(set, &place, options);
		for (unsigned u = first; u < set->use_count; ++u)
			set->use[u].dir = level->path[s];
		free(dir);
	}
}

static int want(struct device_set *set, const struct string_list *patterns, const struct config *config)
{
	for (unsigned i = 0; i < patterns->count; ++i) {
		const char *pattern = patterns->text[i];
		bool found = false;

		for (unsigned d = 0; d < config->disk_count; ++d)
			found |= filter_glob_name(pattern, config->disk[d].name);
		for (level_t l = 0; l < config->level_count; ++l)
			found |= filter_glob_name(pattern, config_level_name(config, l));
		for (unsigned e = 0; e < config->extra_count; ++e)
			found |= filter_glob_name(pattern, config->extra[e].name);
		if (!found) {
			report(EV_DEVICE_NO_DISK, pattern);
			return -1;
		}
		for (unsigned u = 0; u < set->use_count; ++u)
			set->device[set->use[u].device].wanted |= filter_glob_name(pattern, set->use[u].name);
	}
	for (unsigned d = 0; d < set->device_count; ++d)
		set->device[d].wanted |= patterns->count == 0;
	return 0;
}

/* How often each disk of the configuration was accessed, over all its devices: who reads that twice sees whether it is
 * idle. */
static void log_accesses(const struct device_set *set)
{
	unsigned next;

	for (unsigned u = 0; u < set->use_count && report_has_log(); u = next) {
		const char *name = set->use[u].name;
		uint64_t sum = 0, one;
		bool known = false;

		for (next = u; next < set->use_count && strcmp(set->use[next].name, name) == 0; ++next) {
			const struct device *device = &set->device[set->use[next].device];

			if (device->fake || !os_block_accesses("", device->number, &one))
				continue;
			sum += one;
			known = true;
		}
		if (known)
			report(EV_DEVICE_STAT, name, sum);
	}
}

int device_find(struct device_set *set, const struct config *config, const struct options *options)
{
	*set = (struct device_set){ 0 };
	add_disks(set, config->disk, config->disk_count, DEVICE_DATA, options);
	for (level_t l = 0; l < config->level_count; ++l)
		add_level(set, config, l, options);
	add_disks(set, config->extra, config->extra_count, DEVICE_EXTRA, options);
	log_accesses(set);
	return want(set, &options->filter_disk, config);
}

void device_set_done(struct device_set *set)
{
	for (unsigned d = 0; d < set->device_count; ++d)
		free(set->device[d].path);
	for (unsigned u = 0; u < set->use_count; ++u)
		free(set->use[u].mount_path);
	free(set->device);
	free(set->use);
	*set = (struct device_set){ 0 };
}

struct task {
	void (*work)(unsigned device, void *argument);
	void *argument;
	unsigned device;
	thread_t thread;
};

static void *run_task(void *argument)
{
	struct task *task = argument;

	task->work(task->device, task->argument);
	return NULL;
}

void device_each(const struct device_set *set, void (*work)(unsigned device, void *argument), void *argument)
{
	struct task *task = mem_alloc(sizeof(*task) * (set->device_count + 1));

	for (unsigned d = 0; d < set->device_count; ++d) {
		task[d] = (struct task){ .work = work, .argument = argument, .device = d };
		thread_start(&task[d].thread, run_task, &task[d]);
	}
	for (unsigned d = 0; d < set->device_count; ++d)
		thread_join(task[d].thread);
	free(task);
}
